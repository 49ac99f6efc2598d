import type { FailureCode, ReportedField as ReportedSubject } from '../../domain/outcome.ts';
import type { Payout } from '../contract/connector.ts';
import { at, textAt } from '../wire/exact-json.ts';
import { isThrottled, isUnserved } from '../wire/no-answer.ts';
import { readTransactionId } from '../wire/transaction-id.ts';
import {
  type Answered,
  type AnswerForm,
  describe,
  isClientError,
  isOk,
  mayRefuse,
  readForm,
} from './answers.ts';
import { compareReported } from './compare-reported.ts';
import { toAirtelId } from './formats.ts';

/** What an answer says about a payout. Everything but the documented forms is `doubt`. */
export type Verdict =
  /** `confirmed`: the reported fields that equal what we sent. */
  | Readonly<{
      kind: 'paid';
      operatorTransactionId: string | null;
      confirmed: readonly ReportedSubject[];
    }>
  /** A success for something else than we sent. */
  | Readonly<{ kind: 'mismatch'; contradicted: readonly ReportedSubject[]; cause: string }>
  | Readonly<{ kind: 'refused'; failure: FailureCode; cause: string; keyIsSuspect: boolean }>
  | Readonly<{ kind: 'pending' }>
  | Readonly<{ kind: 'notFound' }>
  /** `isDuplicate`: Airtel already has an order under our id. */
  | Readonly<{ kind: 'doubt'; cause: string; isDuplicate?: true }>
  /** A submission that Airtel does not accept now. */
  | Readonly<{ kind: 'throttled'; cause: string; retryInMs: number | null }>
  /** The answer to an inquiry that says nothing about the payout. */
  | Readonly<{ kind: 'unanswered'; cause: string; retryInMs: number | null }>;

export type JudgeOptions = Readonly<{
  /** The answer to a submission can refuse it without naming it; the answer to an inquiry cannot. */
  purpose: 'submit' | 'inquire';
  /** Whether the human-readable message is compared with what was sent. */
  readsTexts: boolean;
  /** Whether an inquiry answered with TF and the success code means a failed payout. */
  statusDecidesInquiry: boolean;
}>;

export function judgeAnswer(answer: Answered, payout: Payout, options: JudgeOptions): Verdict {
  const form = readForm(answer);
  if (form === undefined) return unclear(answer, describe(answer), options);
  const subject = subjectOf(form, payout);
  if (subject.isAnother) return ofAnother(answer, form, subject);
  const judged =
    paid(answer, { form, subject, payout, options }) ??
    refused(answer, { form, subject, options }) ??
    waiting(answer, { form, subject, options });
  if (judged !== undefined) return judged;
  const cause = shown(answer, subject);
  const isDuplicate = options.purpose === 'submit' && form.entry.meaning.kind === 'duplicate';
  return isDuplicate ? { kind: 'doubt', cause, isDuplicate } : unclear(answer, cause, options);
}

function unclear(answer: Answered, cause: string, { purpose }: JudgeOptions): Verdict {
  const { retryInMs = null } = answer;
  if (purpose === 'submit' && isThrottled(answer)) return { kind: 'throttled', cause, retryInMs };
  if (purpose === 'inquire' && isUnserved(answer)) return { kind: 'unanswered', cause, retryInMs };
  return { kind: 'doubt', cause };
}

/** The payout that an answer is about, and its status. */
type Subject = Readonly<{
  isOurs: boolean;
  isAnother: boolean;
  /** TS, TF, TA, TIP or TE; undefined if missing. */
  status: string | undefined;
}>;

function subjectOf({ transaction }: AnswerForm, payout: Payout): Subject {
  const id = at(transaction, 'id') ?? undefined;
  const status = at(transaction, 'status') ?? undefined;
  const isOurs = id === toAirtelId(payout.operatorReference);
  return {
    isOurs,
    isAnother: id !== undefined && !isOurs,
    status: status === undefined || typeof status === 'string' ? status : 'garbled',
  };
}

/** A success with another id contradicts the reference that was sent; any other answer about it says nothing. */
function ofAnother(answer: Answered, form: AnswerForm, { status }: Subject): Verdict {
  const cause = 'an answer about another payout';
  const isSuccess = status === 'TS' && isOk(answer.status) && form.success === true;
  return isSuccess
    ? { kind: 'mismatch', contradicted: ['reference'], cause }
    : { kind: 'doubt', cause };
}

type Paid = Readonly<{
  form: AnswerForm;
  subject: Subject;
  payout: Payout;
  options: JudgeOptions;
}>;

function paid(answer: Answered, { form, subject, payout, options }: Paid): Verdict | undefined {
  if (subject.status !== 'TS' || !subject.isOurs || !isOk(answer.status)) return undefined;
  if (form.entry.meaning.kind !== 'paid' || form.success !== true) return undefined;
  const { confirmed, contradicted } = compareReported(answer.json, payout, options);
  if (contradicted.length > 0) {
    const cause = `TS, but of another ${contradicted.join(', ')} than was sent`;
    return { kind: 'mismatch', contradicted, cause };
  }
  // First the one id that submissions, inquiries and callbacks all contain.
  const operatorTransactionId =
    readTransactionId(textAt(form.transaction, 'airtel_money_id')) ??
    readTransactionId(textAt(form.transaction, 'reference_id'));
  return { kind: 'paid', operatorTransactionId, confirmed: ['reference', ...confirmed] };
}

type Judged = Readonly<{ form: AnswerForm; subject: Subject; options: JudgeOptions }>;

function refused(answer: Answered, { form, subject, options }: Judged): Verdict | undefined {
  if (!mayRefuse(answer.status)) return undefined;
  const { meaning } = form.entry;
  const saysFailed = subject.status === 'TF' && subject.isOurs;
  if (meaning.kind === 'paid') {
    const decides = options.purpose === 'inquire' && options.statusDecidesInquiry;
    if (!decides || !saysFailed || !isOk(answer.status)) return undefined;
    const cause = `TF, ${form.says}`;
    return { kind: 'refused', failure: 'OPERATOR_REJECTED', cause, keyIsSuspect: false };
  }
  if (meaning.kind !== 'refused') return undefined;
  const isRefused =
    options.purpose === 'inquire' ? saysFailed : refusesSubmission(answer, form, subject);
  if (!isRefused) return undefined;
  const { failure, keyIsSuspect = false } = meaning;
  return { kind: 'refused', failure, cause: form.says, keyIsSuspect };
}

function refusesSubmission(answer: Answered, form: AnswerForm, subject: Subject): boolean {
  const hasNoStatus = subject.status === undefined;
  if (form.source === 'gateway') return hasNoStatus && isClientError(answer.status);
  return form.success === false && (hasNoStatus || (subject.status === 'TF' && subject.isOurs));
}

/** The answers after which another inquiry follows: in process, or not found. */
function waiting(answer: Answered, { form, subject, options }: Judged): Verdict | undefined {
  const { kind } = form.entry.meaning;
  if (kind === 'notFound' && options.purpose === 'inquire') {
    const isPlain = subject.status === undefined || subject.status === 'TF';
    return isPlain && form.success !== true && mayRefuse(answer.status)
      ? { kind: 'notFound' }
      : undefined;
  }
  if (!isOk(answer.status)) return undefined;
  if (subject.status === 'TIP' && subject.isOurs) {
    return kind === 'pending' || kind === 'paid' ? { kind: 'pending' } : undefined;
  }
  // An answer to an inquiry without a status may be about the inquiry itself.
  const isSubmissionInProcess = kind === 'pending' && options.purpose === 'submit';
  return isSubmissionInProcess && subject.status === undefined ? { kind: 'pending' } : undefined;
}

function shown(answer: Answered, { status }: Subject): string {
  const isDocumented = status !== undefined && /^[A-Z]{2,3}$/.test(status);
  return `${isDocumented ? `${status}, ` : ''}${describe(answer)}`;
}
