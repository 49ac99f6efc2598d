import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { HELD_LOCK } from '../../../test/held-lock.ts';
import { TEST_ACTOR } from '../../../test/test-actor.ts';
import { createTestMerchant, type TestMerchant } from '../../../test/test-merchant.ts';
import { createTwoCells, type TwoCells } from '../../../test/two-cells.ts';
import { verifyLedger } from '../../ledger/verify-ledger.ts';
import { closeMerchant } from './close-merchant.ts';
import { forgetRows } from './forget-rows.ts';
import { leaveCell } from './leave-cell.ts';
import type { MoveLock } from './move-lock.ts';
import { forgetMoved, moveMerchant, undoMove } from './move-merchant.ts';
import { type MoveCell, readMerchantHere } from './moving-merchant.ts';
import { openMerchant } from './open-merchant.ts';

let cells: TwoCells;
before(async () => {
  cells = await createTwoCells();
});
after(() => cells.drop());

const requestFor = ({ id }: TestMerchant) => ({ actor: TEST_ACTOR, merchant: id, reason: null });
const move = (merchant: TestMerchant, to: string) =>
  moveMerchant(cells.deps, { ...requestFor(merchant), to });
const close = ({ database }: MoveCell, merchantId: string, epoch: number, lock = HELD_LOCK) =>
  closeMerchant({ database, lock, monotonicMs: cells.deps.monotonicMs }, { merchantId, epoch });
const standing = async ({ database }: MoveCell, { id }: TestMerchant) => {
  const here = await readMerchantHere(database, id);
  return here && { state: here.state, epoch: here.epoch };
};

/** The process is paused right after it saw its lock, and another does this meanwhile. */
const pausedFor = (work: () => Promise<unknown>): MoveLock => ({
  async check() {
    await work();
  },
});

const OVERTAKEN = /went on with this merchant/;

describe('opening a merchant', () => {
  it('is refused in a cell that it has left, and under an older epoch', async () => {
    const { main, second } = cells;
    const merchant = await createTestMerchant(main.database);
    await move(merchant, 'second');
    for (const epoch of [1, 2]) {
      const opening = openMerchant(main.database, HELD_LOCK, { merchantId: merchant.id, epoch });
      await assert.rejects(opening, /moved/);
    }
    assert.deepEqual(await standing(main, merchant), { state: 'moved', epoch: 1 });
    await close(second, merchant.id, 3);
    const older = { merchantId: merchant.id, epoch: 1 };
    await assert.rejects(openMerchant(second.database, HELD_LOCK, older), /epoch 2/);
    assert.deepEqual(await standing(second, merchant), { state: 'closing', epoch: 2 });
    await openMerchant(second.database, HELD_LOCK, { ...older, epoch: 2 });
    assert.deepEqual(await standing(second, merchant), { state: 'open', epoch: 2 });
  });

  it('is left to a process that opened it meanwhile and closed it for its next move', async () => {
    const { main } = cells;
    const merchant = await createTestMerchant(main.database);
    const merchantId = merchant.id;
    await close(main, merchantId, 2);
    const lock = pausedFor(async () => {
      await openMerchant(main.database, HELD_LOCK, { merchantId, epoch: 1 });
      await close(main, merchantId, 2);
    });
    await assert.rejects(openMerchant(main.database, lock, { merchantId, epoch: 1 }), OVERTAKEN);
    assert.deepEqual(await standing(main, merchant), { state: 'closing', epoch: 1 });
  });
});

describe('a merchant that another process moved on meanwhile', () => {
  it('is not closed', async () => {
    const { main, second, deps } = cells;
    const merchant = await createTestMerchant(main.database);
    const lock = pausedFor(async () => {
      await move(merchant, 'second');
      await forgetMoved(deps, requestFor(merchant));
      await move(merchant, 'main');
    });
    await assert.rejects(close(main, merchant.id, 2, lock), OVERTAKEN);
    assert.deepEqual(await standing(main, merchant), { state: 'open', epoch: 3 });
    assert.deepEqual(await standing(second, merchant), { state: 'moved', epoch: 2 });
  });

  it('keeps the rows that were copied anew', async () => {
    const { main, second, deps } = cells;
    const merchant = await createTestMerchant(main.database);
    const copy = async () => {
      let isCopying = false;
      const stopping = {
        ...deps,
        onProgress: () => {
          isCopying = true;
        },
        now: () => {
          if (isCopying) throw new Error('stopped');
          return new Date();
        },
      };
      const moving = moveMerchant(stopping, { ...requestFor(merchant), to: 'second' });
      await assert.rejects(moving, /stopped/);
    };
    await copy();
    const database = second.database;
    const lock = pausedFor(async () => {
      await undoMove(deps, requestFor(merchant));
      await copy();
    });
    await assert.rejects(forgetRows({ database, lock }, merchant.id), OVERTAKEN);
    await move(merchant, 'second');
    assert.equal((await verifyLedger(database)).ok, true);
    const wallets = 'select from wallets where book_id = $1';
    const found = await database.query({ name: '', text: wallets }, [merchant.books.test]);
    assert.ok(found.length > 0);
  });

  it('is not marked as moved where it is served again', async () => {
    const { main, second, deps } = cells;
    const merchant = await createTestMerchant(main.database);
    await move(merchant, 'second');
    const lock = pausedFor(async () => {
      await forgetMoved(deps, requestFor(merchant));
      await move(merchant, 'main');
    });
    await assert.rejects(leaveCell({ source: main, target: second, lock }, merchant.id), OVERTAKEN);
    assert.deepEqual(await standing(main, merchant), { state: 'open', epoch: 3 });
    await assert.rejects(undoMove(deps, requestFor(merchant)), { code: 'MOVE_NOT_FOUND' });
  });
});
