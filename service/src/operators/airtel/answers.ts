import { at, type ExactJson } from '../wire/exact-json.ts';
import type { WireAnswer } from '../wire/operator-wire.ts';
import { type CodeEntry, entryOf } from './codes.ts';

/** Request timeout, too early, too many requests: said about the moment, not about the request. */
const PASSING_STATUSES: readonly number[] = [408, 425, 429];
/** The gateway speaks for itself alone: a service's code in its form is no documented answer. */
const GATEWAY_CODES = 'ROUTER';
const PRINTABLE_CODE = /^[\w.-]{1,40}$/;

export type Answered = Extract<WireAnswer, { kind: 'answered' }>;

/** One of the two documented forms of an answer, taken apart. */
export type AnswerForm = Readonly<{
  /** `gateway`: the flat form of the router in front of Airtel's services. */
  source: 'service' | 'gateway';
  entry: CodeEntry;
  /** What the answer says, for people: the code with its meaning. */
  says: string;
  success: boolean | undefined;
  /** Absent in the answers that never reached a payout. */
  transaction: ExactJson | undefined;
}>;

/** Undefined when the body is in neither form. */
export function readForm({ json }: Answered): AnswerForm | undefined {
  const status = at(json, 'status');
  const isService = typeof status === 'object' && status !== null;
  // `result_code` is deprecated and decides only where the other is missing.
  const code = isService
    ? (filled(status, 'response_code') ?? filled(status, 'result_code'))
    : filled(json, 'status_code');
  if (code !== undefined && typeof code !== 'string') return undefined;
  if (!isService && code?.startsWith(GATEWAY_CODES) !== true) return undefined;
  const transaction = at(json, 'data', 'transaction') ?? undefined;
  if (transaction !== undefined && typeof transaction !== 'object') return undefined;
  const entry = entryOf(code);
  const shown = code !== undefined && PRINTABLE_CODE.test(code) ? `${code}: ` : '';
  const success = at(status, 'success');
  return {
    source: isService ? 'service' : 'gateway',
    entry,
    says: `${shown}${entry.says}`,
    success: typeof success === 'boolean' ? success : undefined,
    transaction,
  };
}

/** Whether an answer with this status may refuse: Airtel refuses with 200 as well as with 4xx. */
export function mayRefuse(status: number): boolean {
  return isOk(status) || (isClientError(status) && !PASSING_STATUSES.includes(status));
}

export function isOk(status: number): boolean {
  return status >= 200 && status < 300;
}

export function isClientError(status: number): boolean {
  return status >= 400 && status < 500;
}

/** The bearer token was not taken, and nothing else was said about the request. */
export function isUnauthorised(answer: WireAnswer): boolean {
  if (answer.kind !== 'answered' || answer.status !== 401) return false;
  return readForm(answer)?.entry.meaning.kind !== 'refused';
}

/** What an answer that cannot be used says, for people. */
export function describe(answer: WireAnswer): string {
  if (answer.kind !== 'answered') return answer.cause;
  const form = readForm(answer);
  return `HTTP ${answer.status}, ${form === undefined ? 'not a documented answer' : form.says}`;
}

/** What stands under a name; nothing, null and the empty text are alike. */
function filled(json: ExactJson | undefined, name: string): ExactJson | undefined {
  const value = at(json, name);
  return value === null || value === '' ? undefined : value;
}
