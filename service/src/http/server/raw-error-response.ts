import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { refuse } from '../../domain/refusal.ts';
import { REFUSALS, type RefusalCode } from '../../domain/refusal-codes.ts';
import { type Connections, closeAfterAnswer, closePolitely, mayAnswerRaw } from './connections.ts';
import { errorBody, errorHeaders } from './error-response.ts';

type RawFailure = Readonly<{
  code: RefusalCode;
  requestId: string;
  headers?: Readonly<Record<string, string>>;
}>;

/** Answers on a socket whose request could not be parsed, and closes it. */
export function failConnection(
  connections: Connections,
  socket: Duplex,
  failure: RawFailure & Readonly<{ lingerMs: number }>,
): void {
  const connection = connections.of(socket);
  if (connection.closing) return;
  const mayAnswer = mayAnswerRaw(connection) && socket.writable;
  connection.closing = true;
  if (!mayAnswer) {
    socket.destroy();
    return;
  }
  const { status, headers, body } = rawParts(failure);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
  closePolitely(socket, failure.lingerMs);
}

/** Answers a request that must not be routed, and closes its connection. */
export function failUnrouted(
  connections: Connections,
  response: ServerResponse,
  failure: RawFailure & Readonly<{ lingerMs: number }>,
): void {
  const { status, headers, body } = rawParts(failure);
  closeAfterAnswer(response, connections.of(response.req.socket), failure.lingerMs);
  response.writeHead(status, headers);
  response.end(body);
}

function rawParts(failure: RawFailure) {
  const refusal = refuse(failure.code);
  const body = JSON.stringify(errorBody(refusal, failure.requestId));
  const headers = {
    ...errorHeaders(refusal),
    ...failure.headers,
    'x-request-id': failure.requestId,
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  };
  return { status: REFUSALS[failure.code].status, headers, body };
}
