import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createPayingProcess } from '../../../test/paying-process.ts';
import { TEST_ACTOR } from '../../../test/test-actor.ts';
import { cellsOf } from '../../../test/test-database.ts';
import { bookOf, createTestMerchant, type TestMerchant } from '../../../test/test-merchant.ts';
import { createTwoCells, type TwoCells } from '../../../test/two-cells.ts';
import { unreachableCell } from '../../cells/cell.ts';
import { moveMerchant } from '../../cells/move/move-merchant.ts';
import type { Database } from '../../postgres/database.ts';
import { findNamedTransferCell, findTransferCell } from './find-transfer-cell.ts';

let world: TwoCells;
let moved: TestMerchant;
let deps: Parameters<typeof findTransferCell>[0];
before(async () => {
  world = await createTwoCells();
  const { main, second, directory } = world;
  deps = { directory, cells: cellsOf({ main: main.database, second: second.database }) };
  moved = await createTestMerchant(main.database);
  await pay(main.database, moved, 'moved-1');
  const move = { actor: TEST_ACTOR, merchant: moved.id, reason: null };
  await moveMerchant(world.deps, { ...move, to: second.name });
});
after(() => world.drop());

async function pay(database: Database, merchant: TestMerchant, reference: string): Promise<void> {
  const { pay: payOne } = createPayingProcess(database);
  await payOne(bookOf(merchant), { walletId: merchant.wallets.test.ZMW, reference });
  // As if the process that has it had ended.
  const text = `update transfers set next_action_at = now() where reference = $1`;
  await database.query({ name: '', text }, [reference]);
}

const named = (text: string, from = deps) =>
  findNamedTransferCell(from, { text, merchantId: null, mode: null });

async function idOf(reference: string): Promise<string> {
  const text = 'select id from transfers where reference = $1';
  const values = [reference];
  const [row] = await world.second.database.query<{ id: string }>({ name: '', text }, values);
  return row?.id ?? assert.fail('no transfer');
}

/** A move that was cut off after its switch, or a cell that comes from a backup, leaves it so. */
const leaveRows = (state: 'closing' | 'moved') =>
  world.main.database.transaction(async (tx) => {
    await tx.query({ name: '', text: `select set_config('kafue.moving', $1, true)` }, [moved.id]);
    const text = 'update merchants set state = $2 where id = $1';
    await tx.query({ name: '', text }, [moved.id, state]);
  });

describe('a transfer that two cells have rows of', () => {
  before(() => leaveRows('closing'));
  after(() => leaveRows('moved'));

  it('is in the cell that the directory names', async () => {
    const id = await idOf('moved-1');
    assert.equal((await findTransferCell(deps, id)).name, 'second');
    assert.equal((await named(id)).name, 'second');
    assert.equal((await named('moved-1')).name, 'second');
  });

  it('is not looked at where it was while that cell does not answer', async () => {
    const all = [{ name: 'main', database: world.main.database }, unreachableCell('second')];
    const away = { ...deps, cells: { list: () => all } };
    const id = await idOf('moved-1');
    await assert.rejects(findTransferCell(away, id), { code: 'CELL_UNAVAILABLE' });
    await assert.rejects(named('moved-1', away), { code: 'CELL_UNAVAILABLE' });
  });
});

describe('a reference that merchants of two cells have', () => {
  it('is refused with whose they are, and an id is found all the same', async () => {
    const other = await createTestMerchant(world.main.database);
    const id = await idOf('moved-1');
    for (const reference of ['moved-1', id]) await pay(world.main.database, other, reference);
    await assert.rejects(named('moved-1'), { code: 'TRANSFER_AMBIGUOUS' });
    assert.equal((await named(id)).name, 'second');
  });
});
