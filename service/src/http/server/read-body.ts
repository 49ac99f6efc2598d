import type { IncomingMessage, ServerResponse } from 'node:http';
import { fieldProblem } from '../../domain/field-problem.ts';
import { refuse } from '../../domain/refusal.ts';
import type { BodyBudget, BodyShare } from './body-budget.ts';
import { type CollectedBody, collectBody } from './collect-body.ts';
import { type JsonLimits, ListTooLong } from './json-limits.ts';
import { BODY_BYTES_MAX } from './server-limits.ts';
import { type JsonObject, parseStrictJson } from './strict-json.ts';

type Receiver = Readonly<{
  /**
   * Called once, with the body or with the reason why there is none. The receiver closes the share when the call is over;
   * undefined: the body takes none.
   */
  receive(error: unknown, body: JsonObject | undefined, share: BodyShare | undefined): void;
}>;

/** Whether a call needs a body, may leave it out because no field is required, or takes none. */
export type BodyNeed = 'needed' | 'optional' | 'none';

export type BodyRule = Readonly<{
  need: BodyNeed;
  bytesMax: number;
  json: JsonLimits;
  budget: BodyBudget;
  /** The error for a list that is too long and is a member of the body itself. */
  refuseLongList: (() => Error) | undefined;
}>;

/**
 * Reads the body of a POST or PATCH by hand rather than through the framework: limits apply before anything is read,
 * the content type is checked once, and the bytes are parsed strictly. `owner` is whose share of the body budget
 * it takes.
 */
export function readBody(
  response: ServerResponse,
  { rule, owner }: Readonly<{ rule: BodyRule; owner: string }>,
  receiver: Receiver,
): void {
  const request = response.req;
  try {
    checkHeaders(request, rule);
  } catch (error) {
    receiver.receive(error, undefined, undefined);
    return;
  }
  if (request.headers.expect !== undefined) response.writeContinue();
  const { bytesMax, budget, json } = rule;
  collectBody(request, { bytesMax, budget, owner, json }, (error, collected) => {
    if (collected === undefined) {
      receiver.receive(translate(error, rule), undefined, undefined);
      return;
    }
    const { share } = collected;
    let body: JsonObject | undefined;
    try {
      body = parseWithin(collected, rule);
    } catch (problem) {
      share?.close();
      receiver.receive(translate(problem, rule), undefined, undefined);
      return;
    }
    receiver.receive(undefined, body, share);
  });
}

/** The least memory that a value takes: a string of a few characters and its entry in a Map. */
const VALUE_BYTES = 64;

/**
 * A large body stays in memory until its call is over: its text, and an object for each value. A small body needs no share,
 * because the calls under way have a limit of their own.
 */
function parseWithin(
  { bytes, share, values }: CollectedBody,
  rule: BodyRule,
): JsonObject | undefined {
  if (share === undefined) return parseBody(bytes, rule);
  if (rule.bytesMax <= BODY_BYTES_MAX) {
    share.close();
    return parseBody(bytes, rule);
  }
  share.take(bytes.length + values * VALUE_BYTES);
  return parseBody(bytes, rule);
}

function translate(error: unknown, { refuseLongList }: BodyRule): unknown {
  if (!(error instanceof ListTooLong) || error.depth !== DEPTH_OF_MEMBERS) return error;
  return refuseLongList?.() ?? error;
}

const DEPTH_OF_MEMBERS = 2;

function checkHeaders({ headers }: IncomingMessage, { need, bytesMax }: BodyRule): void {
  const type = headers['content-type'];
  const isMissing = need === 'needed' || (need === 'optional' && announcesBody(headers));
  if (type === undefined ? isMissing : !isJsonInUtf8(type)) throw refuse('UNSUPPORTED_MEDIA_TYPE');
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw refuse('UNSUPPORTED_MEDIA_TYPE');
  }
  if (Number(headers['content-length']) > bytesMax) throw refuse('BODY_TOO_LARGE');
}

function announcesBody(headers: IncomingMessage['headers']): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
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

function parseBody(bytes: Buffer, { need, json }: BodyRule): JsonObject | undefined {
  if (bytes.length === 0) {
    if (need !== 'needed') return undefined;
    throw refuse('INVALID_JSON', { message: 'The body is empty. Nothing was stored.' });
  }
  const value = parseStrictJson(bytes, json);
  if (!(value instanceof Map)) {
    throw refuse('INVALID_JSON', { message: 'The body must be one object. Nothing was stored.' });
  }
  if (need === 'none' && value.size > 0) throw refuseFields(value);
  return value;
}

/** A call that takes no fields received some. Ignoring them silently would mislead the client. */
function refuseFields(body: JsonObject): Error {
  const names = [...body.keys()].slice(0, FIELDS_NAMED_MAX);
  return refuse('VALIDATION_ERROR', {
    fields: names.map((name) => fieldProblem(name.slice(0, NAME_LENGTH_MAX), 'UNKNOWN_FIELD')),
  });
}

const FIELDS_NAMED_MAX = 50;
const NAME_LENGTH_MAX = 60;

/**
 * Whether so much of the request may still arrive that reading it to keep the connection open costs more than closing.
 */
export function hasMuchUnread(request: IncomingMessage): boolean {
  if (request.complete) return false;
  const { headers } = request;
  return (
    headers['transfer-encoding'] !== undefined ||
    headers.expect !== undefined ||
    Number(headers['content-length']) > BODY_BYTES_MAX
  );
}
