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
  findRecord,
  inBackground,
  isAccepted,
  type NoticeListener,
  newRecord,
  type PayoutRecord,
  replayJournal,
  storeRecord,
  submissionOf,
} from './backend-memory.ts';
import type { Behaviour, BookEntry, JsonValue, Payout } from './behaviour.ts';
import type { Chooser } from './choose-behaviour.ts';
import {
  execute,
  flush,
  nextTransactionId,
  noticesOf,
  scheduleNextStep,
  sendEndNotices,
  sendNotices,
  writeEntries,
} from './execute-payout.ts';
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
  /** For protocols that never show an end at once. */
  pendingMsMin?: number;
  /** Set when a sandbox number decides the behaviour instead of the chooser. */
  steered?: NamedBehaviour;
}>;

type Ordered = Pick<Submission, 'ourReference' | 'msisdn' | 'amountMinor' | 'currency'>;

export type NamedBehaviour = Readonly<{ name: string; behaviour: Behaviour }>;

type Submitted = Readonly<{ kind: 'duplicate' | 'taken'; payout: Payout }>;

export type OperatorBackend = Readonly<{
  /** Resolves when the decision is on disk. */
  submit(submission: Submission): Promise<Submitted>;
  /** Records a duplicate that the protocol detected without the backend. */
  recordDuplicate(submission: Ordered): Promise<void>;
  /** Every submission that arrived, including lost ones and duplicates. */
  submissions(): readonly SubmissionRecord[];
  /** References that came again with another number, amount or currency. */
  violations(): readonly SubmissionViolation[];
  /** Sets how long references are recognised after their payouts were accepted; multiplied by the time scale. */
  setMemory(remembersForMs: number): void;
  /** The latest payout recognised under that reference, even while inquiries do not find it yet. */
  find(ourReference: string): Payout | undefined;
  /** What an inquiry would see now, without counting as one. */
  statusOf(payout: Payout): PayoutStatus;
  /** Counts as an inquiry: a contradictory payout answers differently the second time. */
  inquire(payout: Payout): Inquiry;
  /** Amount and number as this operator reports them, in inquiries and callbacks. */
  reportOf(payout: Payout): Readonly<{ amountMinor: bigint; msisdn: string }>;
  /** Why it failed, or would: a word of `refusal-words.ts` or a code. */
  refusalOf(payout: Payout): string;
  /**
   * The listener sends the payout's callbacks, each when it is due. Await this call before answering,
   * because early callbacks are sent during it.
   */
  onEnd(payout: Payout, listener: NoticeListener): Promise<void>;
  /** The submission was answered, or will never be: callbacks may be sent. */
  answered(payout: Payout): void;
  /** Payouts that have not ended; after a restart, those whose callbacks are still to be sent. */
  open(): readonly Payout[];
  /** Every payment that is on disk. */
  book(): readonly BookEntry[];
  /** Executes late payouts now. Returns how many. */
  flush(): Promise<number>;
  accountName(msisdn: string): AccountName | null;
  /** The remaining float in that currency. */
  balanceMinor(currency: string): bigint;
  /** Starts no new work and waits for pending writes. */
  close(): Promise<void>;
}>;

export type BackendOptions = Readonly<{
  journal: Journal;
  chooser: Chooser;
  now: () => number;
  setTimer: SetTimer;
  /** All times are multiplied by it: 1 is real time, 0.01 is a hundred times faster. */
  timeScale: number;
  /** False: the same reference again is a new payout. */
  deduplicates?: boolean;
  /** The initial float in every currency. */
  floatMinor?: bigint;
  /** Makes the operator's transaction id from a counter. */
  operatorTransactionIdOf?: (number: number) => string;
}>;

const FLOAT_MINOR_DEFAULT = 100_000_000_000n;
const FIRST_TRANSACTION_NUMBER = 300_000_000;
const EXECUTIONS = { once: 1, twice: 2, late: 0, never: 0 } as const;

/** The state of an operator: what it accepted, what it paid, and what it reports. */
export function createBackend(options: BackendOptions): OperatorBackend {
  const { chooser, deduplicates = true, floatMinor = FLOAT_MINOR_DEFAULT } = options;
  const memory = openMemory(options);
  const balanceMinor = (currency: string): bigint =>
    floatMinor - (memory.spentMinor.get(currency) ?? 0n);
  return {
    async submit(submission) {
      const known = deduplicates ? findRecord(memory, submission.ourReference) : undefined;
      if (known !== undefined) {
        await known.stored;
        await recordDuplicate(memory, submission);
        return { kind: 'duplicate', payout: known.payout };
      }
      const chosen = chooseFor(submission, chooser, balanceMinor(submission.currency));
      return { kind: 'taken', payout: await take(memory, submission, chosen) };
    },
    recordDuplicate: (submission) => recordDuplicate(memory, submission),
    submissions: () => memory.submissions.all(),
    violations: () => memory.submissions.violations(),
    setMemory(remembersForMs) {
      memory.remembersForMs = remembersForMs;
    },
    find: (ourReference) => findRecord(memory, ourReference)?.payout,
    statusOf: (payout) => statusOf(memory, payout),
    inquire: (payout) => inquire(memory, payout),
    reportOf,
    refusalOf,
    onEnd: (payout, listener) => listen(memory, payout, listener),
    answered: (payout) => releaseCallbacks(memory, payout),
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
  const { journal, chooser, now, setTimer, timeScale } = options;
  const memory: BackendMemory = {
    journal,
    now,
    setTimer,
    timeScale,
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
  for (const record of memory.byId.values()) scheduleNextStep(memory, record);
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

/** Registers the payout before it awaits anything, so that a concurrent submission of the same reference finds it. */
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
  memory.submissions.add(submissionOf(entry, isAccepted(behaviour) ? 'taken' : 'notTaken'));
  if (isAccepted(behaviour)) storeRecord(memory, record);
  const paid = execute(memory, record, EXECUTIONS[behaviour.execute]);
  record.stored = writeEntries(memory, [entry, ...paid]);
  await record.stored;
  if (isAccepted(behaviour)) scheduleNextStep(memory, record);
  return record.payout;
}

async function recordDuplicate(
  memory: BackendMemory,
  { ourReference, msisdn, amountMinor, currency }: Ordered,
): Promise<void> {
  const entry: RepeatedEntry = {
    kind: 'repeated',
    payoutId: findRecord(memory, ourReference)?.payout.id ?? '',
    ourReference,
    msisdn,
    amountMinor: String(amountMinor),
    currency,
    receivedAt: new Date(memory.now()).toISOString(),
  };
  memory.submissions.add(submissionOf(entry, 'duplicate'));
  await writeEntries(memory, [entry]);
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
  if (!record.answered) await sendNotices(memory, record, noticesOf(record).beforeAnswer);
  sendEndNotices(memory, record);
}

function releaseCallbacks(memory: BackendMemory, payout: Payout): void {
  const record: PayoutRecord | undefined = memory.byId.get(payout.id);
  if (record === undefined || record.answered) return;
  record.answered = true;
  inBackground(memory, sendNotices(memory, record, noticesOf(record).afterAnswer));
  sendEndNotices(memory, record);
}
