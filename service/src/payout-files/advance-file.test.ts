import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { scriptRoute } from '../../test/fake-route.ts';
import { openFileWorld, PAID, rowsOf } from '../../test/file-world.ts';
import { pollUntil } from '../../test/poll.ts';
import { storedReference } from '../../test/stored-file.ts';
import { storePerson } from '../../test/test-person.ts';
import { initiateTransfer } from '../transfers/accept/initiate-transfer.ts';
import { FROM_KEY } from '../transfers/accept/prepared-transfer.ts';
import { claimFiles } from './claim-files.ts';
import { decideFile } from './file-approvals.ts';
import { takeRows } from './take-rows.ts';

const world = openFileWorld();
const { deps, startProcess, store, submit, fileOf, untilState, transfersOf, rowsStored } = world;

const run = <R extends Record<string, unknown>>(text: string, values: readonly unknown[]) =>
  world.database.query<R>({ name: '', text }, values);
const payer = () => startProcess(scriptRoute({ submit: () => PAID, inquire: () => PAID }));
/** As if the service had been down, or the merchant suspended, since a batch of rows was taken. */
const interrupt = (id: string) =>
  run(
    `update payout_files set taken_at = now() - interval '3 weeks', next_action_at = now() where id = $1`,
    [id],
  );

async function decide(id: string, decision: 'approve' | 'reject'): Promise<void> {
  const { book, database } = world;
  const { merchantId } = book;
  const person = await storePerson(database, { roles: [{ merchantId, role: 'approver' }] });
  const actor = { kind: 'person', id: person.id, name: person.name, merchantId } as const;
  const [file] = await run<{ content_hash: string }>(
    'select content_hash from payout_files where id = $1',
    [id],
  );
  const contentHash = file?.content_hash ?? '';
  const request = { actor, decision, contentHash, reason: 'Looked at it' } as const;
  const process = { ...deps(), directory: database, wake: () => undefined };
  await decideFile(process, { book, id, request });
}

describe('a file whose payment stood still for longer than the policy allows', () => {
  it('waits for a person, who lets the rest be paid', async () => {
    const id = await store(rowsOf(3));
    await submit(id);
    await interrupt(id);
    payer();
    await untilState(id, 'awaiting_approval');
    assert.deepEqual(await transfersOf(id), []);
    await decide(id, 'approve');
    await untilState(id, 'done');
    await world.assertEachOnce(id);
    assert.equal((await fileOf(id)).rows_succeeded, 3);
  });

  it('pays no more rows when it is rejected, and keeps what was paid before', async () => {
    const { initiate, stop } = payer();
    await stop();
    const id = await store(rowsOf(3));
    await submit(id);
    // Its process died when it had taken two rows and made the transfer of one.
    const leaseOwner = randomUUID();
    const claimed = await claimFiles(world.database, { leaseOwner, max: 100 });
    const file = claimed.find((one) => one.file.id === id)?.file;
    assert.ok(file !== undefined);
    assert.equal((await takeRows(world.database, { file, leaseOwner, max: 2 })).length, 2);
    const origin = { ...FROM_KEY, source: 'file', fileId: id } as const;
    const command = world.commandOf(storedReference(id, 1));
    const order = { book: world.book, actor: 'test', origin, command };
    const { transfer } = await initiateTransfer(initiate, order);
    await interrupt(id);
    payer();
    await untilState(id, 'awaiting_approval');
    await decide(id, 'reject');
    await pollUntil('every row is decided', async () =>
      (await rowsStored(id)).every(({ state }) => state !== 'waiting'),
    );
    assert.deepEqual(
      (await rowsStored(id)).map((row) => [row.state, row.transfer_id, row.refusal_code]),
      [
        ['created', transfer.id, null],
        ['refused', null, 'APPROVAL_REJECTED'],
        ['refused', null, 'APPROVAL_REJECTED'],
      ],
    );
    assert.equal((await transfersOf(id)).length, 1);
    const { state, rows_created, rows_refused } = await fileOf(id);
    assert.deepEqual([state, rows_created, rows_refused], ['cancelled', 1, 2]);
  });

  it('is not one that began long ago and is still being paid', async () => {
    const id = await store(rowsOf(2));
    await submit(id);
    await run(`update payout_files set paying_at = now() - interval '3 weeks' where id = $1`, [id]);
    payer();
    await untilState(id, 'done');
  });
});
