import { at, type ExactJson } from '../wire/exact-json.ts';
import type { WireAnswer } from '../wire/operator-wire.ts';
import { type CodeEntry, entryOf } from './codes.ts';

/** Request timeout, too early, too many requests: temporary statuses that do not judge the request. */
const PASSING_STATUSES: readonly number[] = [408, 425, 429];
/**
 * In the gateway's form only the gateway's own codes count: a service's code in that form is not a documented answer.
 */
const GATEWAY_CODES = 'ROUTER';
const PRINTABLE_CODE = /^[\w.-]{1,40}$/;

export type Answered = Extract<WireAnswer, { kind: 'answered' }>;

/** One of the two documented forms of an answer, parsed. */
export type AnswerForm = Readonly<{
  /** `gateway`: the flat form of the router in front of Airtel's services. */
  source: 'service' | 'gateway';
  entry: CodeEntry;
  /** The code with its meaning, for people. */
  says: string;
  success: boolean | undefined;
  /** Absent in answers that do not concern a payout. */
  transaction: ExactJson | undefined;
}>;

/** Undefined if the body is in neither form. */
export function readForm({ json }: Answered): AnswerForm | undefined {
  const status = at(json, 'status');
  const isService = typeof status === 'object' && status !== null;
  // `result_code` is deprecated and is used only if `response_code` is missing.
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

/** Airtel refused the bearer token and said nothing else about the request. */
export function isUnauthorised(answer: WireAnswer): boolean {
  if (answer.kind !== 'answered' || answer.status !== 401) return false;
  return readForm(answer)?.entry.meaning.kind !== 'refused';
}

/** A description, for people, of an answer that cannot be used. */
export function describe(answer: WireAnswer): string {
  if (answer.kind !== 'answered') return answer.cause;
  const form = readForm(answer);
  return `HTTP ${answer.status}, ${form === undefined ? 'not a documented answer' : form.says}`;
}

/** The value under a name; missing, null and empty are the same. */
function filled(json: ExactJson | undefined, name: string): ExactJson | undefined {
  const value = at(json, name);
  return value === null || value === '' ? undefined : value;
}
