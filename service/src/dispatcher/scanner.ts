import type { NextStep } from '../domain/next-step.ts';
import type { Transfer } from '../domain/transfer.ts';
import type { Routes } from '../operators/connector.ts';
import type { Database } from '../postgres/database.ts';
import type { GroupCommit } from '../postgres/group-commit.ts';
import type { Logger } from '../telemetry/logger.ts';
import { claimDue, firstBook } from '../transfers/claim-due.ts';
import { LEASE_MS } from '../transfers/lease.ts';
import type { Move } from '../transfers/move-transfers.ts';
import type { Dispatcher } from './dispatcher.ts';
import type { Places } from './places.ts';

/** How often due transfers are looked for when nothing hints at any. */
const SCAN_INTERVAL_MS = 200;
/** One bite of a claim; small, so that other books and other processes get their turn. */
const CLAIM_MAX = 1_000;

export type ScannerDeps = Readonly<{
  database: Database;
  moves: GroupCommit<Move, boolean>;
  dispatcher: Pick<Dispatcher, 'submit' | 'inquire'>;
  giveToPerson: (transfer: Transfer) => Promise<void>;
  routes: Routes;
  places: Places;
  leaseOwner: string;
  logger: Logger;
}>;

export type Scanner = Readonly<{ start(): void; stop(): Promise<void> }>;

/**
 * Finds transfers whose time has come: queued ones, ones to be asked about, and ones whose process
 * died. What it takes over in `submitting` may have been sent: it asks, and never submits blindly.
 */
export function createScanner(deps: ScannerDeps): Scanner {
  let stopping = false;
  let timer: NodeJS.Timeout | undefined;
  let scan: Promise<void> = Promise.resolve();
  let book = firstBook();

  async function scanOnce(): Promise<void> {
    // A full round over all books, or until no place is left.
    do {
      // Half of what is free: the other half stays for transfers that are just arriving.
      const max = Math.min(CLAIM_MAX, Math.floor(deps.places.free() / 2));
      if (max === 0 || stopping) return;
      const claim = await claimDue(deps.database, {
        leaseOwner: deps.leaseOwner,
        afterBook: book,
        max,
      });
      for (const transfer of claim.transfers) deps.places.take(transfer.bookId);
      await Promise.all(claim.transfers.map((transfer) => act(deps, transfer)));
      book = claim.nextBook;
      if (claim.transfers.length === 0 && book === firstBook()) return;
    } while (!stopping);
  }

  function schedule(): void {
    if (stopping) return;
    timer = setTimeout(() => {
      scan = scanOnce()
        .catch((error: unknown) => deps.logger.warn({ err: error }, 'scan failed, trying again'))
        .finally(schedule);
    }, SCAN_INTERVAL_MS);
  }

  return {
    start: schedule,
    async stop() {
      stopping = true;
      clearTimeout(timer);
      await scan;
    },
  };
}

/** Acts on one claimed transfer. Whatever goes wrong, its lease runs out and it is found again. */
async function act(deps: ScannerDeps, transfer: Transfer): Promise<void> {
  const mayInquire = deps.routes.find(transfer)?.connector.abilities.inquires === true;
  if (transfer.state !== 'queued' && mayInquire) return deps.dispatcher.inquire(transfer);
  let onItsWay = false;
  try {
    if (transfer.state === 'queued') onItsWay = await leaveQueue(deps, transfer);
    else await deps.giveToPerson(transfer);
  } catch (error) {
    deps.logger.warn({ transferId: transfer.id, err: error }, 'claimed transfer left to its lease');
  }
  if (onItsWay) deps.dispatcher.submit({ ...transfer, state: 'submitting' });
  else deps.places.release(transfer.bookId);
}

/** False: cancelled in the meantime. */
async function leaveQueue(deps: ScannerDeps, transfer: Transfer): Promise<boolean> {
  const step: NextStep = { ...LEAVE_QUEUE, checks: transfer.checks };
  return deps.moves.submit({
    transfer,
    step,
    actor: 'dispatcher',
    needsLease: true,
    leaseFor: deps.leaseOwner,
  });
}

const LEAVE_QUEUE: NextStep = {
  to: 'submitting',
  cause: 'its turn came',
  failure: null,
  operatorTransactionId: null,
  nextActionInMs: LEASE_MS,
  checks: 0,
  notFoundAnswers: 0,
  needsPerson: false,
};
