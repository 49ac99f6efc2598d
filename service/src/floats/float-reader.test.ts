import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, afterEach, before, describe, it, type TestContext } from 'node:test';
import { scriptRoute, scriptRoutes } from '../../test/fake-route.ts';
import { pollUntil } from '../../test/poll.ts';
import { storeTestTransfer } from '../../test/stored-transfer.ts';
import { createTestBook, createTestWallet } from '../../test/test-book.ts';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import type { Book } from '../domain/book.ts';
import type { BalanceAnswer } from '../operators/contract/connector.ts';
import type { Routes } from '../operators/routes/route.ts';
import { claimFloats, nextFloatInMs } from './claim-floats.ts';
import { createFloatReader } from './float-reader.ts';
import { listFloats, type RouteFloat } from './list-floats.ts';

const ROUTE = 'mtn-zm';
/** The shortest interval is a second at every time scale. */
const OFTEN = { readEveryMs: 1, low: { belowMinor: 2_000n, hours: 4 } };

let test: TestDatabase;
let book: Book;
let walletId: string;
before(async () => {
  test = await createTestDatabase();
  book = await createTestBook(test.database, { mode: 'live' });
  walletId = await createTestWallet(test.database, { bookId: book.id, fundedMinor: 1_000_000n });
});
after(() => test.drop());
afterEach(async () => {
  for (const table of ['route_floats', 'route_hours']) {
    await test.database.query({ name: '', text: `delete from ${table}` });
  }
  await test.database.query({ name: '', text: `update transfers set route = 'before'` });
});

const reported = (availableMinor: bigint): BalanceAnswer => ({
  kind: 'known',
  availableMinor,
  currency: 'ZMW',
});

function startReader(t: TestContext, routes: Routes): readonly string[] {
  const logged: string[] = [];
  const note = (fields: object) => void logged.push(JSON.stringify(fields));
  const reader = createFloatReader({
    directory: test.directory,
    cells: test.cells,
    routes,
    monotonicMs: () => performance.now(),
    logger: { info: note, warn: note, error: note },
  });
  t.after(() => reader.stop());
  reader.start();
  return logged;
}

async function floatOf(
  wanted: (float: RouteFloat) => boolean = () => true,
  route: string = ROUTE,
): Promise<RouteFloat> {
  let found: RouteFloat | undefined;
  await pollUntil('the float', async () => {
    const floats = await listFloats(test.directory);
    found = floats.find((one) => one.route === route && one.currency === 'ZMW' && wanted(one));
    return found !== undefined;
  });
  assert.ok(found !== undefined);
  return found;
}

async function store(
  given: Readonly<{ amountMinor: bigint; state?: string; route?: string }>,
): Promise<void> {
  const { amountMinor, state = 'queued', route = ROUTE } = given;
  const reserved = state !== 'queued';
  const stored = { book, walletId, leaseOwner: randomUUID(), route, reserved, amountMinor };
  const { id } = await storeTestTransfer(test.database, stored);
  if (!reserved || state === 'submitting') return;
  await test.database.query(
    {
      name: '',
      text: `update transfers
             set state = $2::text, in_doubt_since = case when $2::text = 'in_doubt' then now() end,
                 failure_code = case when $2::text = 'failed' then 'OPERATOR_REJECTED' end,
                 completed_at = case when $2::text <> 'in_doubt' then now() end,
                 next_action_at = case when $2::text = 'in_doubt' then next_action_at end
             where id = $1`,
    },
    [id, state],
  );
}

describe('the float of a route', () => {
  it("is the operator's figure without what is under way and queued", async (t) => {
    await store({ amountMinor: 300n, state: 'submitting' });
    await store({ amountMinor: 40n, state: 'in_doubt' });
    await store({ amountMinor: 5n });
    await store({ amountMinor: 7_000n, state: 'failed' });
    const { routes } = scriptRoute({ name: ROUTE, balance: async () => reported(10_000n) });
    startReader(t, routes);
    const float = await floatOf(({ readAt }) => readAt !== null);
    assert.equal(float.operatorMinor, 10_000n);
    assert.equal(float.underWayMinor, 340n);
    assert.equal(float.queuedMinor, 5n);
    assert.equal(float.spendableMinor, 9_655n);
    assert.equal(float.level, 'ok');
    assert.equal(float.hoursLeft, null, 'nothing was paid, so the hours are unknown');
    assert.equal(float.differenceMinor, 0n, 'our own figure begins with the first one');
  });

  it('shows what our own books say beside it, and how long it lasts', async (t) => {
    let balance = 10_000n;
    const { routes } = scriptRoute({
      name: ROUTE,
      balance: async () => reported(balance),
      timeScale: 0.01,
      float: OFTEN,
    });
    await store({ amountMinor: 1_000n, state: 'succeeded' });
    startReader(t, routes);
    const first = await floatOf(({ readAt }) => readAt !== null);
    assert.equal(first.oursMinor, 10_000n, 'what was paid before is in the first figure');
    await store({ amountMinor: 2_400n, state: 'succeeded' });
    balance = 7_500n;
    const { oursMinor, differenceMinor, hoursLeft, paidDayMinor } = await floatOf(
      (float) => float.operatorMinor === balance && float.paidDayMinor === 3_400n,
    );
    assert.equal(oursMinor, 7_600n);
    assert.equal(differenceMinor, -100n);
    assert.equal(paidDayMinor, 3_400n);
    assert.ok(hoursLeft !== null && hoursLeft > 50 && hoursLeft <= (7_500 / 3_400) * 24);
  });

  it('keeps the last figure and says why there is no newer one', async (t) => {
    let answer: BalanceAnswer = reported(5_000n);
    const { routes } = scriptRoute({ name: ROUTE, balance: async () => answer, float: OFTEN });
    startReader(t, routes);
    await floatOf(({ readAt }) => readAt !== null);
    answer = { kind: 'unreachable', cause: 'HTTP 500' };
    const failed = await floatOf(({ error }) => error === 'HTTP 500');
    assert.equal(failed.operatorMinor, 5_000n);
    assert.ok(failed.failingSince !== null);
    answer = reported(4_000n);
    const again = await floatOf(({ operatorMinor }) => operatorMinor === 4_000n);
    assert.equal(again.error, null);
    assert.equal(again.failingSince, null);
  });

  it('is logged once for each change of its level', async (t) => {
    let balance = 10_000n;
    const script = { name: ROUTE, balance: async () => reported(balance), float: OFTEN };
    const logged = startReader(t, scriptRoute(script).routes);
    const levels = ['ok', 'low', 'out', 'ok'];
    for (const [index, next] of [10_000n, 1_999n, 0n, 2_000n].entries()) {
      balance = next;
      // In two currencies, since the route of the test has both.
      await pollUntil(`${levels[index]}`, () => logged.length === 2 * (index + 1));
    }
    // The level stays while the figure is read again.
    const { readAt: before } = await floatOf();
    await floatOf(({ readAt }) => (readAt?.getTime() ?? 0) > (before?.getTime() ?? 0) + 900);
    const said = logged.map((line) => (JSON.parse(line) as { state: string }).state);
    assert.deepEqual(
      said,
      levels.flatMap((level) => [level, level]),
    );
  });

  it('is unknown where the operator has no call for it', async (t) => {
    await store({ amountMinor: 70n });
    startReader(t, scriptRoute({ name: ROUTE }).routes);
    const float = await floatOf(({ queuedMinor }) => queuedMinor === 70n);
    assert.equal(float.reportsBalance, false);
    assert.equal(float.level, 'unknown');
    assert.equal(float.spendableMinor, null);
    assert.equal(float.ageMs, null);
  });

  it('is shared by the routes of one account', async (t) => {
    const shared = { balance: async () => reported(1_000n), account: () => 'one account' };
    await store({ amountMinor: 300n, route: 'first' });
    await store({ amountMinor: 450n, route: 'second' });
    const scripts = [
      { ...shared, name: 'first' },
      { ...shared, name: 'second' },
      { ...shared, name: 'other', account: () => 'another account' },
    ];
    startReader(t, scriptRoutes(scripts).routes);
    const spendable = async (route: string) =>
      (await floatOf(({ readAt }) => readAt !== null, route)).spendableMinor;
    assert.equal(await spendable('first'), 250n);
    assert.equal(await spendable('second'), 250n);
    assert.equal(await spendable('other'), 1_000n);
  });

  it('is asked for by one of many processes at a time', async () => {
    const route = {
      route: ROUTE,
      currency: 'ZMW',
      reportsBalance: true,
      rule: OFTEN,
      intervalMs: 60_000,
    } as const;
    const claim = () => claimFloats(test.directory, [route]);
    const claimed = await Promise.all(Array.from({ length: 8 }, claim));
    assert.equal(claimed.flat().length, 1);
    assert.ok((await nextFloatInMs(test.directory, [route])) > 0);
  });
});
