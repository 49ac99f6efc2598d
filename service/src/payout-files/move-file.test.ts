import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { it } from 'node:test';
import { openFileWorld, rowsOf } from '../../test/file-world.ts';
import { storePerson } from '../../test/test-person.ts';
import { claimFiles } from './claim-files.ts';
import { decideFile } from './file-approvals.ts';

const HOUR_MS = 60 * 60_000;
const YEAR_MS = 365 * 24 * HOUR_MS;

const world = openFileWorld();
const { deps, store, submit, fileOf } = world;

/** By an approver, and a process whose clock is so far ahead. */
async function approve(id: string, aheadMs: number): Promise<void> {
  const { book, database } = world;
  const roles = [{ merchantId: book.merchantId, role: 'approver' }] as const;
  const { id: personId, name } = await storePerson(database, { roles });
  const [file] = await database.query<{ content_hash: string }>(
    { name: '', text: 'select content_hash from payout_files where id = $1' },
    [id],
  );
  const actor = { kind: 'person', id: personId, name, merchantId: book.merchantId } as const;
  const contentHash = file?.content_hash ?? '';
  const now = () => new Date(Date.now() + aheadMs);
  const process = { ...deps(), directory: database, wake: () => undefined, now };
  const request = { actor, decision: 'approve', contentHash, reason: null } as const;
  await decideFile(process, { book, id, request });
}

/** Approvals of the file are possible when it is submitted. */
async function submitToWait(id: string, payAt: Date | null, aheadMs = 0): Promise<void> {
  const { book, database } = world;
  await storePerson(database, { roles: [{ merchantId: book.merchantId, role: 'approver' }] });
  await submit(id, { payAt, waitsForPerson: true }, () => new Date(Date.now() + aheadMs));
}

it('a file that is approved waits for its time, also when the clock of the process is ahead', async () => {
  const id = await store(rowsOf(2));
  const payAt = new Date(Date.now() + HOUR_MS / 2);
  await submitToWait(id, payAt);
  await approve(id, HOUR_MS);
  const { state, next_action_at } = await fileOf(id);
  assert.deepEqual([state, next_action_at], ['scheduled', payAt]);
});

it('a file waits for approvals as long as it should, whatever the clocks of processes show', async () => {
  for (const aheadMs of [-YEAR_MS, YEAR_MS]) {
    const id = await store(rowsOf(1));
    await submitToWait(id, null, aheadMs);
    const waitsMs = ((await fileOf(id)).next_action_at?.getTime() ?? 0) - Date.now();
    assert.ok(Math.abs(waitsMs - 7 * 24 * HOUR_MS) < HOUR_MS, `${waitsMs} ms`);
    await approve(id, YEAR_MS);
    assert.equal((await fileOf(id)).state, 'paying');
  }
});

it('a scheduled file is not claimed before its time, whenever it is looked at', async () => {
  const id = await store(rowsOf(1));
  await submit(id, { payAt: new Date(Date.now() + HOUR_MS) });
  await world.database.query(
    { name: '', text: 'update payout_files set next_action_at = now() where id = $1' },
    [id],
  );
  const claimed = await claimFiles(world.database, { leaseOwner: randomUUID(), max: 100 });
  assert.ok(!claimed.some(({ file }) => file.id === id));
});
