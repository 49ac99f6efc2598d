import type { IncomingMessage, ServerResponse } from 'node:http';
import { fieldProblem, refuse } from '../domain/refusal.ts';
import { BODY_BYTES_MAX, BODY_DEPTH_MAX } from './server-limits.ts';
import { type JsonObject, parseStrictJson } from './strict-json.ts';

/** The client left while it was sending: nobody is there to answer. */
export class ClientGone extends Error {
  constructor() {
    super('the client closed the connection before its request was complete');
    this.name = 'ClientGone';
  }
}

type Receiver = Readonly<{
  /** Called once, with the body or with the reason why there is none. */
  receive(error: unknown, body: JsonObject | undefined): void;
}>;

export type BodyRule = Readonly<{ isNeeded: boolean; bytesMax: number }>;

/**
 * Reads the body of a POST or PATCH, by hand rather than by the framework: limits hold before
 * anything is read, the type of the content is looked at once, and the bytes are parsed strictly.
 */
export function readBody(
  response: ServerResponse,
  { isNeeded, bytesMax }: BodyRule,
  receiver: Receiver,
): void {
  const request = response.req;
  try {
    checkHeaders(request, { isNeeded, bytesMax });
  } catch (error) {
    receiver.receive(error, undefined);
    return;
  }
  if (request.headers.expect !== undefined) response.writeContinue();
  readBytes(request, bytesMax, (error, chunks) => {
    if (error !== undefined) return receiver.receive(error, undefined);
    let body: JsonObject | undefined;
    try {
      body = parseBody(chunks, isNeeded);
    } catch (problem) {
      return receiver.receive(problem, undefined);
    }
    receiver.receive(undefined, body);
  });
}

/** What is too long is passed over, so that the refusal can still be sent. Calls back once. */
export function readBytes(
  request: IncomingMessage,
  bytesMax: number,
  done: (error: unknown, chunks: readonly Buffer[]) => void,
): void {
  const chunks: Buffer[] = [];
  let length = 0;
  let isDone = false;
  const finish = (error?: unknown) => {
    if (isDone) return;
    isDone = true;
    done(error, chunks);
  };
  request.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length <= bytesMax) chunks.push(chunk);
    else finish(refuse('BODY_TOO_LARGE'));
  });
  request.on('end', () => finish());
  request.on('error', () => finish(new ClientGone()));
}

function checkHeaders({ headers }: IncomingMessage, { isNeeded, bytesMax }: BodyRule): void {
  const type = headers['content-type'];
  if (type === undefined ? isNeeded : !isJsonInUtf8(type)) throw refuse('UNSUPPORTED_MEDIA_TYPE');
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw refuse('UNSUPPORTED_MEDIA_TYPE');
  }
  if (Number(headers['content-length']) > bytesMax) throw refuse('BODY_TOO_LARGE');
}

/** `application/json`, with no parameter but a charset of UTF-8. */
export function isJsonInUtf8(contentType: string): boolean {
  if (contentType === 'application/json') return true;
  const [type = '', ...parameters] = contentType.toLowerCase().split(';');
  return type.trim() === 'application/json' && parameters.every(isHarmless);
}

function isHarmless(parameter: string): boolean {
  const text = parameter.trim();
  return text === '' || text === 'charset=utf-8' || text === 'charset="utf-8"';
}

function parseBody(chunks: readonly Buffer[], isNeeded: boolean): JsonObject | undefined {
  const [first] = chunks;
  const bytes = chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks);
  if (bytes.length === 0) {
    if (!isNeeded) return undefined;
    throw refuse('INVALID_JSON', { message: 'The body is empty. Nothing was stored.' });
  }
  const value = parseStrictJson(bytes, { depthMax: BODY_DEPTH_MAX });
  if (!(value instanceof Map)) {
    throw refuse('INVALID_JSON', { message: 'The body must be one object. Nothing was stored.' });
  }
  if (!isNeeded && value.size > 0) throw refuseFields(value);
  return value;
}

/** A call that takes no fields was given some: one that is passed over in silence misleads. */
function refuseFields(body: JsonObject): Error {
  const names = [...body.keys()].slice(0, FIELDS_NAMED_MAX);
  return refuse('VALIDATION_ERROR', {
    fields: names.map((name) => fieldProblem(name.slice(0, NAME_LENGTH_MAX), 'UNKNOWN_FIELD')),
  });
}

const FIELDS_NAMED_MAX = 50;
const NAME_LENGTH_MAX = 60;

/** Whether so much of the request may still come that reading on only to keep the connection costs more. */
export function hasMuchUnread(request: IncomingMessage): boolean {
  if (request.complete) return false;
  const { headers } = request;
  return (
    headers['transfer-encoding'] !== undefined ||
    headers.expect !== undefined ||
    Number(headers['content-length']) > BODY_BYTES_MAX
  );
}
