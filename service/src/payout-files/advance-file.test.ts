import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { scriptRoute } from '../../test/fake-route.ts';
import { openFileWorld, PAID, rowsOf } from '../../test/file-world.ts';
import { pollUntil } from '../../test/poll.ts';
import { storedReference } from '../../test/stored-file.ts';
import { storeTestTransfer } from '../../test/stored-transfer.ts';
import { storePerson } from '../../test/test-person.ts';
import { countImpossible } from '../approvals/count-impossible.ts';
import { flagImpossible } from '../approvals/transfers/flag-impossible.ts';
import { initiateTransfer } from '../transfers/accept/initiate-transfer.ts';
import { FROM_KEY } from '../transfers/accept/prepared-transfer.ts';
import { claimFiles } from './claim-files.ts';
import { createFileSource, decideFile, findAwaitingFiles } from './file-approvals.ts';
import { payRows } from './pay-rows.ts';
import { recordRows } from './record-rows.ts';
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

async function claim(id: string, leaseOwner = randomUUID()) {
  const claimed = await claimFiles(world.database, { leaseOwner, max: 100 });
  const file = claimed.find((one) => one.file.id === id)?.file;
  assert.ok(file !== undefined);
  return { file, leaseOwner };
}

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

  it('says how much is left to be paid, while it waits', async () => {
    const id = await store([{ amountMinor: 300n }, { amountMinor: 200n }, { amountMinor: 100n }]);
    await submit(id);
    const left = async () => {
      const [found] = await findAwaitingFiles(world.database, world.book, [id]);
      const { rows, amount, rowsLeft, amountLeft } = found?.shown ?? {};
      return [rows, amount, rowsLeft, amountLeft];
    };
    const { file, leaseOwner } = await claim(id);
    const [row] = await takeRows(world.database, { file, leaseOwner, max: 1 });
    assert.ok(row !== undefined);
    const refused = { transferId: null, code: 'RECIPIENT_DENIED', detail: 'Denied.' } as const;
    const outcomes = [{ number: row.number, reference: row.reference, ...refused }];
    await recordRows(world.database, { file, outcomes, at: new Date() });
    await interrupt(id);
    payer();
    await untilState(id, 'awaiting_approval');
    assert.deepEqual(await left(), [3, '6.00', 2, '3.00']);
    await decide(id, 'approve');
    await untilState(id, 'done');
    assert.deepEqual(await left(), [3, '6.00', null, null]);

    const whole = await store(rowsOf(2));
    await submit(whole);
    await interrupt(whole);
    await untilState(whole, 'awaiting_approval');
    const [found] = await findAwaitingFiles(world.database, world.book, [whole]);
    assert.deepEqual([found?.shown.rowsLeft, found?.shown.amountLeft], [2, found?.shown.amount]);
  });

  it('pays no more rows when it is rejected, and keeps what was paid before', async () => {
    const { initiate, leaseOwner, stop } = payer();
    await stop();
    const id = await store(rowsOf(3));
    await submit(id);
    // Its process died when it had taken two rows and made the transfer of one.
    const { file } = await claim(id, leaseOwner);
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

  /** A file of which a process took the rows and stood still before their commit, so that it waits for a person. */
  async function takeAndPause() {
    const { initiate, leaseOwner, stop } = payer();
    await stop();
    const id = await store(rowsOf(2));
    await submit(id);
    const { file } = await claim(id, leaseOwner);
    let paused = true;
    const submitMany: typeof initiate.groups.submitMany = (commands) =>
      commands.map(async (command) => {
        await pollUntil('it goes on', async () => !paused, 30_000);
        return initiate.groups.submit(command);
      });
    const groups = { ...initiate.groups, submitMany };
    const paying = payRows({ ...deps(), leaseOwner, initiate: { ...initiate, groups } }, file);
    await pollUntil('rows are taken', async () => {
      const [row] = await run<{ paying_up_to: number }>(
        'select paying_up_to from payout_files where id = $1',
        [id],
      );
      return row?.paying_up_to === 2;
    });
    await interrupt(id);
    payer();
    await untilState(id, 'awaiting_approval');
    return {
      id,
      goOn: () => {
        paused = false;
        return paying;
      },
    };
  }

  it('pays no row of a process that was paused when it had taken it, and goes on after a rejection', async () => {
    const { id, goOn } = await takeAndPause();
    await decide(id, 'reject');
    await pollUntil('every row is decided', async () =>
      (await rowsStored(id)).every(({ state }) => state === 'refused'),
    );
    assert.deepEqual(await goOn(), { taken: 2, decided: 0 });
    assert.deepEqual(await transfersOf(id), []);
  });

  it('keeps its rows for its approval where a process that was paused finds its wallet frozen', async () => {
    const { id, goOn } = await takeAndPause();
    const [wallet] = await run<{ id: string }>(
      `update wallets w set status = 'frozen' from payout_files f
       where f.id = $1 and w.book_id = f.book_id and w.id = f.wallet_id returning w.id`,
      [id],
    );
    assert.ok(wallet !== undefined);
    assert.deepEqual(await goOn(), { taken: 2, decided: 0 });
    assert.deepEqual(
      (await rowsStored(id)).map(({ state }) => state),
      ['waiting', 'waiting'],
    );
    await run(`update wallets set status = 'active' where id = $1`, [wallet.id]);
    await decide(id, 'approve');
    await untilState(id, 'done');
    assert.equal((await transfersOf(id)).length, 2);
  });

  it('is not paid by a process that goes on after the lease of the file ended long ago', async () => {
    const { initiate, leaseOwner, stop } = payer();
    await stop();
    const id = await store(rowsOf(1));
    await submit(id);
    const { file } = await claim(id, leaseOwner);
    const wakeUp = (ago: string) =>
      run(`update payout_files set next_action_at = now() - $2::interval where id = $1`, [id, ago]);
    const pay = () => payRows({ ...deps(), leaseOwner, initiate }, file);
    await wakeUp('21 s');
    assert.deepEqual(await pay(), { taken: 1, decided: 0 });
    assert.deepEqual(await transfersOf(id), []);
    await wakeUp('19 s');
    assert.deepEqual(await pay(), { taken: 1, decided: 1 });
    await world.assertEachOnce(id);
  });

  for (const decision of ['approve', 'reject'] as const) {
    const becomes = decision === 'approve' ? 'succeeded' : 'cancelled';
    it(`keeps its queued transfers until a person decides: after ${decision} they are ${becomes}`, async () => {
      const id = await store(rowsOf(3));
      await submit(id);
      const closed = startProcess(scriptRoute({ slotsMax: 0 }));
      await pollUntil('all are queued', async () => (await fileOf(id)).rows_created === 3);
      await closed.stop();
      // Its process died before it recorded the last row.
      await run(
        `update payout_file_rows set state = 'waiting', transfer_id = null where file_id = $1 and number = 3`,
        [id],
      );
      await run('update payout_files set rows_created = 2, lease_owner = null where id = $1', [id]);
      await interrupt(id);
      const operator = scriptRoute({ submit: () => PAID, inquire: () => PAID });
      startProcess(operator);
      await untilState(id, 'awaiting_approval');
      const [waiting] = await findAwaitingFiles(world.database, world.book, [id]);
      assert.equal(waiting?.shown.rowsLeft, 3);
      // Another payout of the book is behind them in the queue, and leaves.
      const transfer = await storeTestTransfer(world.database, {
        book: world.book,
        walletId: world.walletId,
        reserved: false,
        leaseOwner: randomUUID(),
      });
      const statesOf = async () => (await transfersOf(id)).map(({ state }) => state);
      await pollUntil('the other one is paid', async () => {
        const [row] = await run<{ state: string }>('select state from transfers where id = $1', [
          transfer.id,
        ]);
        return row?.state === 'succeeded';
      });
      assert.deepEqual(await statesOf(), ['queued', 'queued', 'queued']);
      await decide(id, decision);
      await pollUntil('its transfers have ended', async () =>
        (await statesOf()).every((state) => state === becomes),
      );
      await pollUntil('every row is recorded', async () => (await fileOf(id)).rows_created === 3);
      await world.assertEachOnce(id);
      assert.equal(operator.calls.length, decision === 'approve' ? 4 : 1);
    });
  }

  it('is not one that began long ago and is still being paid', async () => {
    const id = await store(rowsOf(2));
    await submit(id);
    await run(`update payout_files set paying_at = now() - interval '3 weeks' where id = $1`, [id]);
    payer();
    await untilState(id, 'done');
  });
});

describe('a file that comes to wait because it is late', () => {
  /** As the service does when people change, or something asked for it. */
  async function lookForImpossible(): Promise<number> {
    const { database, book } = world;
    const source = createFileSource({ ...deps(), directory: database, wake: () => undefined });
    const look = { database, now: () => new Date(), otherSources: [source] };
    while ((await flagImpossible(look, new Set())) !== null);
    return countImpossible(database, book.id);
  }

  it('is told to be impossible to approve where no person is left who could', async () => {
    const scheduled = await store(rowsOf(1));
    await submit(scheduled, { payAt: new Date(Date.now() + 1_000) });
    const interrupted = await store(rowsOf(1));
    await submit(interrupted);
    assert.equal(await lookForImpossible(), 0);
    await run('update books set send_late_within_ms = 1 where id = $1', [world.book.id]);
    await interrupt(interrupted);
    await pollUntil('its time has passed', async () => {
      const [row] = await run<{ is_past: boolean }>(
        `select pay_at < now() - interval '5 ms' as is_past from payout_files where id = $1`,
        [scheduled],
      );
      return row?.is_past === true;
    });
    payer();
    await untilState(interrupted, 'awaiting_approval');
    await untilState(scheduled, 'awaiting_approval');
    assert.equal(await lookForImpossible(), 2);
    const [told] = await run<{ count: number }>(
      `select count(*)::integer as count from events
       where subject_id = any ($1::uuid[]) and type = 'payout_file.approval_impossible'`,
      [[scheduled, interrupted]],
    );
    assert.equal(told?.count, 2);
  });
});
