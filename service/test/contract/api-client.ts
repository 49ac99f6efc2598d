import assert from 'node:assert/strict';
import { Agent, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';

/** Sockets are kept and shared by all clients of a file, so that a burst does not open thousands. */
const SOCKETS_MAX = 64;
/** Half of the time after which the service closes an idle one: a request must not be sent while it does. */
const IDLE_MS = 5_000;
const REQUEST_TIMEOUT_MS = 30_000;
const PAYMENTS = '/api/v1/payments/';
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
/** What an answer must never show: a stack frame, a source path, or an SQL statement. */
const INTERNALS =
  /\n\s+at |node_modules|\.ts:\d|\b(select|insert|update) .{1,80}\b(from|into|set)\b/i;

export type Fields = Readonly<Record<string, unknown>>;

export type Answer = Readonly<{
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  message: string;
  data: Fields;
}>;

type Headers = Readonly<Record<string, string | string[]>>;
/** Text and bytes are sent unchanged; anything else as JSON. */
type Body = string | Buffer | Fields;

export type Call = Readonly<{ method?: string; path: string; headers?: Headers; body?: Body }>;

export type ApiClient = Readonly<{
  /** Any call, with only the given headers and the key. */
  send(call: Call): Promise<Answer>;
  get(path: string, headers?: Headers): Promise<Answer>;
  /** Paths are below /api/v1/payments unless they start with a slash. */
  post(path: string, body: Body, headers?: Headers): Promise<Answer>;
}>;

const agent = new Agent({ keepAlive: true, maxSockets: SOCKETS_MAX, timeout: IDLE_MS });

/** A client that checks on every answer what holds for all of them. */
export function createApiClient(baseUrl: string, key?: string): ApiClient {
  const keyHeader: Headers = key === undefined ? {} : { 'x-api-key': key };
  const send = async ({ method = 'GET', path, headers = {}, body }: Call): Promise<Answer> => {
    const target = path.startsWith('/') ? path : PAYMENTS + path;
    const response = await exchange(baseUrl, method, target, { ...keyHeader, ...headers }, body);
    return target.startsWith('/api/') ? readEnvelope(response) : { ...response, ...NO_ENVELOPE };
  };
  return {
    send,
    get: (path, headers = {}) => send({ path, headers }),
    post: (path, body, headers = {}) =>
      send({
        method: 'POST',
        path,
        headers: { 'content-type': 'application/json', ...headers },
        body,
      }),
  };
}

type RawAnswer = Readonly<{ status: number; headers: IncomingHttpHeaders; text: string }>;
const NO_ENVELOPE = { message: '', data: {} } as const;

/** node:http instead of fetch: it does not normalise `..` in paths and can send a header twice. */
async function exchange(
  baseUrl: string,
  method: string,
  path: string,
  headers: Headers,
  body: Body | undefined,
): Promise<RawAnswer> {
  const { hostname, port } = new URL(baseUrl);
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const outgoing = request({ hostname, port, method, path, headers, agent }, resolve);
    outgoing.setTimeout(REQUEST_TIMEOUT_MS, () =>
      outgoing.destroy(new Error(`no answer: ${path}`)),
    );
    outgoing.on('error', reject);
    if (body === undefined) outgoing.end();
    else
      outgoing.end(typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body));
  });
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString('utf8');
  return { status: response.statusCode ?? 0, headers: response.headers, text };
}

function readEnvelope(answer: RawAnswer): Answer {
  const { status, headers, text } = answer;
  assert.match(String(headers['x-request-id']), /^[\w.-]{8,}$/, `${status} names its request`);
  if (status === 200 && /^text\/csv\b/.test(headers['content-type'] ?? '')) {
    return { ...answer, ...NO_ENVELOPE };
  }
  assert.match(headers['content-type'] ?? '', /^application\/json\b/, text);
  const envelope = fieldsOf(JSON.parse(text));
  assert.deepEqual(Object.keys(envelope).sort(), ['data', 'message', 'status'], text);
  const message = textOf(envelope.message);
  assert.notEqual(message, '');
  assert.equal(envelope.status, status >= 200 && status < 300, text);
  const checked: Answer = { ...answer, message, data: fieldsOf(envelope.data) };
  if (!envelope.status) checkFailure(checked);
  return checked;
}

function checkFailure({ status, headers, text, data }: Answer): void {
  const error = fieldsOf(data.error);
  const known = ['code', 'fields', 'requestId', 'retryable', 'rule'];
  const needed = ['code', 'requestId', 'retryable'];
  const missing = needed.filter((name) => !(name in error));
  assert.deepEqual(missing, [], text);
  assert.deepEqual(
    Object.keys(error).filter((name) => !known.includes(name)),
    [],
    text,
  );
  assert.match(textOf(error.code), /^[A-Z_]+$/);
  assert.equal(error.requestId, headers['x-request-id'], text);
  assert.equal(headers['x-should-retry'], String(error.retryable), text);
  assert.equal(error.retryable, [429, 500, 503].includes(status), text);
  assert.equal(error.code === 'VALIDATION_ERROR', 'fields' in error, text);
  for (const field of listOf(error.fields ?? [])) {
    assert.deepEqual(Object.keys(field).sort(), ['code', 'field', 'message'], text);
  }
  if (status === 429 || status === 503) assert.match(headers['retry-after'] ?? '', /^[1-9]\d*$/);
  assert.doesNotMatch(text, INTERNALS);
}

/** Asserts that the answer is a refusal with this code; the text of the answer explains a failed test. */
export function assertRefused(answer: Answer, status: number, code: string, why = ''): void {
  const refusal = `${answer.status} ${errorCode(answer)}`;
  assert.equal(refusal, `${status} ${code}`, `${why} ${answer.text}`.trim());
}

export function errorCode(answer: Answer): string {
  return 'error' in answer.data ? textOf(fieldsOf(answer.data.error).code) : 'no error';
}

/** The broken fields of a refusal, each with its code. */
export function brokenFields(answer: Answer): Readonly<Record<string, string>> {
  const fields = listOf(fieldsOf(answer.data.error).fields ?? []);
  return Object.fromEntries(fields.map(({ field, code }) => [textOf(field), textOf(code)]));
}

/** The body without what differs between two identical refusals. */
export function withoutRequestId(answer: Answer): string {
  return answer.text.replaceAll(textOf(answer.headers['x-request-id']), '');
}

const TRANSFER_FIELDS = (
  'amount approval completedAt contentHash country createdAt currency failure fee id metadata mode narration ' +
  'operator operatorTransactionId payoutFileId phone policyVersion recipientName reference replaces rules sendAt ' +
  'source state status type updatedAt walletId'
).split(' ');
const IN_DOUBT_FIELDS = ['inDoubtSince', 'lastCheckedAt', 'nextCheckAt'];
const STATUS_OF_STATE: Fields = {
  scheduled: 'pending',
  awaiting_approval: 'pending',
  queued: 'pending',
  submitting: 'pending',
  submitted: 'pending',
  in_doubt: 'pending',
  succeeded: 'successful',
  failed: 'failed',
  cancelled: 'cancelled',
  reversed: 'reversed',
};

export type Transfer = Readonly<{
  id: string;
  reference: string;
  status: string;
  state: string;
  amount: number;
  fee: number;
  currency: string;
  walletId: string;
  phone: string;
  operator: string;
  country: string;
  recipientName: string | null;
  narration: string | null;
  metadata: Readonly<Record<string, string>> | null;
  sendAt: string | null;
  source: string;
  policyVersion: number | null;
  rules: readonly string[];
  contentHash: string | null;
  approval: Readonly<Record<string, unknown>> | null;
  payoutFileId: string | null;
  replaces: string | null;
  operatorTransactionId: string | null;
  failure: Readonly<{ code: string; message: string }> | null;
  mode: string;
  createdAt: string;
  updatedAt: string;
  completedAt: string | null;
  inDoubtSince?: string;
  lastCheckedAt?: string | null;
  nextCheckAt?: string | null;
}>;

/** The transfer in an answer, after checking that it has every promised field and no other. */
export function readTransfer(value: unknown): Transfer {
  const transfer = fieldsOf(value);
  const shown = JSON.stringify(transfer);
  const state = textOf(transfer.state);
  const expected =
    state === 'in_doubt' ? [...TRANSFER_FIELDS, ...IN_DOUBT_FIELDS] : TRANSFER_FIELDS;
  assert.deepEqual(Object.keys(transfer).sort(), expected.toSorted(), shown);
  assert.match(textOf(transfer.id), UUID);
  assert.equal(transfer.type, 'mobile-money');
  assert.equal(transfer.status, STATUS_OF_STATE[state], shown);
  assert.equal(typeof transfer.amount, 'number');
  assert.equal(typeof transfer.fee, 'number');
  assert.match(textOf(transfer.phone), /^\+\d{8,15}$/);
  assert.match(textOf(transfer.createdAt), INSTANT);
  assert.match(textOf(transfer.updatedAt), INSTANT);
  assert.equal(transfer.completedAt === null, transfer.status === 'pending', shown);
  const ended = state === 'failed' || state === 'cancelled';
  assert.equal(transfer.failure !== null, ended, shown);
  if (ended) assert.deepEqual(Object.keys(fieldsOf(transfer.failure)).sort(), ['code', 'message']);
  return transfer as Transfer;
}

export function fieldsOf(value: unknown): Fields {
  assert.ok(
    typeof value === 'object' && value !== null && !Array.isArray(value),
    `no object: ${JSON.stringify(value)}`,
  );
  return value as Fields;
}

export function listOf(value: unknown): readonly Fields[] {
  assert.ok(Array.isArray(value), `not a list: ${JSON.stringify(value)}`);
  return value.map(fieldsOf);
}

export function textOf(value: unknown): string {
  assert.ok(typeof value === 'string', `not a text: ${JSON.stringify(value)}`);
  return value;
}
