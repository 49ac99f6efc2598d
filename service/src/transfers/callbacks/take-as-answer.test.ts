import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import {
  ANSWERED_FAILED,
  ANSWERED_PAID,
  CALLED_ROUTE,
  callbackAbout,
  type Given,
  openCallbackWorld,
  ROUTE_BESIDE,
  SAYS_FAILED,
} from '../../../test/callback-world.ts';
import { DOUBT_FEE_MINOR, FUNDED_MINOR, readBalance } from '../../../test/stored-doubt.ts';
import type { Transfer } from '../../domain/transfer.ts';
import type { Database, Row, Statement } from '../../postgres/database.ts';
import { readHistory } from '../read/read-history.ts';
import { readRouteFigures } from '../read/read-route-figures.ts';
import { applyCallbacks } from './apply-callbacks.ts';
import { storeCallbacks } from './store-callbacks.ts';

const world = openCallbackWorld();
const { openProcess, storeSent, call, change, read, handledAs, attemptsOf, assertHint, ask } =
  world;
const database = () => world.database;

describe('a signed callback that is final', () => {
  for (const state of ['submitted', 'in_doubt']) {
    it(`ends a transfer in ${state} as paid, without an inquiry`, async () => {
      const { apply, operator } = openProcess();
      const transfer = await storeSent(state);
      const id = await call(transfer);
      assert.deepEqual(await apply(), { handled: 1, taken: 1 });
      const paid = await read(transfer);
      assert.deepEqual([paid.state, paid.operatorTransactionId], ['succeeded', 'MP-1']);
      assert.equal(await handledAs(id), 'TAKEN_AS_ANSWER');
      assert.deepEqual(operator.calls, []);
      const { availableMinor, heldMinor } = await readBalance(database(), transfer);
      const spentMinor = transfer.amountMinor + DOUBT_FEE_MINOR;
      assert.deepEqual([availableMinor, heldMinor], [FUNDED_MINOR - spentMinor, 0n]);
      const [attempt, ...others] = await attemptsOf(transfer);
      assert.deepEqual(others, []);
      assert.equal(attempt?.purpose, 'callback');
      assert.equal(attempt.outcome, 'paid');
      assert.match(attempt.answer, /"status":"COMPLETED"/);
      const kept = await ask('select id from attempts where transfer_id = $1', [transfer.id]);
      assert.deepEqual(kept, [{ id }], 'under the id of the callback');
    });

    it(`ends a transfer in ${state} as failed, and releases its hold`, async () => {
      const { apply, operator } = openProcess();
      const transfer = await storeSent(state);
      await call(transfer, { says: SAYS_FAILED });
      assert.deepEqual(await apply(), { handled: 1, taken: 1 });
      const failed = await read(transfer);
      assert.deepEqual([failed.state, failed.failureCode], ['failed', 'RECIPIENT_NOT_FOUND']);
      assert.deepEqual(operator.calls, []);
      const { availableMinor, heldMinor } = await readBalance(database(), transfer);
      assert.deepEqual([availableMinor, heldMinor], [FUNDED_MINOR, 0n]);
    });
  }

  for (const [says, outcome] of [
    [{}, ANSWERED_PAID],
    [SAYS_FAILED, ANSWERED_FAILED],
  ] as const) {
    it(`leaves the same history as an inquiry that is answered with ${outcome.kind}`, async () => {
      const [called, asked] = [await storeSent(), await storeSent()];
      const { apply, inquireDue } = openProcess({ inquire: () => outcome });
      await call(called, { says });
      await apply();
      await change(asked, 'next_action_at = now()');
      assert.deepEqual(await inquireDue(), [asked.id]);
      const historyOf = async (transfer: Transfer) =>
        (await readHistory(database(), transfer)).map(({ from, state, event, cause, actor }) => ({
          from,
          event,
          state,
          cause,
          actor,
        }));
      assert.deepEqual(await historyOf(called), await historyOf(asked));
      const same = ({ operatorTransactionId, failureCode, checks, nextActionAt }: Transfer) => ({
        operatorTransactionId,
        failureCode,
        checks,
        nextActionAt,
      });
      assert.deepEqual(same(await read(called)), same(await read(asked)));
    });
  }

  it("counts among its route's successes, and not as a request without an answer", async () => {
    const figures = async () =>
      (await readRouteFigures(database())).find(({ route }) => route === CALLED_ROUTE);
    const before = await figures();
    const { apply } = openProcess();
    await call(await storeSent());
    await apply();
    const after = await figures();
    assert.equal(after?.succeeded, (before?.succeeded ?? 0) + 1);
    assert.deepEqual(after.answers, before?.answers ?? []);
  });

  it('settles a contradiction that was kept before, since it tells the same point as it was sent', async () => {
    const { apply } = openProcess();
    const transfer = await storeSent('in_doubt', `, contradictions = '{amount,number}'`);
    await call(transfer);
    await apply();
    assert.equal((await read(transfer)).state, 'succeeded');
  });

  it('costs three statements and commits; a hint and its inquiry cost four', async () => {
    const counted: string[] = [];
    const counting: Database = {
      ...database(),
      query: <R extends Row>(statement: Statement, values?: readonly unknown[]) => {
        counted.push(statement.name);
        return database().query<R>(statement, values);
      },
    };
    const costOf = async (isFinal: boolean) => {
      counted.length = 0;
      const transfer = await storeSent();
      const { apply, inquireDue } = openProcess({
        isFinal,
        database: counting,
        inquire: () => ANSWERED_PAID,
      });
      await storeCallbacks(counting, [callbackAbout(transfer)]);
      const { taken } = await apply();
      if (taken === 0) await inquireDue();
      assert.equal((await read(transfer)).state, 'succeeded');
      return [...counted];
    };
    const hint = ['store-callbacks', 'apply-callbacks', 'claim-due-inquiries', 'move-transfers'];
    assert.deepEqual(await costOf(false), hint);
    const answer = ['store-callbacks', 'apply-and-take-callbacks', 'move-transfers'];
    assert.deepEqual(await costOf(true), answer);
  });
});

describe('a callback is only a hint', () => {
  const paidOtherwise: readonly [string, Given][] = [
    ['its signature was not verified', { verified: false }],
    ['it says that the payout is pending', { says: { status: 'PROCESSING' } }],
    ['it says something unknown', { claims: 'unknown' }],
    ['it came by another route of the same account', { route: ROUTE_BESIDE }],
    ['it reports nothing', { reported: null }],
  ];
  for (const [why, given] of paidOtherwise) {
    it(`if ${why}`, async () => {
      const transfer = await storeSent();
      const id = await call(transfer, given);
      assert.equal((await openProcess().apply()).taken, 0);
      await assertHint(transfer, id);
    });
  }

  it('if it is forged, also beside one that is not', async () => {
    const transfer = await storeSent();
    const forged = await call(transfer, { reading: 'forged', cause: 'of another key' });
    const id = await call(transfer, { says: { status: 'PROCESSING' } });
    assert.equal((await openProcess().apply()).taken, 0);
    await assertHint(transfer, id);
    assert.equal(await handledAs(forged), 'forged');
  });

  for (const [field, other] of [
    ['amountMinor', 99n],
    ['currency', 'NGN'],
    ['phone', '+260977000000'],
  ] as const) {
    for (const [status, says] of [
      ['COMPLETED', {}],
      ['FAILED', SAYS_FAILED],
    ] as const) {
      it(`if it says ${status} without ${field}, or with another`, async () => {
        for (const value of [null, other]) {
          const transfer = await storeSent();
          const { amountMinor, currency, phone } = transfer;
          const reported = { amountMinor, currency, phone, [field]: value };
          const id = await call(transfer, { says, reported });
          assert.equal((await openProcess().apply()).taken, 0);
          await assertHint(transfer, id);
        }
      });
    }
  }

  it('in a process whose route does not declare it, or does not exist', async () => {
    const transfer = await storeSent();
    const id = await call(transfer);
    assert.equal((await openProcess({ isFinal: false }).apply()).taken, 0);
    await assertHint(transfer, id);
    const elsewhere = await storeSent();
    await change(elsewhere, 'route_account = null');
    const other = await call(elsewhere);
    const families = new Map([['mtn-zm', 'mtn']]);
    const taker = { leaseOwner: randomUUID(), routes: new Map([['mtn-zm', null]]) };
    const { taken } = await applyCallbacks(database(), { at: new Date(), families, taker });
    assert.deepEqual(taken, []);
    await assertHint(elsewhere, other);
  });

  it('if the route has another account than the transfer was sent under', async () => {
    for (const says of [{}, SAYS_FAILED]) {
      const transfer = await storeSent();
      const id = await call(transfer, { says });
      assert.equal((await openProcess({ account: 'account-2' }).apply()).taken, 0);
      await assertHint(transfer, id);
    }
  });

  for (const [why, more] of [
    ['a contradiction is kept that it does not speak to', `contradictions = '{amount}'`],
    ['a success was reported before', 'unconfirmed_successes = 1'],
    [
      'the order was submitted again, since it may be about the first submission',
      'resubmissions = 1',
    ],
  ] as const) {
    it(`if it says FAILED and ${why}`, async () => {
      const transfer = await storeSent('in_doubt', `, ${more}`);
      const id = await call(transfer, { says: SAYS_FAILED });
      assert.equal((await openProcess().apply()).taken, 0);
      await assertHint(transfer, id);
    });
  }

  const unreadable: readonly [string, Given][] = [
    [
      'a failure code that is not known',
      { says: { ...SAYS_FAILED, failureReason: { failureCode: 'NEW' } } },
    ],
    ['a failure without a code', { says: { status: 'FAILED' } }],
    ['another payoutId', { says: { payoutId: randomUUID() } }],
    ['another amount than was read when it came', { says: { amount: '7777' } }],
    ['no number', { says: { recipient: {} } }],
    ['no JSON', { body: Buffer.from('COMPLETED') }],
  ];
  for (const [what, given] of unreadable) {
    it(`if its connector finds ${what} in it: the lease is given back`, async () => {
      const transfer = await storeSent();
      const id = await call(transfer, given);
      assert.equal((await openProcess().apply()).taken, 1);
      await assertHint(transfer, id);
    });
  }

  it('if the route stopped declaring it after the callback was taken', async () => {
    const transfer = await storeSent();
    const id = await call(transfer);
    const { taken } = await openProcess().take();
    await openProcess({ isFinal: false }).answer(taken);
    await assertHint(transfer, id);
  });
});
