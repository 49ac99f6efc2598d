import type { KafueErrorDetail } from './kafue-error.ts';
import type { FieldProblem } from './model/failure.ts';
import type { Answer } from './send-once.ts';

/** What every answer of the service is wrapped in. */
type Envelope = Readonly<{ status: boolean; message: string; data: unknown }>;

/** What an answer came to. */
export type Reading<Value> = Readonly<{ value: Value }> | Readonly<{ failure: KafueErrorDetail }>;

/** The `data` of a success; anything else is a failure. */
export function readData(answer: Answer): Reading<unknown> {
  const envelope = readEnvelope(answer.text);
  if (!isSuccess(answer) || envelope?.status !== true) return { failure: failureOf(answer) };
  return { value: envelope.data };
}

export type CsvPage = Readonly<{ text: string; nextCursor: string | null }>;

/** A page of CSV, which comes without the envelope. */
export function readCsv(answer: Answer): Reading<CsvPage> {
  const type = answer.header('content-type') ?? '';
  if (!isSuccess(answer) || !type.startsWith('text/csv')) return { failure: failureOf(answer) };
  return { value: { text: answer.text, nextCursor: answer.header('x-next-cursor') } };
}

/** Whole seconds or a date, as HTTP allows; null when there is none that can be read. */
export function retryAfterSeconds(answer: Answer, nowMs: number): number | null {
  const text = answer.header('retry-after')?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const atMs = Date.parse(text);
  return Number.isNaN(atMs) ? null : Math.max(0, Math.ceil((atMs - nowMs) / 1_000));
}

/** True or false as X-Should-Retry says; null when it says nothing. */
export function shouldRetry(answer: Answer): boolean | null {
  const text = answer.header('x-should-retry');
  return text === 'true' ? true : text === 'false' ? false : null;
}

function isSuccess({ status }: Answer): boolean {
  return status >= 200 && status < 300;
}

function failureOf(answer: Answer): KafueErrorDetail {
  const envelope = readEnvelope(answer.text);
  const data = isObject(envelope?.data) ? envelope.data : {};
  const { error, ...furtherData } = data;
  if (envelope?.status !== false || !isObject(error) || typeof error.code !== 'string') {
    return unexpectedAnswer(answer);
  }
  return {
    code: error.code,
    message: envelope.message,
    status: answer.status,
    retryable: error.retryable === true,
    requestId: typeof error.requestId === 'string' ? error.requestId : null,
    fields: Array.isArray(error.fields) ? error.fields.filter(isFieldProblem) : [],
    rule: typeof error.rule === 'string' ? error.rule : null,
    data: furtherData,
  };
}

function unexpectedAnswer(answer: Answer): KafueErrorDetail {
  const { status } = answer;
  const message =
    `The answer, HTTP ${status}, is not one of Kafue's. ` +
    'Check baseUrl, and whether a proxy stands in between.';
  return {
    code: 'UNEXPECTED_ANSWER',
    message,
    status,
    retryable: shouldRetry(answer) ?? status >= 500,
    requestId: answer.header('x-request-id'),
  };
}

function readEnvelope(text: string): Envelope | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isObject(value)) return undefined;
  const { status, message, data } = value;
  if (typeof status !== 'boolean' || typeof message !== 'string') return undefined;
  return { status, message, data };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isFieldProblem(value: unknown): value is FieldProblem {
  return (
    isObject(value) &&
    typeof value.field === 'string' &&
    typeof value.code === 'string' &&
    typeof value.message === 'string'
  );
}
