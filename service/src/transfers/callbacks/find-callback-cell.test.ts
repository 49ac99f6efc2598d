import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { storeTestTransfer } from '../../../test/stored-transfer.ts';
import { createTestBook, createTestWallet } from '../../../test/test-book.ts';
import { addTestCell, type TestCell } from '../../../test/test-cell.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts';
import type { Cell } from '../../cells/cell.ts';
import type { Transfer } from '../../domain/transfer.ts';
import type { Database } from '../../postgres/database.ts';
import { findCallbackCell } from './find-callback-cell.ts';

let test: TestDatabase;
let east: TestCell;
before(async () => {
  test = await createTestDatabase();
  east = await addTestCell(test, 'east');
});
after(async () => {
  await east.database.close();
  await test.drop();
});

async function storeIn(database: Database): Promise<Transfer> {
  const book = await createTestBook(database, { mode: 'live' });
  const walletId = await createTestWallet(database, { bookId: book.id, fundedMinor: 1_000n });
  const leaseOwner = randomUUID();
  return storeTestTransfer(database, { book, walletId, leaseOwner, route: 'mtn-zm' });
}

/** Ended this many hours ago. */
async function endIn(database: Database, { id }: Transfer, hours: number): Promise<void> {
  const text = `
    update transfers set state = 'succeeded', lease_owner = null, next_action_at = null,
           completed_at = now() - $2::integer * interval '1 hour' where id = $1`;
  await database.query({ name: '', text }, [id, hours]);
}

const cells = (): readonly Cell[] => [
  { name: 'east', database: east.database },
  { name: 'main', database: test.database },
];

const find = async (
  operatorReference: string | null,
  asked: readonly Cell[] = cells(),
  down: readonly string[] = [],
): Promise<string> =>
  (await findCallbackCell({ cells: asked, down }, { operatorReference, at: new Date() })).name;

const failing = (message: string): Database => ({
  ...east.database,
  async query() {
    throw new Error(message);
  },
});

describe('a callback', () => {
  it('is of the cell that has its unfinished transfer', async () => {
    assert.equal(await find((await storeIn(east.database)).operatorReference), 'east');
    assert.equal(await find((await storeIn(test.database)).operatorReference), 'main');
  });

  it('is found up to 30 days after the end of its transfer', async () => {
    const transfer = await storeIn(east.database);
    for (const hours of [0, 5, 719]) {
      await endIn(east.database, transfer, hours);
      assert.equal(await find(transfer.operatorReference), 'east', `${hours} hours`);
    }
    await endIn(east.database, transfer, 722);
    assert.equal(await find(transfer.operatorReference), 'main');
  });

  it('is looked for in a month of other cells only if its transfer did not end a moment ago', async () => {
    const transfer = await storeIn(east.database);
    await endIn(east.database, transfer, 1);
    const hours: number[] = [];
    const listening = cells().map(({ name, database }): Cell => {
      const query: Database['query'] = (statement, values = []) => {
        if (statement.name === 'find-ended-of-callback') hours.push(Number(values.at(-1)));
        return database.query(statement, values);
      };
      return { name, database: { ...database, query } };
    });
    assert.equal(await find(transfer.operatorReference, listening), 'east');
    assert.deepEqual([...new Set(hours)], [3]);
    assert.equal(await find(randomUUID(), listening), 'main');
    assert.deepEqual([...new Set(hours)], [3, 720]);
  });

  it('is not of a cell that its merchant left, or is only being copied to', async () => {
    const { operatorReference, bookId } = await storeIn(east.database);
    const text = `
      update merchants m set state = $2 from books b where b.merchant_id = m.id and b.id = $1`;
    for (const [state, cell] of [
      ['moved', 'main'],
      ['arriving', 'main'],
      ['closing', 'east'],
    ]) {
      await east.database.query({ name: '', text }, [bookId, state]);
      assert.equal(await find(operatorReference), cell, state);
    }
  });

  it('goes to the first cell if none has its transfer, or it names none', async () => {
    assert.equal(await find(randomUUID()), 'main');
    assert.equal(await find(null), 'main');
    assert.equal(await find(null, cells().slice(0, 1)), 'east');
  });

  it('asks nothing where there is one cell', async () => {
    const [, main] = cells();
    assert.ok(main !== undefined);
    const silent = { ...main, database: failing('asked') };
    assert.equal(await find(randomUUID(), [silent]), 'main');
  });

  it('is found at once while another cell hangs', async () => {
    const { operatorReference } = await storeIn(test.database);
    const answer = Promise.withResolvers<never[]>();
    const asked = cells().map((cell) =>
      cell.name === 'east'
        ? { ...cell, database: { ...cell.database, query: () => answer.promise } }
        : cell,
    );
    const startedMs = performance.now();
    assert.equal(await find(operatorReference, asked), 'main');
    assert.ok(performance.now() - startedMs < 1_000, 'it did not wait for the deadline');
    answer.resolve([]);
  });

  it('is found while another cell does not answer, and refused if it may be of that one', async () => {
    const { operatorReference } = await storeIn(test.database);
    const asked = cells().map((cell) =>
      cell.name === 'east' ? { ...cell, database: failing('away') } : cell,
    );
    assert.equal(await find(operatorReference, asked), 'main');
    await assert.rejects(find(randomUUID(), asked), { code: 'CELL_UNAVAILABLE' });
    const up = cells().slice(1);
    assert.equal(await find(operatorReference, up, ['east']), 'main');
    await assert.rejects(find(randomUUID(), up, ['east']), { code: 'CELL_UNAVAILABLE' });
    await assert.rejects(find(null, [], ['east', 'main']), { code: 'CELL_UNAVAILABLE' });
  });
});
