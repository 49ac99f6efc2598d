import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { scriptRoute } from '../../test/fake-route.ts';
import { openFileWorld, PAID, rowsOf } from '../../test/file-world.ts';
import { putPolicy } from '../../test/put-policy.ts';
import type { NameMatch } from '../domain/name-match.ts';

const world = openFileWorld();
const { startProcess, store, submit, untilState, rowsStored } = world;

const refuseNames = (...nameMatch: readonly (NameMatch | 'unknown')[]) =>
  putPolicy(world.database, world.book, [
    { name: 'names', when: { nameMatch: [...nameMatch] }, require: { refuse: true } },
  ]);

async function storeChecked(nameMatch: NameMatch): Promise<string> {
  const id = await store(rowsOf(2));
  await world.database.query(
    {
      name: '',
      text: `update payout_file_rows
             set name_match = $2, account_name = recipient_name, name_checked_at = now() where file_id = $1`,
    },
    [id, nameMatch],
  );
  return id;
}

async function codesOf(id: string): Promise<readonly (string | null)[]> {
  startProcess(scriptRoute({ submit: () => PAID }));
  await untilState(id, 'done');
  return (await rowsStored(id)).map(({ refusal_code }) => refusal_code);
}

describe('the names that were checked in a file', () => {
  it('are known to the rules when its rows are paid', async () => {
    await refuseNames('unknown');
    const id = await storeChecked('match');
    await submit(id);
    assert.deepEqual(await codesOf(id), [null, null]);
  });

  it('are known to rules that came into force after it was submitted', async () => {
    const id = await storeChecked('mismatch');
    await submit(id);
    await refuseNames('mismatch');
    assert.deepEqual(await codesOf(id), ['POLICY_REFUSED', 'POLICY_REFUSED']);
  });
});
