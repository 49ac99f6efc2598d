import type { ApiAnswer, FileAnswer } from './api-operation.ts';
import type { CallQueue } from './call-queue.ts';
import { type Caller, ownerOf } from './caller.ts';
import type { HttpExchange, ServerContext } from './http-exchange.ts';
import { beginFile, sendFile } from './send-file.ts';

export type JsonAnswer = Extract<ApiAnswer, { data: unknown }>;
type StreamAnswer = Extract<ApiAnswer, { begin: unknown }>;

type SendingContext = Readonly<{
  serverContext: Pick<ServerContext, 'streams' | 'downloads'>;
  caller: Caller;
  /** Where the parts of a file take turns. */
  queue: CallQueue | undefined;
  serialize: (answer: JsonAnswer) => string;
}>;

/** Sends what an operation answered, or fails the request if that cannot be sent. Never throws. */
export function sendAnswer(
  exchange: HttpExchange,
  answer: ApiAnswer,
  context: SendingContext,
): void {
  try {
    if ('begin' in answer) beginStream(exchange, answer, context);
    else if ('parts' in answer) beginDownload(exchange, answer, context);
    else sendWhole(exchange, answer, context);
  } catch (error) {
    exchange.fail(error);
  }
}

function sendWhole(
  exchange: HttpExchange,
  answer: Exclude<ApiAnswer, StreamAnswer | FileAnswer>,
  { serialize }: SendingContext,
): void {
  const { reply } = exchange;
  exchange.prepareAnswer();
  reply.code(answer.status).header('cache-control', 'no-store');
  if (answer.headers !== undefined) reply.headers(answer.headers);
  if ('location' in answer) reply.header('location', answer.location).send('');
  else if ('text' in answer) reply.header('content-type', answer.contentType).send(answer.text);
  else reply.header('content-type', JSON_TYPE).send(serialize(answer));
  exchange.noteUnread();
}

function beginStream(
  exchange: HttpExchange,
  { status, headers = {}, begin }: StreamAnswer,
  { serverContext, caller }: SendingContext,
): void {
  // The client disconnected while the stream was prepared.
  if (exchange.isClosed) return;
  const { reply, request } = exchange;
  const stream = serverContext.streams.open(caller.id, reply.raw);
  exchange.beginStream();
  reply
    .code(status)
    .headers({ ...STREAM_HEADERS, ...headers })
    .begin();
  // A response to HEAD has no body.
  if (request.method === 'HEAD') stream.end();
  else begin(stream);
}

function beginDownload(
  exchange: HttpExchange,
  answer: FileAnswer,
  { serverContext: { downloads }, caller, queue }: SendingContext,
): void {
  // A response to HEAD has no body.
  if (exchange.request.method === 'HEAD') {
    beginFile(exchange, answer);
    exchange.reply.raw.end();
    return;
  }
  const downloader = { owner: ownerOf(caller), merchantId: caller.book?.merchantId };
  void sendFile(exchange, answer, { downloader, downloads, queue });
}

const STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  // Proxies would wait for the end of the answer.
  'x-accel-buffering': 'no',
};
const JSON_TYPE = 'application/json; charset=utf-8';
