import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createPayingProcess } from '../../../test/paying-process.ts';
import { TEST_ACTOR } from '../../../test/test-actor.ts';
import { bookOf, createTestMerchant, type TestMerchant } from '../../../test/test-merchant.ts';
import { createTwoCells, SECOND_CELL, type TwoCells } from '../../../test/two-cells.ts';
import { AdminRefused } from '../../domain/admin-refused.ts';
import { verifyLedger } from '../../ledger/verify-ledger.ts';
import type { Database } from '../../postgres/database.ts';
import { moveMerchant, undoMove } from './move-merchant.ts';

let cells: TwoCells;
before(async () => {
  cells = await createTwoCells();
});
after(() => cells.drop());

const ask = <R extends Record<string, unknown>>(
  database: Database,
  text: string,
  values: readonly unknown[] = [],
) => database.query<R>({ name: '', text }, values);

const requestFor = ({ id }: TestMerchant) => ({ actor: TEST_ACTOR, merchant: id, reason: null });

const pay = (database: Database, merchant: TestMerchant, phone = '+260977433571') =>
  createPayingProcess(database).pay(bookOf(merchant), {
    walletId: merchant.wallets.test.ZMW,
    phone,
  });

const stateIn = (database: Database, { id }: TestMerchant) =>
  ask(database, 'select state from merchants where id = $1', [id]);

describe('a copy that a server refuses', () => {
  async function refuseCopy(merchant: TestMerchant): Promise<void> {
    const { second, deps } = cells;
    const table = `${SECOND_CELL.schema}.wallets`;
    await ask(
      second.database,
      `alter table ${table} add constraint refused check (false) not valid`,
    );
    const moving = moveMerchant(deps, { ...requestFor(merchant), to: 'second' });
    await assert.rejects(moving, (error) => {
      assert.ok(error instanceof AdminRefused);
      const cause = `new row for relation "wallets" violates check constraint "refused"`;
      assert.deepEqual([error.code, error.facts], ['MOVE_NOT_COPIED', { table: 'wallets', cause }]);
      return true;
    });
    await ask(second.database, `alter table ${table} drop constraint refused`);
    assert.deepEqual(await stateIn(second.database, merchant), []);
    assert.deepEqual(await stateIn(cells.main.database, merchant), [{ state: 'closing' }]);
  }

  it('is taken back, and the merchant pays where it was', async () => {
    const { main, deps } = cells;
    const merchant = await createTestMerchant(main.database);
    await refuseCopy(merchant);
    await undoMove(deps, requestFor(merchant));
    assert.ok('id' in (await pay(main.database, merchant)));
  });

  it('is made again by the same command, and the merchant pays in its new cell', async () => {
    const { main, second, deps } = cells;
    const merchant = await createTestMerchant(main.database);
    await refuseCopy(merchant);
    await moveMerchant(deps, { ...requestFor(merchant), to: 'second' });
    assert.ok('id' in (await pay(second.database, merchant)));
    assert.equal((await verifyLedger(second.database)).ok, true);
  });
});
