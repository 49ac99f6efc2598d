import type { Outcome } from '../domain/outcome.ts';
import type { Transfer } from '../domain/transfer.ts';
import type { Payout, Route, Routes } from '../operators/connector.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { Admission } from '../transfers/initiate-transfer.ts';
import { LEASE_MARGIN_MS, LEASE_MS } from '../transfers/lease.ts';
import {
  type RecordDeps,
  type Recorded,
  recordOutcome,
  recordUnaskable,
} from '../transfers/record-outcome.ts';
import type { Places } from './places.ts';

/** How often an answer is offered to a database that does not take it, and how patiently. */
const RECORD_TRIES_MAX = 12;
const RECORD_RETRY_FIRST_MS = 200;
const RECORD_RETRY_MAX_MS = 10_000;

export type DispatcherDeps = RecordDeps &
  Readonly<{
    routes: Routes;
    places: Places;
    logger: Logger;
    monotonicMs: () => number;
    wait: (ms: number) => Promise<void>;
    observe: (
      answer: Readonly<{ transfer: Transfer; outcome: Outcome; recorded: Recorded }>,
    ) => void;
  }>;

export type Dispatcher = Admission &
  Readonly<{
    /** Submits a transfer that was moved from the queue to submitting, in a taken place. */
    submit(transfer: Transfer): void;
    /** Asks the operator about a transfer whose lease was taken over, in a taken place. */
    inquire(transfer: Transfer): void;
    /** Resolves when nothing is on its way any more. */
    idle(): Promise<void>;
  }>;

/**
 * Takes transfers to their operators and records what the answers mean. It holds no transaction while
 * it waits, and it never throws: whatever happens becomes an outcome.
 */
export function createDispatcher(deps: DispatcherDeps): Dispatcher {
  const underWay = new Set<Promise<void>>();

  function run(transfer: Transfer, ask: (route: Route) => Promise<Outcome | undefined>): void {
    const work = carry(deps, transfer, ask)
      .catch((error: unknown) => {
        // The lease runs out by itself, and then the scanner asks what became of the transfer.
        deps.logger.error({ transferId: transfer.id, err: error }, 'transfer left to its lease');
      })
      .finally(() => {
        deps.places.release(transfer.bookId);
        underWay.delete(work);
      });
    underWay.add(work);
  }

  function submit(transfer: Transfer): void {
    const leaseEndsMs = deps.monotonicMs() + LEASE_MS;
    run(transfer, async (route) => {
      // After a pause of the process the lease may be somebody else's: then they ask, and nobody sends.
      if (deps.monotonicMs() > leaseEndsMs - LEASE_MARGIN_MS) return undefined;
      return route.connector.submit(toPayout(transfer));
    });
  }

  return {
    reserve: (bookId) => deps.places.reserve(bookId),
    release: (bookId) => deps.places.release(bookId),
    dispatch: submit,
    submit,
    inquire(transfer) {
      const { checks } = transfer;
      run(transfer, (route) => route.connector.inquire(toPayout(transfer), { checks }));
    },
    async idle() {
      while (underWay.size > 0) await Promise.allSettled(underWay);
    },
  };
}

async function carry(
  deps: DispatcherDeps,
  transfer: Transfer,
  ask: (route: Route) => Promise<Outcome | undefined>,
): Promise<void> {
  const route = deps.routes.find(transfer);
  if (route === undefined) throw new Error(`no route for ${transfer.operator} ${transfer.country}`);
  const outcome = await ask(route);
  if (outcome === undefined) return;
  const recorded = await persist(deps, () => recordOutcome(deps, { transfer, route, outcome }));
  deps.observe({ transfer, outcome, recorded });
}

/** Records that a transfer taken over in `submitting` cannot be asked for. */
export async function giveToPerson(deps: DispatcherDeps, transfer: Transfer): Promise<void> {
  const route = deps.routes.find(transfer);
  if (route === undefined) throw new Error(`no route for ${transfer.operator} ${transfer.country}`);
  await persist(deps, () => recordUnaskable(deps, { transfer, route }));
}

/** An answer is dear: some operators cannot be asked twice. So the database gets several chances. */
async function persist(deps: DispatcherDeps, record: () => Promise<Recorded>): Promise<Recorded> {
  let retryMs = RECORD_RETRY_FIRST_MS;
  for (let tries = 1; ; tries += 1) {
    try {
      return await record();
    } catch (error) {
      if (tries === RECORD_TRIES_MAX) throw error;
      await deps.wait(retryMs);
      retryMs = Math.min(RECORD_RETRY_MAX_MS, retryMs * 2);
    }
  }
}

function toPayout(transfer: Transfer): Payout {
  const { operatorReference, phone, operator, country, currency } = transfer;
  const { amountMinor, narration, createdAt } = transfer;
  return {
    operatorReference,
    phone,
    operator,
    country,
    currency,
    amountMinor,
    narration,
    createdAt,
  };
}
