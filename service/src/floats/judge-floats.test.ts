import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { scriptRoutes } from '../../test/fake-route.ts';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import { isFloatBelow, judgeFloats } from './judge-floats.ts';

describe('whether floats are enough', () => {
  let test: TestDatabase;
  before(async () => {
    test = await createTestDatabase();
    const text = `
      insert into route_floats (route, currency, account, reports_balance, low_hours, next_at, operator_minor, read_at)
      values ('first', 'ZMW', 'one', true, 4, now(), 1000, now()),
             ('second', 'ZMW', 'one', true, 4, now(), 1000, now()),
             ('other', 'ZMW', 'two', true, 4, now(), 1000, now()),
             ('old', 'ZMW', 'three', true, 4, now(), 1000, now() - interval '16 minutes')`;
    await test.database.query({ name: '', text });
  });
  after(() => test.drop());

  it('is judged for all that routes of one account are to pay together', async () => {
    const names = ['first', 'second', 'other', 'old', 'new'];
    const { routes } = scriptRoutes(names.map((name) => ({ name })));
    const need = (name: string, neededMinor: bigint) => {
      return { route: routes.named(name), currency: 'ZMW', neededMinor } as const;
    };
    const judge = (...needs: readonly ReturnType<typeof need>[]) =>
      judgeFloats(test.database, needs);
    assert.deepEqual(await judge(need('first', 1_000n)), ['enough']);
    assert.deepEqual(
      await judge(need('first', 600n), need('second', 401n), need('other', 1_000n)),
      ['not_enough', 'not_enough', 'enough'],
    );
    assert.deepEqual(await judge(need('old', 1n), need('new', 1n)), ['unknown', 'unknown']);
    assert.deepEqual(await judge(need('first', 0n)), [null]);
  });

  it('is said of a payout only by a figure that is not old', async () => {
    const isBelow = (route: string, amountMinor: bigint) =>
      isFloatBelow(test.database, { route, currency: 'ZMW', amountMinor });
    assert.equal(await isBelow('first', 1_001n), true);
    assert.equal(await isBelow('first', 1_000n), false);
    assert.equal(await isBelow('old', 1_001n), false);
    assert.equal(await isBelow('new', 1n), false);
  });
});
