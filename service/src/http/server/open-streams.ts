import type { ServerResponse } from 'node:http';
import { refuse } from '../../domain/refusal.ts';
import type { EventStream } from './api-operation.ts';

export type StreamLimits = Readonly<{
  /** A visible tab has one. A browser has six connections to a host over HTTP/1.1: some must be left for calls. */
  ofCallerMax: number;
  /** In all. Each takes a connection and a timer's share. */
  max: number;
  /** Bytes that a client has not read yet. One that reads is always at zero. */
  unreadBytesMax: number;
}>;

export const STREAM_LIMITS: StreamLimits = {
  ofCallerMax: 4,
  max: 500,
  unreadBytesMax: 64 * 1_024,
};

/** The answers that stay open. They hold up neither other calls nor a server that stops. */
export class OpenStreams {
  readonly #limits: StreamLimits;
  readonly #open = new Set<OpenStream>();
  readonly #countOf = new Map<string, number>();
  #isClosed = false;

  constructor(limits: StreamLimits) {
    this.#limits = limits;
  }

  get count(): number {
    return this.#open.size;
  }

  /** Throws if the caller has too many, there are too many, or the server stops. */
  open(callerId: string, response: ServerResponse): EventStream {
    const { ofCallerMax, max, unreadBytesMax } = this.#limits;
    if (this.#isClosed || this.#open.size >= max) throw refuse('UNAVAILABLE');
    const count = this.#countOf.get(callerId) ?? 0;
    if (count >= ofCallerMax) {
      throw refuse('RATE_LIMITED', {
        message: `You have ${ofCallerMax} open streams, which is the most. Close a tab first.`,
      });
    }
    const stream = new OpenStream(response, unreadBytesMax);
    this.#open.add(stream);
    this.#countOf.set(callerId, count + 1);
    stream.onEnd(() => this.#forget(callerId, stream));
    return stream;
  }

  /** Ends all, and refuses further ones. */
  close(): void {
    this.#isClosed = true;
    for (const stream of this.#open) stream.end();
  }

  #forget(callerId: string, stream: OpenStream): void {
    this.#open.delete(stream);
    const count = this.#countOf.get(callerId) ?? 0;
    if (count > 1) this.#countOf.set(callerId, count - 1);
    else this.#countOf.delete(callerId);
  }
}

class OpenStream implements EventStream {
  readonly #response: ServerResponse;
  readonly #unreadBytesMax: number;

  constructor(response: ServerResponse, unreadBytesMax: number) {
    this.#response = response;
    this.#unreadBytesMax = unreadBytesMax;
  }

  write(text: string): void {
    const response = this.#response;
    if (response.writableEnded || response.destroyed) return;
    response.write(text);
    // The client does not read: what it missed it reloads when it comes back.
    if (response.writableLength > this.#unreadBytesMax) response.destroy();
  }

  end(): void {
    if (!this.#response.writableEnded) this.#response.end();
  }

  onEnd(listener: () => void): void {
    // A response that is closed tells it to no further listener.
    if (this.#response.closed) listener();
    else this.#response.once('close', listener);
  }
}
