import { connect } from 'node:net';
import type { ConnectionFault, Preamble } from '../proxy/connection-fault.ts';
import { parseAnswer, type RawAnswer } from './parse-answer.ts';

export type RawRequest = Readonly<{
  method: 'GET' | 'POST' | 'PUT';
  path: string;
  /** Null: the further headers say who calls. */
  apiKey: string | null;
  idempotencyKey: string | null;
  body: string | null;
  /** Default: JSON. */
  contentType?: string;
  furtherHeaders?: readonly string[];
}>;

export type RawOutcome =
  | Readonly<{ kind: 'answered'; answer: RawAnswer }>
  | Readonly<{ kind: 'unanswered'; cause: string }>;

/**
 * Sends one request on its own connection with hand-written bytes: an HTTP library would retry, keep connections
 * or hide a cut, and the proxy needs the exact number of bytes to place a cut.
 */
export function sendRaw(
  proxyPort: number,
  request: RawRequest,
  options: Readonly<{ fate: ConnectionFault; timeoutMs: number }>,
): Promise<RawOutcome> {
  const bytes = Buffer.from(writeRequest(request));
  const preamble: Preamble = { fate: options.fate, requestBytes: bytes.length };
  const { promise, resolve } = Promise.withResolvers<RawOutcome>();
  const socket = connect({ port: proxyPort, host: '127.0.0.1', noDelay: true });
  let received = Buffer.alloc(0);
  const finish = (cause: string): void => {
    clearTimeout(timer);
    socket.destroy();
    const answer = parseAnswer(received);
    resolve(answer === undefined ? { kind: 'unanswered', cause } : { kind: 'answered', answer });
  };
  const timer = setTimeout(() => finish('no answer in time'), options.timeoutMs);
  socket.once('connect', () => {
    socket.write(Buffer.concat([Buffer.from(`${JSON.stringify(preamble)}\n`), bytes]));
  });
  socket.on('data', (chunk) => {
    received = Buffer.concat([received, chunk]);
    if (parseAnswer(received) !== undefined) finish('');
  });
  socket.once('error', (error) => finish(error.message));
  socket.once('close', () => finish(`closed after ${received.length} bytes`));
  return promise;
}

function writeRequest(request: RawRequest): string {
  const { method, path, apiKey, idempotencyKey, body, contentType = 'application/json' } = request;
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'host: 127.0.0.1',
    'connection: close',
    ...(apiKey === null ? [] : [`x-api-key: ${apiKey}`]),
    ...(request.furtherHeaders ?? []),
    ...(idempotencyKey === null ? [] : [`idempotency-key: ${idempotencyKey}`]),
    ...(body === null
      ? []
      : [`content-type: ${contentType}`, `content-length: ${Buffer.byteLength(body)}`]),
  ];
  return `${lines.join('\r\n')}\r\n\r\n${body ?? ''}`;
}
