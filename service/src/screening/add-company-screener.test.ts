import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { createTestSealer } from '../../test/stored-delivery.ts';
import { TEST_ACTOR } from '../../test/test-actor.ts';
import { createTestMerchant, type TestMerchant } from '../../test/test-merchant.ts';
import { storePerson } from '../../test/test-person.ts';
import { createTwoCells, type TwoCells } from '../../test/two-cells.ts';
import { unreachableCell } from '../cells/cell.ts';
import { moveMerchant } from '../cells/move/move-merchant.ts';
import { followCompany } from '../controls/follow-company.ts';
import type { PersonActor } from '../domain/actor.ts';
import { COMPANY_BOOK_ID } from '../domain/company-book.ts';
import { addCompanyScreener } from './add-company-screener.ts';
import { addScreener } from './add-screener.ts';
import { removeScreener } from './remove-screener.ts';

describe('a screener of the company', () => {
  let cells: TwoCells;
  let merchant: TestMerchant;
  let admin: PersonActor;
  before(async () => {
    cells = await createTwoCells();
    const person = await storePerson(cells.main.database, { staffRoles: ['admin'] });
    admin = { kind: 'person', id: person.id, name: person.name };
    merchant = await createTestMerchant(cells.second.database);
  });
  after(() => cells.drop());

  const making = {
    sealer: createTestSealer(),
    randomBytes,
    now: () => new Date(),
    newId: randomUUID,
  };
  const values = (name: string) => ({
    actor: admin,
    name,
    url: new URL('https://screen.example.com/'),
    deadlineMs: 1_000,
  });
  const inSecond = () => ({ ...making, database: cells.second.database });
  const owner = () => ({ bookId: merchant.books.live, merchantId: merchant.id });
  const addOwn = (name: string) => addScreener(inSecond(), { ...values(name), owner: owner() });
  const follow = () => followCompany(cells.main.database, cells.second.database);
  const addCompanys = (name: string, tellCells: () => Promise<unknown> = follow) =>
    addCompanyScreener(
      {
        ...making,
        database: cells.main.database,
        cells: { list: () => [cells.main, cells.second] },
        tellCells: async () => void (await tellCells()),
      },
      values(name),
    );

  async function companysIn(cell: 'main' | 'second', name: string): Promise<number> {
    const text = 'select from screeners where book_id = $1 and name = $2 and removed_at is null';
    const rows = await cells[cell].database.query({ name: '', text }, [COMPANY_BOOK_ID, name]);
    return rows.length;
  }

  const TAKEN = { code: 'INVALID_STATE' };

  it('does not take a name that a book of another cell has', async () => {
    const { screener } = await addOwn('elsewhere');
    await assert.rejects(addCompanys('elsewhere'), TAKEN);
    await removeScreener(inSecond(), { actor: admin, owner: owner(), id: screener.id });
    await addCompanys('elsewhere');
    await assert.rejects(addOwn('elsewhere'), TAKEN);
  });

  it('is removed again when a book of another cell was faster', async () => {
    let isFirst = true;
    const tell = async () => {
      if (isFirst) await addOwn('raced');
      isFirst = false;
      await follow();
    };
    await assert.rejects(addCompanys('raced', tell), TAKEN);
    assert.deepEqual(
      [await companysIn('main', 'raced'), await companysIn('second', 'raced')],
      [0, 0],
    );
  });

  it('waits for all cells to say that no book has its name', async () => {
    const { database } = cells.main;
    const list = () => [cells.main, unreachableCell('second')];
    const deps = { ...making, database, cells: { list }, tellCells: () => Promise.resolve() };
    await assert.rejects(addCompanyScreener(deps, values('away')), { code: 'CELL_UNAVAILABLE' });
    assert.equal(await companysIn('main', 'away'), 0);
  });

  it('may have a name that a merchant gave up after it had moved', async () => {
    const { screener } = await addOwn('given-up');
    await moveMerchant(cells.deps, {
      actor: TEST_ACTOR,
      merchant: merchant.id,
      to: 'main',
      reason: null,
    });
    await assert.rejects(addCompanys('given-up'), TAKEN);
    const inMain = { ...making, database: cells.main.database };
    await removeScreener(inMain, { actor: admin, owner: owner(), id: screener.id });
    await addCompanys('given-up');
  });
});
