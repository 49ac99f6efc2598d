import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { it } from 'node:test';
import { openFileWorld, rowsOf } from '../../test/file-world.ts';
import { storePerson } from '../../test/test-person.ts';
import { claimFiles } from './claim-files.ts';
import { decideFile } from './file-approvals.ts';

const HOUR_MS = 60 * 60_000;

const world = openFileWorld();
const { deps, store, submit, fileOf } = world;

it('a file that is approved waits for its time, also when the clock of the process is ahead', async () => {
  const { book, database } = world;
  const roles = [{ merchantId: book.merchantId, role: 'approver' }] as const;
  const { id: personId, name } = await storePerson(database, { roles });
  const id = await store(rowsOf(2));
  const payAt = new Date(Date.now() + HOUR_MS / 2);
  await submit(id, { payAt, waitsForPerson: true });
  const [file] = await database.query<{ content_hash: string }>(
    { name: '', text: 'select content_hash from payout_files where id = $1' },
    [id],
  );
  const actor = { kind: 'person', id: personId, name, merchantId: book.merchantId } as const;
  const contentHash = file?.content_hash ?? '';
  await decideFile(
    {
      ...deps(),
      directory: database,
      wake: () => undefined,
      now: () => new Date(Date.now() + HOUR_MS),
    },
    { book, id, request: { actor, decision: 'approve', contentHash, reason: null } },
  );
  const { state, next_action_at } = await fileOf(id);
  assert.deepEqual([state, next_action_at], ['scheduled', payAt]);
});

it('a scheduled file is not claimed before its time, whenever it is looked at', async () => {
  const id = await store(rowsOf(1));
  await submit(id, { payAt: new Date(Date.now() + HOUR_MS) });
  await world.database.query(
    { name: '', text: 'update payout_files set next_action_at = now() where id = $1' },
    [id],
  );
  const claimed = await claimFiles(world.database, { leaseOwner: randomUUID(), max: 100 });
  assert.deepEqual(claimed, []);
});
