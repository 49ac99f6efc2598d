import { randomUUID } from 'node:crypto';
import { type AccountName, accountName } from './account-name.ts';
import {
  type Inquiry,
  inquire,
  type PayoutStatus,
  refusalOf,
  reportOf,
  statusOf,
} from './answer-inquiry.ts';
import {
  type BackendMemory,
  inBackground,
  isTaken,
  type NoticeListener,
  newRecord,
  type PayoutRecord,
  recall,
  remember,
  replayJournal,
  submissionOf,
} from './backend-memory.ts';
import type { Behaviour, BookEntry, JsonValue, Payout } from './behaviour.ts';
import {
  arm,
  execute,
  flush,
  nextTransactionId,
  noticesOf,
  tell,
  tellEnd,
  writeDown,
} from './carry-out.ts';
import type { Chooser } from './choose-behaviour.ts';
import type { AcceptedEntry, Journal, RepeatedEntry } from './journal.ts';
import { PRESETS } from './presets.ts';
import {
  createSubmissionLog,
  type SubmissionRecord,
  type SubmissionViolation,
} from './submission-log.ts';
import type { SetTimer } from './timers.ts';

export type Submission = Readonly<{
  ourReference: string;
  /** Digits with the country code. */
  msisdn: string;
  amountMinor: bigint;
  currency: string;
  extra?: Readonly<Record<string, JsonValue>>;
  /** Where the protocol never shows an end at once. */
  pendingMsMin?: number;
  /** A sandbox's own number decides, and not the chooser. */
  steered?: NamedBehaviour;
}>;

type Ordered = Pick<Submission, 'ourReference' | 'msisdn' | 'amountMinor' | 'currency'>;

export type NamedBehaviour = Readonly<{ name: string; behaviour: Behaviour }>;

type Submitted = Readonly<{ kind: 'duplicate' | 'taken'; payout: Payout }>;

export type OperatorBackend = Readonly<{
  /** Resolves when all that was decided is on the disk. */
  submit(submission: Submission): Promise<Submitted>;
  /** Writes down a duplicate that the protocol knew without the backend. */
  noteDuplicate(submission: Ordered): Promise<void>;
  /** Every submission that came: those that were lost, and the duplicates. */
  submissions(): readonly SubmissionRecord[];
  /** References that came again with another number, amount or currency. */
  violations(): readonly SubmissionViolation[];
  /** How long it recognises any reference, from when it took the payout; multiplied by the pace. */
  setMemory(remembersForMs: number): void;
  /** The latest payout that it recognises under that reference, even while inquiries do not know it yet. */
  find(ourReference: string): Payout | undefined;
  /** As an inquiry would see it now, without being one. */
  statusOf(payout: Payout): PayoutStatus;
  /** Asks, and counts as asking: a contradictory payout says another thing the second time. */
  inquire(payout: Payout): Inquiry;
  /** Amount and number as this operator reports them, in inquiries and callbacks. */
  reportOf(payout: Payout): Readonly<{ amountMinor: bigint; msisdn: string }>;
  /** Why it failed, or would: a word of `refusal-words.ts` or a code. */
  refusalOf(payout: Payout): string;
  /**
   * The listener sends the payout's callbacks, each when it is due. Wait for it before answering: a
   * callback that comes before the answer is sent inside.
   */
  onEnd(payout: Payout, listener: NoticeListener): Promise<void>;
  /** The submission's answer has left, or never will: callbacks may go out. */
  answered(payout: Payout): void;
  /** Payouts that have not ended: after a start, those whose callbacks are still to come. */
  open(): readonly Payout[];
  /** Every payment that was made, as far as it is on the disk. */
  book(): readonly BookEntry[];
  /** Executes now what would be executed late. Answers how many. */
  flush(): Promise<number>;
  accountName(msisdn: string): AccountName | null;
  /** What is left of the float in that currency. */
  balanceMinor(currency: string): bigint;
  /** Lets nothing new begin and waits for what is being written. */
  close(): Promise<void>;
}>;

export type BackendOptions = Readonly<{
  journal: Journal;
  chooser: Chooser;
  now: () => number;
  setTimer: SetTimer;
  /** All times are multiplied by it: 1 is real time, 0.01 a hundred times faster. */
  pace: number;
  /** False: the same reference again is another payout. */
  deduplicates?: boolean;
  /** In the beginning, in every currency. */
  floatMinor?: bigint;
  /** How the operator numbers what it executes, from a number that counts up. */
  operatorTransactionIdOf?: (number: number) => string;
}>;

const FLOAT_MINOR_DEFAULT = 100_000_000_000n;
const FIRST_TRANSACTION_NUMBER = 300_000_000;
const EXECUTIONS = { once: 1, twice: 2, late: 0, never: 0 } as const;

/** The operator's memory: what it took, what it paid, and what it says about it. */
export function createBackend(options: BackendOptions): OperatorBackend {
  const { chooser, deduplicates = true, floatMinor = FLOAT_MINOR_DEFAULT } = options;
  const memory = openMemory(options);
  const balanceMinor = (currency: string): bigint =>
    floatMinor - (memory.spentMinor.get(currency) ?? 0n);
  return {
    async submit(submission) {
      const known = deduplicates ? recall(memory, submission.ourReference) : undefined;
      if (known !== undefined) {
        await known.stored;
        await noteDuplicate(memory, submission);
        return { kind: 'duplicate', payout: known.payout };
      }
      const chosen = chooseFor(submission, chooser, balanceMinor(submission.currency));
      return { kind: 'taken', payout: await take(memory, submission, chosen) };
    },
    noteDuplicate: (submission) => noteDuplicate(memory, submission),
    submissions: () => memory.submissions.all(),
    violations: () => memory.submissions.violations(),
    setMemory(remembersForMs) {
      memory.remembersForMs = remembersForMs;
    },
    find: (ourReference) => recall(memory, ourReference)?.payout,
    statusOf: (payout) => statusOf(memory, payout),
    inquire: (payout) => inquire(memory, payout),
    reportOf,
    refusalOf,
    onEnd: (payout, listener) => listen(memory, payout, listener),
    answered: (payout) => letCallbacksGo(memory, payout),
    open: () => [...memory.byId.values()].filter(({ ended }) => !ended).map(({ payout }) => payout),
    book: () => [...memory.book],
    flush: () => flush(memory),
    accountName,
    balanceMinor,
    async close() {
      memory.closed = true;
      await Promise.allSettled(memory.underWay);
    },
  };
}

function openMemory(options: BackendOptions): BackendMemory {
  const { journal, chooser, now, setTimer, pace } = options;
  const memory: BackendMemory = {
    journal,
    now,
    setTimer,
    pace,
    operatorTransactionIdOf:
      options.operatorTransactionIdOf ?? ((number) => String(FIRST_TRANSACTION_NUMBER + number)),
    byId: new Map(),
    byReference: new Map(),
    book: [],
    spentMinor: new Map(),
    underWay: new Set(),
    submissions: createSubmissionLog(),
    transactionsMade: 0,
    remembersForMs: Number.POSITIVE_INFINITY,
    closed: false,
  };
  replayJournal(memory, chooser);
  for (const record of memory.byId.values()) arm(memory, record);
  return memory;
}

function chooseFor(
  { msisdn, amountMinor, steered }: Submission,
  chooser: Chooser,
  balanceMinor: bigint,
): NamedBehaviour {
  if (steered !== undefined) return steered;
  const chosen = chooser.choose(msisdn);
  if (chosen.source === 'default' && accountName(msisdn) === null) {
    return { name: 'reject', behaviour: PRESETS.reject };
  }
  if (chosen.behaviour.execute === 'never' || amountMinor <= balanceMinor) return chosen;
  const refused = { execute: 'never', refusal: 'float-insufficient' } as const;
  return { name: 'float-insufficient', behaviour: { ...chosen.behaviour, ...refused } };
}

/** Known from its first moment on, so that the same reference at the same time finds it. */
async function take(
  memory: BackendMemory,
  submission: Submission,
  { name, behaviour }: NamedBehaviour,
): Promise<Payout> {
  const { extra = {}, pendingMsMin = 0, steered: _, ...rest } = submission;
  const record = newRecord({
    ...rest,
    id: randomUUID(),
    extra,
    receivedAtMs: memory.now(),
    pendingMs: Math.max(behaviour.pendingMs, pendingMsMin),
    operatorTransactionId: nextTransactionId(memory),
    behaviour,
    behaviourName: name,
  });
  const entry = acceptedEntry(record.payout);
  memory.submissions.add(submissionOf(entry, isTaken(behaviour) ? 'taken' : 'notTaken'));
  if (isTaken(behaviour)) remember(memory, record);
  const paid = execute(memory, record, EXECUTIONS[behaviour.execute]);
  record.stored = writeDown(memory, [entry, ...paid]);
  await record.stored;
  if (isTaken(behaviour)) arm(memory, record);
  return record.payout;
}

async function noteDuplicate(
  memory: BackendMemory,
  { ourReference, msisdn, amountMinor, currency }: Ordered,
): Promise<void> {
  const entry: RepeatedEntry = {
    kind: 'repeated',
    payoutId: recall(memory, ourReference)?.payout.id ?? '',
    ourReference,
    msisdn,
    amountMinor: String(amountMinor),
    currency,
    receivedAt: new Date(memory.now()).toISOString(),
  };
  memory.submissions.add(submissionOf(entry, 'duplicate'));
  await writeDown(memory, [entry]);
}

function acceptedEntry({ id, amountMinor, receivedAtMs, ...rest }: Payout): AcceptedEntry {
  return {
    kind: 'accepted',
    payoutId: id,
    ...rest,
    amountMinor: String(amountMinor),
    receivedAt: new Date(receivedAtMs).toISOString(),
  };
}

async function listen(
  memory: BackendMemory,
  payout: Payout,
  listener: NoticeListener,
): Promise<void> {
  const record = memory.byId.get(payout.id);
  if (record === undefined) return;
  record.listener = listener;
  if (!record.answered) await tell(memory, record, noticesOf(record).beforeAnswer);
  tellEnd(memory, record);
}

function letCallbacksGo(memory: BackendMemory, payout: Payout): void {
  const record: PayoutRecord | undefined = memory.byId.get(payout.id);
  if (record === undefined || record.answered) return;
  record.answered = true;
  inBackground(memory, tell(memory, record, noticesOf(record).afterAnswer));
  tellEnd(memory, record);
}
