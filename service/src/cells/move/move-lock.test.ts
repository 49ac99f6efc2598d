import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { HELD_LOCK } from '../../../test/held-lock.ts';
import { createPayingProcess } from '../../../test/paying-process.ts';
import { TEST_ACTOR } from '../../../test/test-actor.ts';
import { bookOf, createTestMerchant } from '../../../test/test-merchant.ts';
import { createTwoCells, type TwoCells } from '../../../test/two-cells.ts';
import { type LockTimes, lockMoves } from './move-lock.ts';
import { type MoveDeps, moveMerchant, undoMove } from './move-merchant.ts';
import { openMerchant } from './open-merchant.ts';

let cells: TwoCells;
before(async () => {
  cells = await createTwoCells();
});
after(() => cells.drop());

const ask = (text: string, values: readonly unknown[] = []) =>
  cells.directory.query({ name: '', text }, values);
const moved = async () => 'moved';

/** Its connection is cut, as by a server that starts again. */
const loseLock = () =>
  ask(`
    select pg_terminate_backend(l.pid) from pg_locks l join pg_database d on d.oid = l.database
    where l.locktype = 'advisory' and l.classid = 724631 and d.datname = current_database()`);

/** Does something after the copy is committed, while its ledger is to be verified. */
function afterCopy(work: () => Promise<unknown>): MoveDeps {
  const { deps } = cells;
  const { database, name } = deps.cellNamed('second');
  let isDone = false;
  const second: typeof database = {
    ...database,
    async transaction(inside) {
      if (!isDone) {
        isDone = true;
        await work();
      }
      return database.transaction(inside);
    },
  };
  return {
    ...deps,
    cellNamed: (cell) => (cell === name ? { name, database: second } : deps.cellNamed(cell)),
  };
}

/** Takes the lock, and keeps it until it is released, unless the server ends it. */
async function keepLock(id: string, times: LockTimes) {
  const isLocked = Promise.withResolvers<void>();
  const isReleased = Promise.withResolvers<void>();
  const work = () => {
    isLocked.resolve();
    return isReleased.promise;
  };
  const end = lockMoves(cells.directory, id, work, times).then(
    () => 'kept',
    () => 'lost',
  );
  await isLocked.promise;
  return { end, release: isReleased.resolve };
}

describe('the lock on the moves of a merchant', () => {
  it('ends when its process says nothing any more, and not before', async () => {
    const { directory, main } = cells;
    const { id } = await createTestMerchant(main.database);
    const isUnderWay = () =>
      assert.rejects(lockMoves(directory, id, moved), { code: 'MOVE_UNDER_WAY' });
    const pinging = await keepLock(id, { pingEveryMs: 50, silentMaxMs: 2_000 });
    await pause(2_500);
    await isUnderWay();
    pinging.release();
    assert.equal(await pinging.end, 'kept');
    const silent = await keepLock(id, { pingEveryMs: 60_000, silentMaxMs: 2_000 });
    await isUnderWay();
    await pause(2_500);
    assert.equal(await lockMoves(directory, id, moved), 'moved');
    silent.release();
    assert.equal(await silent.end, 'lost');
  });

  it('is looked at before each step: a copy that was deleted by an undo meanwhile is not switched to', async () => {
    const { main, second, deps } = cells;
    const merchant = await createTestMerchant(main.database);
    const request = { actor: TEST_ACTOR, merchant: merchant.id, reason: null };
    const sourceAway = {
      ...deps,
      cellNamed: (name: string) => {
        if (name === 'main') throw new Error('the server is away');
        return deps.cellNamed(name);
      },
    };
    const interrupted = afterCopy(async () => {
      await loseLock();
      await assert.rejects(undoMove(sourceAway, request), /away/);
    });
    await assert.rejects(moveMerchant(interrupted, { ...request, to: 'second' }));
    assert.deepEqual(await ask('select cell, epoch from merchants where id = $1', [merchant.id]), [
      { cell: 'main', epoch: 1 },
    ]);
    await moveMerchant(deps, { ...request, to: 'second' });
    const { pay } = createPayingProcess(second.database);
    const order = { walletId: merchant.wallets.test.ZMW, reference: 'after' };
    assert.ok('id' in (await pay(bookOf(merchant), order)));
  });
});

describe('the phase of a move', () => {
  it('is set only by a process that knows the one before', async () => {
    const { main, deps } = cells;
    const merchant = await createTestMerchant(main.database);
    const request = { actor: TEST_ACTOR, merchant: merchant.id, reason: null };
    const setCopied = `update moves set phase = 'copied' where merchant_id = $1`;
    const interrupted = afterCopy(() => ask(setCopied, [merchant.id]));
    await assert.rejects(moveMerchant(interrupted, { ...request, to: 'second' }), /phase closing/);
    const { to } = await moveMerchant(deps, { ...request, to: 'second' });
    assert.equal(to, 'second');
  });
});

describe('a copy that no move knows of any more', () => {
  it('is made anew by the next move', async () => {
    const { main, deps } = cells;
    const merchant = await createTestMerchant(main.database);
    const request = { actor: TEST_ACTOR, merchant: merchant.id, reason: null };
    const setUndone = `update moves set phase = 'undone', ended_at = now() where merchant_id = $1`;
    const interrupted = afterCopy(() => ask(setUndone, [merchant.id]));
    await assert.rejects(moveMerchant(interrupted, { ...request, to: 'second' }));
    await openMerchant(main.database, HELD_LOCK, { merchantId: merchant.id, epoch: 1 });
    const { rows } = await moveMerchant(deps, { ...request, to: 'second' });
    assert.ok((rows ?? 0) > 0);
  });
});
