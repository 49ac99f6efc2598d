import type { IncomingMessage } from 'node:http';
import { RETRY_AFTER_MAX_SECONDS } from '../delivery-schedule.ts';

/** A response of up to this size is read to its end, to reuse the connection; for a longer one it is closed. */
const ANSWER_READ_MAX_BYTES = 64 * 1_024;
const ANSWER_KEPT_MAX_BYTES = 1_024;

/** Characters that could hide or reorder what is shown to people. */
const UNSHOWABLE = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

export type AnswerReader = Readonly<{
  /** What has arrived so far, as text that can be stored and shown. */
  text(): string;
  /** Everything arrived, and everything was kept. */
  isWhole(): boolean;
  isTooLong(): boolean;
}>;

/**
 * Reads a response within limits; calls `onEnd` once there is nothing more to wait for. `wholeBytesMax` is for an answer
 * that means nothing unless it is whole: a longer one is not read to its end.
 */
export function readAnswer(
  response: IncomingMessage,
  onEnd: () => void,
  wholeBytesMax?: number,
): AnswerReader {
  const keptBytesMax = wholeBytesMax ?? ANSWER_KEPT_MAX_BYTES;
  const readBytesMax = wholeBytesMax ?? ANSWER_READ_MAX_BYTES;
  const kept: Buffer[] = [];
  let keptBytes = 0;
  let readBytes = 0;
  let hasEnded = false;
  response.on('data', (chunk: Buffer) => {
    readBytes += chunk.length;
    const piece = chunk.subarray(0, keptBytesMax - keptBytes);
    if (piece.length > 0) kept.push(piece);
    keptBytes += piece.length;
    if (readBytes > readBytesMax) response.destroy();
  });
  response.on('end', () => {
    hasEnded = response.complete;
  });
  // A receiver that breaks the connection has still sent its status.
  response.on('error', onEnd);
  response.on('end', onEnd);
  response.on('close', onEnd);
  return {
    text: () => toShowableText(Buffer.concat(kept)),
    isWhole: () => hasEnded && readBytes <= keptBytesMax,
    isTooLong: () => readBytes > keptBytesMax,
  };
}

function toShowableText(bytes: Buffer): string {
  // Decoded as a stream, so that a character that was cut in two is left out.
  const text = new TextDecoder().decode(bytes, { stream: true });
  return text.replaceAll(UNSHOWABLE, ' ');
}

/** Seconds, or an HTTP date. */
export function readRetryAfter(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined;
  const seconds = /^\d{1,9}$/.test(header)
    ? Number(header)
    : Math.ceil((Date.parse(header) - now.getTime()) / 1_000);
  if (Number.isNaN(seconds)) return undefined;
  return Math.min(Math.max(seconds, 0), RETRY_AFTER_MAX_SECONDS);
}
