import type { Behaviour, BookEntry, Payout } from './behaviour.ts';
import type { Chooser } from './choose-behaviour.ts';
import type { AcceptedEntry, Journal, JournalEntry, RepeatedEntry } from './journal.ts';
import type { Notice } from './plan-notices.ts';
import type { SubmissionLog, SubmissionRecord } from './submission-log.ts';
import type { SetTimer } from './timers.ts';

export type NoticeListener = (notice: Notice) => Promise<void>;

/** One payout and its progress. */
export type PayoutRecord = {
  readonly payout: Payout;
  /** Settles when its first journal lines are on disk. */
  stored: Promise<void>;
  executedAtMs: number | null;
  ended: boolean;
  /** Its submission was answered, or will never be answered. */
  answered: boolean;
  endSent: boolean;
  /** How many inquiries were answered with an end. */
  endsShown: number;
  /** How many inquiries came; counted where the behaviour is `alternating`. */
  inquiries: number;
  listener: NoticeListener | null;
};

export type BackendMemory = {
  readonly journal: Journal;
  readonly now: () => number;
  readonly setTimer: SetTimer;
  readonly timeScale: number;
  readonly operatorTransactionIdOf: (number: number) => string;
  readonly byId: Map<string, PayoutRecord>;
  readonly byReference: Map<string, PayoutRecord>;
  readonly book: BookEntry[];
  readonly spentMinor: Map<string, bigint>;
  readonly underWay: Set<Promise<void>>;
  readonly submissions: SubmissionLog;
  transactionsMade: number;
  /** Applies to every reference, also where a payout's behaviour says otherwise; multiplied by the time scale. */
  remembersForMs: number;
  closed: boolean;
};

/** A payout with `execute: 'never'` and no refusal was not accepted by the operator. */
export function isAccepted({ execute, refusal }: Behaviour): boolean {
  return execute !== 'never' || refusal !== null;
}

export function newRecord(payout: Payout): PayoutRecord {
  return {
    payout,
    stored: Promise.resolve(),
    executedAtMs: null,
    ended: false,
    answered: false,
    endSent: false,
    endsShown: 0,
    inquiries: 0,
    listener: null,
  };
}

export function storeRecord(memory: BackendMemory, record: PayoutRecord): void {
  memory.byId.set(record.payout.id, record);
  memory.byReference.set(record.payout.ourReference, record);
}

/** The payout that the operator recognises under a reference now. */
export function findRecord(memory: BackendMemory, ourReference: string): PayoutRecord | undefined {
  const record = memory.byReference.get(ourReference);
  if (record === undefined) return undefined;
  const { receivedAtMs, behaviour } = record.payout;
  const remembersForMs = Math.min(behaviour.remembersForMs, memory.remembersForMs);
  const forgottenAtMs = receivedAtMs + remembersForMs * memory.timeScale;
  return memory.now() < forgottenAtMs ? record : undefined;
}

export function submissionOf(
  entry: AcceptedEntry | RepeatedEntry,
  became: SubmissionRecord['became'],
): SubmissionRecord {
  const { ourReference, msisdn, amountMinor, currency, receivedAt: at } = entry;
  return { at, ourReference, msisdn, amountMinor, currency, became };
}

export function deductBalance(memory: BackendMemory, currency: string, amountMinor: bigint): void {
  memory.spentMinor.set(currency, (memory.spentMinor.get(currency) ?? 0n) + amountMinor);
}

/**
 * Runs work that no caller awaits. A failure is an unhandled rejection that ends the process, because an
 * operator whose journal is lost must not go on.
 */
export function inBackground(memory: BackendMemory, work: Promise<void>): void {
  const tracked = work.finally(() => memory.underWay.delete(tracked));
  memory.underWay.add(tracked);
}

/** Runs `work` after `delayMs` real milliseconds, unless the backend has closed by then. */
export function later(memory: BackendMemory, work: () => Promise<void>, delayMs: number): void {
  memory.setTimer(
    () => {
      if (!memory.closed) inBackground(memory, work());
    },
    Math.max(0, delayMs),
  );
}

/** Restores the state that earlier runs wrote, so that a killed operator still has its payouts. */
export function replayJournal(memory: BackendMemory, chooser: Chooser): void {
  for (const entry of memory.journal.earlier) replayEntry(memory, chooser, entry);
}

function replayEntry(memory: BackendMemory, chooser: Chooser, entry: JournalEntry): void {
  const record = memory.byId.get(entry.payoutId);
  switch (entry.kind) {
    case 'accepted':
      memory.transactionsMade += 1;
      chooser.countEarlier(entry.msisdn);
      memory.submissions.add(
        submissionOf(entry, isAccepted(entry.behaviour) ? 'taken' : 'notTaken'),
      );
      if (isAccepted(entry.behaviour)) storeRecord(memory, replayedRecord(entry));
      return;
    case 'repeated':
      memory.submissions.add(submissionOf(entry, 'duplicate'));
      return;
    case 'executed':
      if (record === undefined) throw new Error(`executed but never accepted: ${entry.payoutId}`);
      // The second payment of a payout has its own transaction id.
      if (record.executedAtMs !== null) memory.transactionsMade += 1;
      record.executedAtMs = Date.parse(entry.book.executedAt);
      memory.book.push(entry.book);
      deductBalance(memory, entry.book.currency, BigInt(entry.book.amountMinor));
      return;
    case 'ended':
      if (record === undefined) throw new Error(`ended but never accepted: ${entry.payoutId}`);
      record.ended = true;
      record.endSent = true;
      return;
    default: {
      const unhandled: never = entry;
      throw new Error(`unhandled entry ${String(unhandled)}`);
    }
  }
}

function replayedRecord(entry: AcceptedEntry): PayoutRecord {
  const { payoutId, kind: _, amountMinor, receivedAt, ...rest } = entry;
  const receivedAtMs = Date.parse(receivedAt);
  const payout = { ...rest, id: payoutId, amountMinor: BigInt(amountMinor), receivedAtMs };
  return { ...newRecord(payout), answered: true };
}
