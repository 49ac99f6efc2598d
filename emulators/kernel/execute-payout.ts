import { randomUUID } from 'node:crypto';
import { actualOutcome, endsAtMs } from './answer-inquiry.ts';
import { type BackendMemory, deductBalance, later, type PayoutRecord } from './backend-memory.ts';
import type { BookEntry, Payout } from './behaviour.ts';
import type { ExecutedEntry, JournalEntry } from './journal.ts';
import { type Notice, type NoticePlan, planNotices } from './plan-notices.ts';

/** Writes entries before it adds their payments to the book, so that every payment in the book is on disk. */
export async function writeEntries(
  memory: BackendMemory,
  entries: readonly JournalEntry[],
): Promise<void> {
  await memory.journal.append(entries);
  for (const entry of entries) if (entry.kind === 'executed') memory.book.push(entry.book);
}

export function nextTransactionId(memory: BackendMemory): string {
  memory.transactionsMade += 1;
  return memory.operatorTransactionIdOf(memory.transactionsMade);
}

/** Moves the money and returns the journal entries, which the caller must write. */
export function execute(
  memory: BackendMemory,
  record: PayoutRecord,
  times: number,
): ExecutedEntry[] {
  const { payout } = record;
  if (times === 0) return [];
  record.executedAtMs = memory.now();
  deductBalance(memory, payout.currency, payout.amountMinor * BigInt(times));
  return Array.from({ length: times }, (_, index) => {
    const transactionId = index === 0 ? payout.operatorTransactionId : nextTransactionId(memory);
    return {
      kind: 'executed',
      payoutId: payout.id,
      book: bookEntry(memory, payout, transactionId),
    };
  });
}

function bookEntry(
  memory: BackendMemory,
  payout: Payout,
  operatorTransactionId: string,
): BookEntry {
  return {
    ourReference: payout.ourReference,
    msisdn: payout.msisdn,
    amountMinor: String(payout.amountMinor),
    currency: payout.currency,
    receivedAt: new Date(payout.receivedAtMs).toISOString(),
    executedAt: new Date(memory.now()).toISOString(),
    operatorTransactionId,
    behaviour: payout.behaviourName,
  };
}

function isWaitingForExecution({ payout, executedAtMs }: PayoutRecord): boolean {
  return payout.behaviour.execute === 'late' && executedAtMs === null;
}

/** Sets the timer for the payout's next step: its late execution or its end. */
export function scheduleNextStep(memory: BackendMemory, record: PayoutRecord): void {
  if (record.ended) return;
  const { receivedAtMs, behaviour } = record.payout;
  const isWaiting = isWaitingForExecution(record);
  const dueAtMs = isWaiting
    ? receivedAtMs + behaviour.lateMs * memory.timeScale
    : endsAtMs(memory, record);
  const next = isWaiting ? executeLate : end;
  later(memory, () => next(memory, record), dueAtMs - memory.now());
}

async function executeLate(memory: BackendMemory, record: PayoutRecord): Promise<void> {
  if (!isWaitingForExecution(record)) return;
  await writeEntries(memory, execute(memory, record, 1));
  scheduleNextStep(memory, record);
}

/** Executes late payouts now. */
export async function flush(memory: BackendMemory): Promise<number> {
  const waiting = [...memory.byId.values()].filter(isWaitingForExecution);
  await writeEntries(
    memory,
    waiting.flatMap((record) => execute(memory, record, 1)),
  );
  for (const record of waiting) scheduleNextStep(memory, record);
  return waiting.length;
}

async function end(memory: BackendMemory, record: PayoutRecord): Promise<void> {
  const { id, behaviour } = record.payout;
  const endedAt = new Date(memory.now()).toISOString();
  await writeEntries(memory, [
    { kind: 'ended', payoutId: id, end: actualOutcome(behaviour), endedAt },
  ]);
  record.ended = true;
  sendEndNotices(memory, record);
}

export function noticesOf({ payout }: PayoutRecord): NoticePlan {
  return planNotices({
    callback: payout.behaviour.callback,
    ourReference: payout.ourReference,
    end: actualOutcome(payout.behaviour),
    inventedReference: randomUUID(),
  });
}

export async function sendNotices(
  memory: BackendMemory,
  record: PayoutRecord,
  notices: readonly Notice[],
): Promise<void> {
  for (const notice of notices) if (!memory.closed) await record.listener?.(notice);
}

/** Sends them once, as soon as the payout has ended, its submission was answered and a listener is registered. */
export function sendEndNotices(memory: BackendMemory, record: PayoutRecord): void {
  if (!record.ended || !record.answered || record.listener === null || record.endSent) return;
  record.endSent = true;
  const { atEnd, delayMs } = noticesOf(record);
  if (atEnd.length === 0) return;
  later(memory, () => sendNotices(memory, record, atEnd), delayMs * memory.timeScale);
}
