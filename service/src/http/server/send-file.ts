import type { FileAnswer } from './api-operation.ts';
import type { CallQueue } from './call-queue.ts';
import type { HttpExchange } from './http-exchange.ts';
import type { Downloader, OpenDownloads } from './open-downloads.ts';
import { resetIfBrokenOff } from './reset-if-broken-off.ts';

type SendingRule = Readonly<{
  downloader: Downloader;
  downloads: OpenDownloads;
  /** Each part is read in a turn of its own. While the client reads it, other calls have theirs. */
  queue: CallQueue | undefined;
}>;

/**
 * Sends a file part by part, as fast as its client reads, and stops when the client is gone. The answer begins with the
 * first part, so that an error before it can still be told. Never rejects.
 */
export async function sendFile(
  exchange: HttpExchange,
  answer: FileAnswer,
  { downloader, downloads, queue }: SendingRule,
): Promise<void> {
  const { parts } = answer;
  // The client may disconnect while the call waits in the queue.
  const read = async () => (exchange.isClosed ? undefined : (await parts.next()).value);
  try {
    const closeDownload = downloads.open(downloader, () => exchange.reply.drop());
    try {
      for (;;) {
        const part = await (queue === undefined ? read() : queue.inTurn(downloader.owner, read));
        if (exchange.isClosed) return;
        if (part === undefined) break;
        if (part.length === 0) continue;
        if (!exchange.reply.sent) beginFile(exchange, answer);
        await exchange.writePart(part);
      }
      exchange.reply.raw.end();
    } finally {
      closeDownload();
      await parts.return(undefined);
    }
  } catch (error) {
    exchange.fail(error);
  }
}

/** Sends the head of the answer. */
export function beginFile(
  exchange: HttpExchange,
  { status, contentType, headers = {} }: Omit<FileAnswer, 'parts'>,
): void {
  exchange.prepareAnswer();
  exchange.reply
    .code(status)
    .headers({ 'cache-control': 'no-store', 'content-type': contentType, ...headers })
    .begin();
  resetIfBrokenOff(exchange.reply.raw);
}
