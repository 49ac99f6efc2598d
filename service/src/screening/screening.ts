import { createHash } from 'node:crypto';
import type { ScreeningDecision } from './read-decision.ts';

/** One question about one transfer, as one rule asks it. */
export type ScreeningKey = Readonly<{ bookId: string; transferId: string; rule: string }>;

/** A question with its answer, and what was sent and came back. */
export type Screening = Readonly<{
  rule: string;
  screener: string;
  /** Null: there is no answer yet, or none is waited for any more. */
  decision: ScreeningDecision | null;
  reason: string | null;
  createdAt: Date;
  decidedAt: Date | null;
  attempts: readonly ScreeningAttempt[];
}>;

type ScreeningAttempt = Readonly<{
  at: Date;
  elapsedMs: number;
  status: number | null;
  error: string | null;
  answer: string | null;
  decision: ScreeningDecision;
}>;

/** Long enough for the longest deadline and for recording its answer. Then another process may ask again. */
export const SCREENING_LEASE_MS = 30_000;

/** How often a question is begun when processes die before they record an answer. */
export const SCREENING_ATTEMPTS_MAX = 3;

/** The id of the question, the same each time it is asked, so that a screener can recognise it. */
export function screeningId({ bookId, transferId, rule }: ScreeningKey): string {
  const hash = createHash('sha256').update(`${bookId}\n${transferId}\n${rule}`).digest('hex');
  return `scr_${hash.slice(0, 32)}`;
}
