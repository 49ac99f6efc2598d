import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  ANSWERED_FAILED,
  ANSWERED_PAID,
  openCallbackWorld,
  SAYS_FAILED,
} from '../../../test/callback-world.ts';
import { NOT_PAID, PAID } from '../../../test/resolution-world.ts';
import { moveTo, readBalance } from '../../../test/stored-doubt.ts';
import { putOffWork } from '../../cells/move/moving-work.ts';
import { LEASE_MS } from '../move/lease.ts';

const world = openCallbackWorld();
const { people, openProcess, storeSent, call, change, read, handledAs } = world;
const { attemptsOf, assertHint, incidentsOf, ask } = world;
const database = () => world.database;

describe('a final callback', () => {
  it('that comes before the answer to the submission waits for it, and then needs no inquiry', async () => {
    const { apply, operator } = openProcess();
    const transfer = await storeSent('submitting');
    await change(transfer, 'lease_owner = gen_random_uuid()');
    const id = await call(transfer);
    assert.deepEqual(await apply(), { handled: 0, taken: 0 });
    assert.equal(await handledAs(id), null);
    await change(transfer, `state = 'submitted', lease_owner = null`);
    assert.deepEqual(await apply(), { handled: 1, taken: 1 });
    assert.equal((await read(transfer)).state, 'succeeded');
    assert.deepEqual(operator.calls, []);
  });

  it('that comes while another process has the lease takes it from none', async () => {
    const { apply } = openProcess();
    for (const says of [{}, SAYS_FAILED]) {
      const transfer = await storeSent('in_doubt');
      await change(transfer, 'lease_owner = gen_random_uuid()');
      const id = await call(transfer, { says });
      assert.deepEqual(await apply(), { handled: 0, taken: 0 });
      assert.equal(await handledAs(id), null);
      assert.equal((await read(transfer)).state, 'in_doubt');
      await change(transfer, 'lease_owner = null');
      assert.deepEqual(await apply(), { handled: 1, taken: 1 });
    }
  });

  it('that comes twice is recorded once', async () => {
    const transfer = await storeSent();
    const ids = [await call(transfer), await call(transfer), await call(transfer)];
    const processes = [openProcess(), openProcess()];
    const first = await Promise.all(processes.map(({ apply }) => apply()));
    assert.equal(first[0]?.taken === 1 ? first[1]?.taken : first[0]?.taken, 0);
    await processes[0]?.apply();
    const handled = await Promise.all(ids.map(handledAs));
    assert.equal(handled.filter((as) => as === 'TAKEN_AS_ANSWER').length, 1);
    assert.equal(handled.filter((as) => as === 'NOTHING_NEW').length, 2);
    assert.equal((await attemptsOf(transfer)).length, 1);
    assert.equal((await read(transfer)).eventSeq, transfer.eventSeq + 1);
  });

  it('that is contradicted by another of the same round is not believed, and neither is the other', async () => {
    for (const [one, other] of [
      [{}, SAYS_FAILED],
      [SAYS_FAILED, {}],
    ] as const) {
      const { apply } = openProcess();
      const transfer = await storeSent();
      const ids = [await call(transfer, { says: one }), await call(transfer, { says: other })];
      assert.deepEqual(await apply(), { handled: 2, taken: 0 });
      for (const id of ids) await assertHint(transfer, id);
    }
  });

  it('is not believed beside one that reports another amount', async () => {
    const { apply } = openProcess();
    const transfer = await storeSent();
    const { amountMinor, currency, phone } = transfer;
    const reported = { amountMinor: amountMinor + 1n, currency, phone };
    const ids = [await call(transfer), await call(transfer, { reported })];
    assert.deepEqual(await apply(), { handled: 2, taken: 0 });
    for (const id of ids) await assertHint(transfer, id);
    assert.deepEqual((await read(transfer)).contradictions, ['amount']);
  });

  it('is not held up by one of the same round that says "pending", or comes by another operator', async () => {
    const { apply } = openProcess();
    const transfer = await storeSent();
    const pending = await call(transfer, { says: { status: 'PROCESSING' } });
    const other = await call(transfer, { route: 'mtn-zm', claims: 'failed', verified: false });
    await call(transfer);
    assert.deepEqual(await apply(), { handled: 2, taken: 1 });
    assert.equal((await read(transfer)).state, 'succeeded');
    assert.equal(await handledAs(other), 'OF_OTHER_OPERATOR');
    assert.deepEqual(await apply(), { handled: 1, taken: 0 });
    assert.equal(await handledAs(pending), 'NOTHING_NEW');
  });

  it('that says the opposite of the recorded end leads to an inquiry, and changes no money', async () => {
    for (const [first, then, inquired, incident] of [
      [{}, SAYS_FAILED, ANSWERED_FAILED, 'refused_after_success'],
      [SAYS_FAILED, {}, ANSWERED_PAID, 'paid_after_failure'],
    ] as const) {
      const { apply, inquireDue } = openProcess({ inquire: () => inquired });
      const transfer = await storeSent();
      await call(transfer, { says: first });
      await apply();
      const ended = await read(transfer);
      const balance = await readBalance(database(), transfer);
      const id = await call(transfer, { says: then });
      assert.deepEqual(await apply(), { handled: 1, taken: 0 });
      assert.equal(await handledAs(id), 'INQUIRED');
      assert.deepEqual(await incidentsOf(transfer), []);
      assert.deepEqual(await inquireDue(), [transfer.id]);
      assert.deepEqual(await incidentsOf(transfer), [incident]);
      assert.equal((await read(transfer)).state, ended.state);
      assert.deepEqual(await readBalance(database(), transfer), balance);
    }
  });

  it('that is sent again after the end, at once or weeks later, says nothing new', async () => {
    const { apply, operator } = openProcess();
    for (const says of [{}, SAYS_FAILED]) {
      const transfer = await storeSent();
      await call(transfer, { says });
      await apply();
      const balance = await readBalance(database(), transfer);
      for (const when of ['now()', `now() - interval '29 days'`]) {
        await change(transfer, `completed_at = ${when}`);
        const again = await call(transfer, { says });
        assert.deepEqual(await apply(), { handled: 1, taken: 0 });
        assert.equal(await handledAs(again), 'NOTHING_NEW');
      }
      assert.deepEqual(await readBalance(database(), transfer), balance);
      assert.equal((await attemptsOf(transfer)).length, 1);
    }
    assert.deepEqual(operator.calls, []);
  });

  it('about a transfer that was never sent is no evidence', async () => {
    const { apply } = openProcess();
    for (const state of ['queued', 'cancelled']) {
      const ended =
        state === 'cancelled' ? `, completed_at = now(), failure_code = 'CANCELLED'` : '';
      const transfer = await storeSent(state, ended);
      await call(transfer);
      assert.equal((await apply()).taken, 0);
      assert.equal((await read(transfer)).state, state);
    }
  });

  it('of a process that dies before it records it delays the inquiry by its lease, and is not lost', async () => {
    const dead = openProcess();
    const transfer = await storeSent();
    const id = await call(transfer);
    const { taken } = await dead.take();
    assert.equal(taken.length, 1);
    const { state, nextActionAt } = await read(transfer);
    assert.equal(state, 'submitted');
    const leftMs = (nextActionAt?.getTime() ?? 0) - Date.now();
    assert.ok(leftMs > 0 && leftMs <= LEASE_MS + 1_000, `${leftMs} ms`);
    assert.equal(await handledAs(id), 'TAKEN_AS_ANSWER');
    const { inquireDue } = openProcess({ inquire: () => ANSWERED_PAID });
    await change(transfer, 'next_action_at = now()');
    assert.deepEqual(await inquireDue(), [transfer.id]);
    assert.equal((await read(transfer)).state, 'succeeded');
    // The process was only paused.
    await dead.answer(taken);
    assert.deepEqual(dead.recorded, [{ kind: 'superseded' }]);
    assert.equal((await read(transfer)).eventSeq, transfer.eventSeq + 1);
  });

  it('of a process that was paused longer than its lease is still evidence', async () => {
    const paused = openProcess();
    const transfer = await storeSent();
    await call(transfer);
    const { taken } = await paused.take();
    const { inquireDue } = openProcess();
    await change(transfer, 'next_action_at = now()');
    await inquireDue();
    await paused.answer(taken);
    assert.equal((await read(transfer)).state, 'succeeded');
  });

  it('of a paused process says nothing about a resubmission that was made since', async () => {
    const paused = openProcess();
    const transfer = await storeSent('in_doubt');
    await call(transfer, { says: SAYS_FAILED });
    const { taken } = await paused.take();
    await change(transfer, `resubmissions = 1, lease_owner = gen_random_uuid()`);
    await paused.answer(taken);
    assert.deepEqual(paused.recorded, [{ kind: 'superseded' }]);
    assert.equal((await read(transfer)).state, 'in_doubt');
  });

  it('that says FAILED does not speak to a contradiction that was kept since it was taken', async () => {
    const { take, answer, recorded } = openProcess();
    const transfer = await storeSent('in_doubt');
    await call(transfer, { says: SAYS_FAILED });
    const { taken } = await take();
    await change(transfer, `contradictions = '{amount}'`);
    await answer(taken);
    assert.deepEqual(recorded, [{ kind: 'superseded' }]);
    assert.equal((await read(transfer)).state, 'in_doubt');
  });

  it('waits while its merchant moves to another cell', async () => {
    const { apply } = openProcess();
    const transfer = await storeSent();
    const id = await call(transfer);
    const setState = (state: string) =>
      ask(
        `update merchants set state = '${state}'
         where id = (select merchant_id from books where id = $1)`,
        [transfer.bookId],
      );
    await setState('closing');
    assert.deepEqual(await apply(), { handled: 0, taken: 0 });
    assert.equal(await handledAs(id), null);
    await setState('open');
    assert.deepEqual(await apply(), { handled: 1, taken: 1 });
    assert.equal((await read(transfer)).state, 'succeeded');
  });

  it('that was taken before its merchant began to move is recorded, as the move waits for the lease', async () => {
    const { take, answer } = openProcess();
    const transfer = await storeSent();
    await call(transfer);
    const { taken } = await take();
    const books = [transfer.bookId];
    const putOff = () =>
      database().transaction((tx) => putOffWork(tx, { books, evenLeased: true }));
    assert.equal((await putOff()).transfers, 1, 'the move waits');
    await answer(taken);
    assert.equal((await read(transfer)).state, 'succeeded');
    assert.equal((await putOff()).transfers, 0);
  });

  it('ends a transfer about which one person has proposed a decision, which is then superseded', async () => {
    const { apply } = openProcess();
    const transfer = await storeSent('in_doubt');
    await people.say('Chanda', transfer.id, NOT_PAID);
    await call(transfer);
    assert.deepEqual(await apply(), { handled: 1, taken: 1 });
    assert.equal((await read(transfer)).state, 'succeeded');
    await assert.rejects(people.say('Mutinta', transfer.id, NOT_PAID));
    assert.equal((await read(transfer)).state, 'succeeded');
    const { heldMinor } = await readBalance(database(), transfer);
    assert.equal(heldMinor, 0n);
  });

  it('that comes after two people decided otherwise leads to an inquiry', async () => {
    const { apply } = openProcess();
    for (const [decision, says] of [
      [NOT_PAID, {}],
      [PAID, SAYS_FAILED],
    ] as const) {
      const transfer = await storeSent('in_doubt');
      await people.say('Chanda', transfer.id, decision);
      await people.say('Mutinta', transfer.id, decision);
      const decided = await read(transfer);
      const id = await call(transfer, { says });
      assert.deepEqual(await apply(), { handled: 1, taken: 0 });
      assert.equal(await handledAs(id), 'INQUIRED');
      assert.equal((await read(transfer)).state, decided.state);
    }
  });

  it('that two people outran after it was taken is an incident, like the answer to an inquiry', async () => {
    const { take, answer } = openProcess();
    const transfer = await storeSent('in_doubt');
    await call(transfer);
    const { taken } = await take();
    await moveTo(database(), transfer, 'failed');
    await answer(taken);
    assert.equal((await read(transfer)).state, 'failed');
    assert.deepEqual(await incidentsOf(transfer), ['paid_after_failure']);
  });
});
