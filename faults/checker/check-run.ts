import { checkAnswers } from './check-answers.ts';
import { checkAttempts } from './check-attempts.ts';
import { checkBankReads } from './check-bank-reads.ts';
import { checkBooks } from './check-books.ts';
import { checkBounds } from './check-bounds.ts';
import { checkControls } from './check-controls.ts';
import { checkEnds } from './check-ends.ts';
import { checkEvents } from './check-events.ts';
import { checkEvidence } from './check-evidence.ts';
import { checkFeed } from './check-feed.ts';
import { checkHistory } from './check-history.ts';
import { checkHolds } from './check-holds.ts';
import { checkIsolation } from './check-isolation.ts';
import { checkLedger } from './check-ledger.ts';
import { checkLimits } from './check-limits.ts';
import { checkModes } from './check-modes.ts';
import { checkResubmissions } from './check-resubmissions.ts';
import { checkSecrecy } from './check-secrecy.ts';
import { checkShownTransfers } from './check-shown-transfers.ts';
import { checkTenancy } from './check-tenancy.ts';
import { checkWindows } from './check-windows.ts';
import type { Journals } from './read-journals.ts';
import { findShownTransfers } from './shown-transfers.ts';
import type { Snapshot } from './snapshot.ts';
import { splitBulk } from './split-bulk.ts';
import { type Found, report, type Violation } from './violation.ts';

export type RunReport = Readonly<{
  violations: readonly Violation[];
  /** How much was checked: an empty run proves nothing. */
  seen: Readonly<{
    exchanges: number;
    answered: number;
    accepted: number;
    transfers: number;
    postings: number;
    bankReads: number;
    samples: number;
    probes: number;
    deliveries: number;
  }>;
  /** Transfers in doubt that only a person can end. */
  flagged: number;
  /** The number of payments that the operators executed. */
  paid: number;
}>;

/** Checks all invariants of a run. */
export function checkRun(snapshot: Snapshot, journals: Journals): RunReport {
  const found: Found = [];
  const calls = journals.exchanges.flatMap(splitBulk);
  const allCalls = [...calls, ...journals.steady];
  const shownTransfers = findShownTransfers(allCalls);
  checkLedger(snapshot, found);
  checkBankReads(journals.bankReads, found);
  checkHolds(snapshot, found);
  checkHistory(snapshot, found);
  checkEnds(snapshot, journals.exchanges, found);
  checkShownTransfers(snapshot, shownTransfers, found);
  const { facts, books, received, attacks, exchanges, leaks, lateEndpoints } = journals;
  const isLimited = facts.dailyLimitMinor !== null;
  checkAnswers(snapshot, { exchanges: allCalls, isLimited, books: facts.books }, found);
  checkBooks(snapshot, { books, facts }, found);
  checkModes(snapshot, { facts, books }, found);
  checkEvidence(snapshot, attacks, found);
  checkAttempts(snapshot, { books, clockMoved: facts.clockMoved, attacks }, found);
  checkResubmissions(snapshot, { books, facts }, found);
  checkEvents(snapshot, { facts, received, lateEndpoints }, found);
  checkWindows(snapshot, { windows: journals.windows, calls, books, facts }, found);
  checkIsolation(snapshot, journals, found);
  checkLimits(snapshot, facts, found);
  checkControls(snapshot, { facts: facts.controls, controls: journals.controls, received }, found);
  checkFeed({ exchanges, publicEvents: journals.publicEvents, books: facts.books }, found);
  checkTenancy(journals.probes, found);
  checkBounds(snapshot, journals.samples, found);
  checkSecrecy(
    { leaks, exchanges: [...exchanges, ...journals.steady], canaries: facts.canaries },
    found,
  );
  const seen = {
    exchanges: journals.exchanges.length,
    answered: journals.exchanges.filter(({ answered }) => answered !== undefined).length,
    accepted: shownTransfers.filter(({ how }) => how === 'accepted').length,
    transfers: snapshot.transfers.length,
    postings: snapshot.postings.length,
    bankReads: journals.bankReads.length,
    samples: journals.samples.length,
    probes: journals.probes.length,
    deliveries: received.length,
  };
  const paid = books.reduce((sum, { executed }) => sum + executed.length, 0);
  for (const [name, count] of Object.entries(seen)) {
    if (count === 0)
      report(found, 'evidence', {}, `there are no ${name}, so the run proves nothing`);
  }
  const flagged = snapshot.transfers.filter(({ flaggedAt }) => flaggedAt !== null).length;
  return { violations: found, seen, flagged, paid };
}
