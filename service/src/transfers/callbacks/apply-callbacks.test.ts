import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, describe, it } from 'node:test';
import { addTestAdministrators, newTestId } from '../../../test/stored-doubt.ts';
import { storeTestTransfer } from '../../../test/stored-transfer.ts';
import { createTestBook, createTestWallet } from '../../../test/test-book.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts';
import { NO_ROUTE, type Transfer } from '../../domain/transfer.ts';
import { closeIncident } from '../../resolutions/close-incident.ts';
import { reassignRemovedRoutes } from '../move/reassign-removed-routes.ts';
import { countOpenIncidents } from '../read/list-incidents.ts';
import { applyCallbacks } from './apply-callbacks.ts';
import { listUnmatchedPayments } from './list-unmatched-payments.ts';
import { type NewCallback, storeCallbacks } from './store-callbacks.ts';

const ROUTE = 'mtn-zm';

let test: TestDatabase;
let transfer: Transfer;
before(async () => {
  test = await createTestDatabase();
});
beforeEach(async () => {
  const book = await createTestBook(test.database, { mode: 'live' });
  const walletId = await createTestWallet(test.database, { bookId: book.id, fundedMinor: 1_000n });
  const leaseOwner = randomUUID();
  transfer = await storeTestTransfer(test.database, { book, walletId, leaseOwner, route: ROUTE });
});
after(() => test.drop());

async function call(given: Partial<NewCallback> = {}): Promise<string> {
  const id = randomUUID();
  await storeCallbacks(test.database, [
    {
      id,
      route: ROUTE,
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: Buffer.from('{"status":"SUCCESSFUL"}'),
      reading: 'read',
      cause: null,
      operatorReference: transfer.operatorReference,
      claims: 'paid',
      verified: false,
      reported: null,
      receivedAt: new Date(),
      ...given,
    },
  ]);
  return id;
}

/** The transfer as after an answer of the operator: no process works on it, and its next inquiry is in an hour. */
async function leaveIn(state: string, more = ''): Promise<void> {
  await test.database.query(
    {
      name: '',
      text: `update transfers set state = '${state}', lease_owner = null,
             next_action_at = now() + interval '1 hour' ${more} where id = $1`,
    },
    [transfer.id],
  );
}

async function isDue(): Promise<boolean> {
  const [row] = await test.database.query<{ due: boolean }>(
    { name: '', text: 'select next_action_at <= now() as due from transfers where id = $1' },
    [transfer.id],
  );
  return row?.due === true;
}

async function checks(): Promise<number | undefined> {
  const text = 'select checks from transfers where id = $1';
  const [row] = await test.database.query<{ checks: number }>({ name: '', text }, [transfer.id]);
  return row?.checks;
}

async function contradictions(): Promise<readonly string[] | undefined> {
  const [row] = await test.database.query<{ contradictions: string[] }>(
    { name: '', text: 'select contradictions from transfers where id = $1' },
    [transfer.id],
  );
  return row?.contradictions;
}

async function incidents(): Promise<readonly string[]> {
  const text = 'select kind from incidents where transfer_id = $1';
  const rows = await test.database.query<{ kind: string }>({ name: '', text }, [transfer.id]);
  return rows.map(({ kind }) => kind);
}

async function handledAs(id: string): Promise<string | null> {
  const [row] = await test.database.query<{ handled_as: string | null }>(
    { name: '', text: 'select handled_as from callbacks where id = $1' },
    [id],
  );
  return row?.handled_as ?? null;
}

const FAILED = `failure_code = 'OPERATOR_REJECTED', completed_at = now()`;
const FAMILIES = new Map([
  [ROUTE, 'mtn'],
  ['mtn-zm-2', 'mtn'],
  ['airtel-zm', 'airtel'],
]);
const apply = async () =>
  (await applyCallbacks(test.database, { at: new Date(), families: FAMILIES })).handled;

describe('a callback', () => {
  it('brings the next inquiry forward, and changes nothing else', async () => {
    await leaveIn('submitted');
    const id = await call();
    assert.equal(await apply(), 1);
    assert.equal(await isDue(), true);
    assert.equal(await handledAs(id), 'INQUIRED');
    const [row] = await test.database.query<{ state: string; event_seq: number }>(
      { name: '', text: 'select state, event_seq from transfers where id = $1' },
      [transfer.id],
    );
    assert.deepEqual(row, { state: 'submitted', event_seq: 1 });
  });

  it('that reports another payout than was sent leaves a contradiction with the transfer', async () => {
    await leaveIn('submitted');
    const { amountMinor, currency, phone } = transfer;
    await call({ reported: { amountMinor, currency, phone } });
    await call({ claims: 'failed', reported: { amountMinor: 1n, currency, phone } });
    await apply();
    assert.deepEqual(await contradictions(), []);
    await call({ reported: { amountMinor: amountMinor + 100n, currency: null, phone } });
    await call({ reported: { amountMinor: null, currency: 'NGN', phone: '+260977000000' } });
    await call({ reported: { amountMinor: amountMinor + 100n, currency, phone: null } });
    assert.equal(await apply(), 3);
    assert.deepEqual(await contradictions(), ['amount', 'currency', 'number']);
    assert.equal(await isDue(), true);
  });

  it('that reports another payout than the one that succeeded is an incident, once', async () => {
    await leaveIn('succeeded', ', completed_at = now()');
    const { amountMinor, currency, phone } = transfer;
    const same = await call({ reported: { amountMinor, currency, phone } });
    const reported = { amountMinor: amountMinor + 1n, currency, phone };
    const another = await call({ reported });
    await call({ reported });
    await apply();
    await call({ reported });
    await apply();
    assert.equal(await handledAs(same), 'NOTHING_NEW');
    assert.equal(await handledAs(another), 'CONTRADICTS_END');
    assert.deepEqual(await incidents(), ['mismatch_after_success']);
    assert.equal(await isDue(), false);
  });

  const unsent: readonly [string, string][] = [
    ['queued', ROUTE],
    ['queued', 'airtel-zm'],
    ['scheduled', NO_ROUTE],
    ['awaiting_approval', NO_ROUTE],
  ];
  for (const [state, route] of unsent) {
    it(`that says "paid" for a transfer in ${state} (route ${route}) is an incident, once`, async () => {
      await leaveIn(state, `, route = '${route}', first_submitted_at = null`);
      await call({ claims: 'failed' });
      await apply();
      assert.deepEqual(await incidents(), []);
      const first = await call();
      await call();
      await apply();
      await call();
      await apply();
      assert.equal(await handledAs(first), 'PAID_BEFORE_SENT');
      assert.deepEqual(await incidents(), ['paid_before_sent']);
      assert.equal(await isDue(), false, 'it is not sent sooner');
    });
  }

  it('that says "paid" for a queued transfer is an incident also while a process has claimed it', async () => {
    await leaveIn('queued');
    const text = 'update transfers set lease_owner = gen_random_uuid() where id = $1';
    await test.database.query({ name: '', text }, [transfer.id]);
    await call();
    await apply();
    assert.deepEqual(await incidents(), ['paid_before_sent']);
  });

  it('that says "paid" for a cancelled transfer is an incident where no inquiry can be made', async () => {
    const ended = `failure_code = 'CANCELLED', completed_at = now()`;
    await leaveIn('cancelled', `, ${ended}`);
    const inquired = await call();
    await apply();
    assert.equal(await handledAs(inquired), 'INQUIRED');
    assert.equal(await isDue(), true);
    assert.deepEqual(await incidents(), []);
    for (const route of [NO_ROUTE, 'airtel-zm', 'removed']) {
      await leaveIn('cancelled', `, ${ended}, route = '${route}'`);
      const other = await call({ claims: 'failed' });
      const id = await call();
      await apply();
      assert.equal(await handledAs(other), 'OF_OTHER_OPERATOR');
      assert.equal(await handledAs(id), 'PAID_AFTER_CANCELLATION');
      assert.equal(await isDue(), false);
    }
    assert.deepEqual(await incidents(), ['paid_after_failure']);
  });

  it('that says "paid" for a transfer that failed at another operator is an incident', async () => {
    for (const route of ['airtel-zm', 'removed']) {
      await leaveIn('failed', `, ${FAILED}, route = '${route}'`);
      const other = await call({ claims: 'failed' });
      const id = await call();
      await apply();
      assert.equal(await handledAs(other), 'OF_OTHER_OPERATOR');
      assert.equal(await handledAs(id), 'PAID_AFTER_FAILURE');
      assert.equal(await isDue(), false);
    }
    assert.deepEqual(await incidents(), ['paid_after_failure']);
  });

  for (const [state, more] of [
    ['submitting', ''],
    ['submitted', ''],
    ['in_doubt', ', in_doubt_since = now()'],
    ['succeeded', ', completed_at = now()'],
  ] as const) {
    it(`that says "paid" for a transfer in ${state} at another operator is an incident, once`, async () => {
      await leaveIn(state, `${more}, route = 'airtel-zm'`);
      const ids = [await call(), await call()];
      await apply();
      await call();
      await apply();
      for (const id of ids) assert.equal(await handledAs(id), 'PAID_BY_OTHER_OPERATOR');
      assert.deepEqual(await incidents(), ['paid_by_other_operator']);
      assert.equal(await isDue(), false);
    });

    it(`that says "paid" for a transfer in ${state} may be of its own operator, whose route has another name now`, async () => {
      await leaveIn(state, `${more}, route = 'renamed'`);
      const id = await call();
      await apply();
      assert.equal(await handledAs(id), 'OF_OTHER_OPERATOR');
      assert.deepEqual(await incidents(), []);
    });
  }

  it('about a transfer that has ended begins the schedule of inquiries anew', async () => {
    await leaveIn('in_doubt', ', in_doubt_since = now(), checks = 7');
    await call();
    await apply();
    assert.equal(await checks(), 7);
    await leaveIn('failed', `, ${FAILED}, in_doubt_since = null, checks = 100`);
    await call();
    await apply();
    assert.equal(await isDue(), true);
    assert.equal(await checks(), 0);
  });

  it('that comes before the response to our own request is kept until that has come', async () => {
    const id = await call();
    await apply();
    assert.equal(await handledAs(id), null);
    await leaveIn('submitted');
    await apply();
    assert.equal(await isDue(), true);
    assert.equal(await handledAs(id), 'INQUIRED');
  });

  it('that says the opposite of the recorded end leads to an inquiry', async () => {
    await leaveIn('failed', `, failure_code = 'OPERATOR_REJECTED', completed_at = now()`);
    await call({ claims: 'failed' });
    await apply();
    assert.equal(await isDue(), false, 'it says nothing new');
    await call({ claims: 'paid' });
    await apply();
    assert.equal(await isDue(), true);
  });

  for (const [when, ended] of [
    ['weeks after the end', `now() - interval '29 days'`],
    ['about an end in the hour before', `date_trunc('hour', now()) - interval '1 ms'`],
    ['about an end by a clock that is ahead of ours', `now() + interval '59 minutes'`],
  ]) {
    it(`that comes ${when} is matched to its transfer`, async () => {
      await leaveIn('failed', `, failure_code = 'OPERATOR_REJECTED', completed_at = ${ended}`);
      const id = await call({ claims: 'paid' });
      await apply();
      assert.equal(await handledAs(id), 'INQUIRED');
      assert.equal(await isDue(), true);
    });
  }

  it('that comes more than 30 days after the end is kept, and has no effect', async () => {
    const ended = `now() - interval '32 days'`;
    await leaveIn('failed', `, failure_code = 'OPERATOR_REJECTED', completed_at = ${ended}`);
    const id = await call({ claims: 'paid' });
    await apply();
    assert.equal(await handledAs(id), 'UNMATCHED');
    assert.equal(await isDue(), false);
  });

  it('that is forged, of another route, or for an unknown reference has no effect', async () => {
    await leaveIn('in_doubt', ', in_doubt_since = now()');
    const forged = await call({ reading: 'forged', cause: 'no signature', claims: null });
    const other = await call({ route: 'airtel-zm', claims: 'failed' });
    const unknown = await call({ operatorReference: randomUUID() });
    await apply();
    assert.equal(await isDue(), false);
    assert.equal(await handledAs(forged), 'forged');
    assert.equal(await handledAs(other), 'OF_OTHER_OPERATOR');
    assert.equal(await handledAs(unknown), 'UNMATCHED');
  });

  it('that says "paid" for a reference that no transfer has is reported to a person, once', async () => {
    const before = await countOpenIncidents(test.database);
    const forgotten = randomUUID();
    await call({ operatorReference: randomUUID(), claims: 'failed' });
    const first = await call({ operatorReference: forgotten, claims: 'paid' });
    await apply();
    await call({ operatorReference: forgotten, claims: 'paid' });
    await apply();
    assert.equal(await countOpenIncidents(test.database), before + 1);
    const { payments } = await listUnmatchedPayments(test.database);
    const reported = payments.filter(({ operatorReference }) => operatorReference === forgotten);
    assert.deepEqual(
      reported.map(({ id }) => id),
      [first],
    );
    const { Chanda: actor } = await addTestAdministrators(test.database, ['Chanda']);
    const deps = { database: test.database, now: () => new Date(), newId: newTestId };
    const closed = await closeIncident(deps, { actor, id: first, note: 'paid before' });
    assert.equal(closed.transferId, null);
    assert.equal(await countOpenIncidents(test.database), before);
  });

  it('may come by another route to the same operator, which has one address for all', async () => {
    await leaveIn('submitted');
    await call({ route: 'mtn-zm-2' });
    await apply();
    assert.equal(await isDue(), true);
  });

  it('may come a hundred times', async () => {
    await leaveIn('submitted');
    await Promise.all(Array.from({ length: 100 }, () => call()));
    assert.equal(await apply(), 100);
    assert.equal(await isDue(), true);
  });
});

describe('a transfer of a removed route', () => {
  const known = {
    routes: ['sandbox', 'new'],
    replacements: [{ operator: 'airtel', country: 'zm', route: 'new' } as const],
  };
  const routeOf = async () => {
    const [row] = await test.database.query<{ route: string }>(
      { name: '', text: 'select route from transfers where id = $1' },
      [transfer.id],
    );
    return row?.route;
  };

  it('goes to the first route of its operator and country while it was never sent', async () => {
    await leaveIn('queued');
    await reassignRemovedRoutes(test.database, known);
    assert.equal(await routeOf(), 'new');
  });

  it('stays with its own, and is counted, once it may have been sent', async () => {
    await leaveIn('submitted');
    const stranded = await reassignRemovedRoutes(test.database, known);
    assert.equal(await routeOf(), ROUTE);
    assert.ok(stranded.some(({ route, count }) => route === ROUTE && count >= 1));
  });
});
