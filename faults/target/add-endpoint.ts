import type { LateEndpoint, RunFacts } from '../journal/exchange-record.ts';
import type { Journal } from '../journal/open-journal.ts';
import type { Mode } from '../plan/plan.ts';
import { createEndpoint } from './create-endpoint.ts';
import { findPostmaster } from './data-folder.ts';
import { queryOnce } from './query-once.ts';
import type { TestSystem } from './test-system.ts';

type Deps = Readonly<{
  system: TestSystem;
  endpoints: Journal<LateEndpoint>;
  keys: Readonly<Record<Mode, string>>;
  books: RunFacts['books'];
}>;

/**
 * Creates another endpoint while events are being written, and records the last number of its book's feed when the
 * answer arrived: every event after that number must be delivered to it.
 */
export async function addEndpoint(
  { system, endpoints, keys, books }: Deps,
  { mode, path }: Readonly<{ mode: Mode; path: string }>,
): Promise<boolean> {
  const { receiverUrl } = system;
  const port = system.servicePort();
  if (port === undefined) return false;
  const made = await createEndpoint({ port, receiverUrl, apiKey: keys[mode] }, path);
  const postmaster = await findPostmaster(system.database.dataDir);
  if (postmaster === undefined) return false;
  const bookId = books[mode];
  const [row] = await queryOnce<{ last: string }>(postmaster.databaseUrl, LAST, [bookId]);
  await endpoints.write({ bookId, ...made, path, afterNumber: row?.last ?? '0' });
  return true;
}

const LAST = `
  select coalesce(max(number), 0)::text as last from feed_batches where book_id = $1::uuid`;
