import { setTimeout as wait } from 'node:timers/promises';
import { retryConflicts } from '../../service/src/postgres/retry-conflicts.ts';
import { type CellAt, findCellUrls } from './cell-urls.ts';
import { queryOnce } from './query-once.ts';
import type { TestSystem } from './test-system.ts';

/** Longer than any lease: of transfers and payout files 30 s, of deliveries 60 s. */
const PAST_LEASES_MS = 61_000;

/**
 * Lets all leases expire: moves the clocks of all services, which then see that their leases have ended, and
 * the lease times in the database. The operators' clocks do not change.
 */
export async function passTime(system: TestSystem): Promise<boolean> {
  const isThere = (cell: CellAt) => !cell.isFar || system.cellServer?.isAway() === false;
  const urls = await findCellUrls(system, isThere);
  if (urls === undefined) return false;
  for (const { clock } of system.services) await clock.moveMonotonicBy(PAST_LEASES_MS);
  await Promise.all(urls.map(endLeases));
  return true;
}

/** Its rows are locked in any order, so it may have to give way to a statement of the service. */
async function endLeases(databaseUrl: string): Promise<void> {
  for (const text of [TRANSFERS, DELIVERIES, FILES, SCREENINGS]) {
    await retryConflicts({ wait, random: Math.random }, () => queryOnce(databaseUrl, text));
  }
}

const TRANSFERS = `
  update transfers set next_action_at = now()
  where lease_owner is not null and next_action_at > now()`;
const DELIVERIES = `
  update deliveries set next_attempt_at = now()
  where lease_owner is not null and next_attempt_at > now()`;
const FILES = `
  update payout_files set next_action_at = now()
  where lease_owner is not null and next_action_at > now()`;
const SCREENINGS = `
  update screenings set next_attempt_at = now()
  where lease_owner is not null and next_attempt_at > now()`;
