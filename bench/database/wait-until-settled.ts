import { setTimeout as wait } from 'node:timers/promises';
import type { Database, Statement } from '../../service/src/postgres/database.ts';

const POLL_EVERY_MS = 10;
const PATIENCE_MS = 120_000;

/** Resolves as soon as no transfer needs any more work. */
export async function waitUntilSettled({
  database,
  signal,
}: Readonly<{ database: Database; signal: AbortSignal }>): Promise<void> {
  const deadlineMs = performance.now() + PATIENCE_MS;
  for (;;) {
    const [row] = await database.query<{ busy: boolean }>(IS_BUSY);
    if (row?.busy === false) return;
    if (performance.now() > deadlineMs) throw new Error('transfers did not come to their end');
    await wait(POLL_EVERY_MS, undefined, { signal });
  }
}

// Each half is one probe of a partial index, however many transfers there are.
const IS_BUSY: Statement = {
  name: 'is-busy',
  text: `
    select exists (select from transfers where state = 'queued' and next_action_at is not null)
        or exists (select from transfers where state <> 'queued' and next_action_at is not null)
        as busy`,
};
