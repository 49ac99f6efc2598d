import { randomUUID } from 'node:crypto';
import { FIRST_CELL } from '../src/cells/cell.ts';
import type { Book } from '../src/domain/book.ts';
import { Refusal } from '../src/domain/refusal.ts';
import type { ApiOperation, ApiRequest } from '../src/http/server/api-operation.ts';
import { compileSerializer } from '../src/http/server/compile-serializer.ts';
import { JsonNumber, type JsonObject, type JsonValue } from '../src/http/server/strict-json.ts';

type RequestParts = Readonly<{
  book: Book;
  /** A new key unless one is given. */
  keyId?: string;
  params?: Readonly<Record<string, string>>;
  query?: string;
  headers?: Readonly<Record<string, string>>;
  body?: Readonly<Record<string, unknown>>;
}>;

/** A request as the server passes it to an operation, with a key of the book that has all scopes. */
export function apiRequest(parts: RequestParts): ApiRequest {
  const id = parts.keyId ?? randomUUID();
  const headers = new Map(Object.entries(parts.headers ?? {}));
  return {
    caller: { id, actor: { kind: 'key', id }, book: { ...parts.book, cell: FIRST_CELL } },
    address: '127.0.0.1',
    isFromThisMachine: () => true,
    isAbandoned: () => false,
    inTurn: (_, work) => work(),
    requestId: randomUUID(),
    params: parts.params ?? {},
    query: new URLSearchParams(parts.query ?? ''),
    header: (name) => headers.get(name),
    body: parts.body === undefined ? undefined : toJsonObject(parts.body),
    upload: undefined,
  };
}

/** Calls an operation that answers with JSON, and passes its data through the schema that serialises it. */
export async function callOperation(route: ApiOperation, parts: RequestParts) {
  const answer = await route.handle(apiRequest(parts));
  if (!('data' in answer)) throw new Error('the route answered with text');
  const serialize = compileSerializer(route, answer.status);
  const { data } = JSON.parse(serialize({ status: true, message: '', data: answer.data }));
  return { ...answer, data, unserialised: answer.data };
}

/** The refusal that an operation throws, with the broken fields as `field CODE`. */
export async function refusalOf(work: Promise<unknown>) {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof Refusal)) throw new Error('not refused', { cause: error });
  const fields = (error.detail.fields ?? []).map(({ field, code }) => `${field} ${code}`);
  return { code: error.code, fields, detail: error.detail };
}

export function toJsonObject(object: Readonly<Record<string, unknown>>): JsonObject {
  return new Map(Object.entries(object).map(([name, value]) => [name, toJsonValue(value)]));
}

function toJsonValue(value: unknown): JsonValue {
  if (typeof value === 'number') return new JsonNumber(String(value));
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (Array.isArray(value)) return value.map(toJsonValue);
  throw new Error('a test body holds only plain values');
}
