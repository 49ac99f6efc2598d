import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { runCommand } from '../../../test/admin-command.ts';
import { callStaff, type StaffCall, staffDeps } from '../../../test/call-staff.ts';
import { addSecondCell } from '../../../test/second-cell.ts';
import { addTestAdministrators, storeDoubt } from '../../../test/stored-doubt.ts';
import { createTestDatabase, TEST_CELL, type TestDatabase } from '../../../test/test-database.ts';
import { type Cells, unreachableCell } from '../../cells/cell.ts';
import type { PersonActor } from '../../domain/actor.ts';
import type { Transfer } from '../../domain/transfer.ts';
import { createMerchant } from '../../merchants/create-merchant.ts';
import { findMerchant } from '../../merchants/find-merchant.ts';
import type { Database } from '../../postgres/database.ts';
import { findAnyTransfer } from '../../transfers/read/find-any-transfer.ts';

let test: TestDatabase;
let second: Database;
let cells: Cells;
let people: Readonly<Record<'Chanda' | 'Mutinta', PersonActor>>;
before(async () => {
  test = await createTestDatabase();
  ({ second, cells } = await addSecondCell(test));
  people = await addTestAdministrators(test.directory, ['Chanda', 'Mutinta']);
});
after(async () => {
  await second.close();
  await test.drop();
});

const deps = (asked: Cells = cells) => staffDeps({ directory: test.directory, cells: asked });

type Call = Partial<StaffCall> & Readonly<{ asked?: Cells }>;

function call(operationId: string, { asked = cells, as = people.Chanda, ...rest }: Call = {}) {
  return callStaff({ directory: test.directory, cells: asked }, operationId, { as, ...rest });
}

type Listed = Readonly<{ transfer: Readonly<{ id: string }> }>;
const idsOf = (items: readonly Listed[]) => items.map(({ transfer }) => transfer.id);

describe('the staff, over two cells', () => {
  let first: Transfer;
  let other: Transfer;
  before(async () => {
    first = await storeDoubt(test.database);
    other = await storeDoubt(second);
  });

  it('see the doubts of both, the oldest first', async () => {
    const { items, more, unansweredCells } = await call('listDoubts');
    assert.deepEqual(idsOf(items), [first.id, other.id]);
    assert.deepEqual([more, unansweredCells], [false, []]);
  });

  it('are told which cell did not answer, and see what the other has', async () => {
    const asked = {
      ...cells,
      list: () => [cells.named(TEST_CELL.name), unreachableCell('second')],
    };
    for (const list of ['listDoubts', 'listAllTransfers', 'listAudit', 'getStaffOverview']) {
      const { unansweredCells } = await call(list, { asked });
      assert.deepEqual(unansweredCells, ['second'], list);
    }
    assert.deepEqual(idsOf((await call('listDoubts', { asked })).items), [first.id]);
    await assert.rejects(call('getAnyTransfer', { asked, params: { id: other.id } }), {
      code: 'CELL_UNAVAILABLE',
    });
  });

  it('see what a route was answered in both as one, and that it is not known when no cell answers', async () => {
    const text = `
      insert into attempts (book_id, transfer_id, id, route, purpose, operator_reference, request, http_status, answer,
                            outcome, elapsed_ms, ended_at)
      select t.book_id, t.id, gen_random_uuid(), 'sandbox', 'submit', t.operator_reference, 'POST', 200, '', 'pending',
             1, now() - interval '1 minute'
      from transfers t where t.id = $1`;
    await test.database.query({ name: '', text }, [first.id]);
    await second.query({ name: '', text }, [other.id]);
    const { items } = await call('listRoutes');
    const [known] = items;
    assert.deepEqual([known.submitted1h, known.queued], [2, 0]);
    assert.deepEqual(known.codes, [{ code: '200', meaning: 'pending', count: 2 }]);
    const asked = { ...cells, list: () => [unreachableCell('main'), unreachableCell('second')] };
    const silent = await call('listRoutes', { asked });
    const { submitted1h, succeeded1h, failed1h, queued } = silent.items[0];
    assert.deepEqual([submitted1h, succeeded1h, failed1h, queued], [null, null, null, null]);
  });

  it('resolve a doubt in the second', async () => {
    const body = { decision: 'paid', receipt: 'MP77', evidence: 'ticket 4711' };
    const params = { id: other.id };
    const proposed = await call('resolveTransfer', { params, body });
    assert.equal(proposed.result, 'proposed');
    const confirmed = await call('resolveTransfer', { params, body, as: people.Mutinta });
    assert.equal(confirmed.result, 'confirmed');
    assert.equal((await findAnyTransfer(second, other.id)).transfer.state, 'succeeded');
    assert.deepEqual(idsOf((await call('listDoubts')).items), [first.id]);
  });

  it('place a merchant in a cell that they name, and issue a key for it', async () => {
    const created = await call('createMerchant', { body: { name: 'Kariba', cell: 'second' } });
    assert.equal((await findMerchant(second, 'kariba')).id, created.id);
    await assert.rejects(findMerchant(test.database, 'Kariba'), { code: 'MERCHANT_NOT_FOUND' });
    const book = created.books.find(({ mode }: { mode: string }) => mode === 'live');
    const key = await call('issueKey', {
      params: { id: book.id },
      body: { name: 'till', scopes: ['read'] },
    });
    assert.match(key.secret, /^sk_live_/);
    const wallet = await call('createWallet', {
      params: { id: book.id },
      body: { currency: 'ZMW', name: 'Salaries' },
    });
    const dossier = await call('getMerchant', { params: { id: created.id } });
    assert.deepEqual(
      [dossier.keys.map(({ id }: Listed['transfer']) => id), dossier.wallets[0].id],
      [[key.id], wallet.id],
    );
    const unknown = call('createMerchant', { body: { name: 'Chobe', cell: 'third' } });
    await assert.rejects(unknown, { code: 'VALIDATION_ERROR' });
  });

  it('place one without a name of a cell where there are the fewest books', async () => {
    const count = async (name: string) =>
      (
        await test.directory.query({
          name: '',
          text: `select id from merchants where cell = '${name}'`,
        })
      ).length;
    const emptiest =
      (await count(TEST_CELL.name)) <= (await count('second')) ? TEST_CELL.name : 'second';
    const { id } = await call('createMerchant', { body: { name: 'Chobe' } });
    assert.equal((await findMerchant(cells.named(emptiest).database, id)).name, 'Chobe');
  });

  it('read what was done in the directory and in both cells, page by page, each act once', async () => {
    await call('revealPhone', { params: { id: first.id } });
    const whole = await call('listAudit', { query: 'limit=100' });
    const kinds = new Set(whole.items.map(({ kind }: { kind: string }) => kind));
    for (const kind of ['PHONE_REVEALED', 'RESOLUTION_CONFIRMED', 'KEY_ISSUED']) {
      assert.ok(kinds.has(kind), kind);
    }
    const times = whole.items.map(({ at }: { at: string }) => at);
    assert.deepEqual(times, times.toSorted().toReversed());
    const paged: string[] = [];
    let cursor: string | null = null;
    do {
      const query: string = cursor === null ? 'limit=2' : `limit=2&cursor=${cursor}`;
      const page = await call('listAudit', { query });
      paged.push(...page.items.map(({ id }: { id: string }) => id));
      cursor = page.nextCursor;
    } while (cursor !== null);
    assert.deepEqual(
      paged,
      whole.items.map(({ id }: { id: string }) => id),
    );
  });

  it('verify the ledger of each on the command line, and are told of each', async () => {
    const { out, exitCode } = await runCommand({ directory: test.directory, cells }, {}, [
      'ledger',
      'verify',
    ]);
    assert.match(out, /^Cell \w+: The ledger is right .*\n\nCell second: The ledger is right /);
    assert.equal(exitCode, 0);
    const silent = {
      ...cells,
      list: () => [cells.named(TEST_CELL.name), unreachableCell('second')],
    };
    const asked = { directory: test.directory, cells: silent };
    const verified = await runCommand(asked, {}, ['ledger', 'verify']);
    assert.match(verified.out, /Cell second: it did not answer/);
    assert.equal(verified.exitCode, 1);
    const listed = await runCommand(asked, {}, ['merchants', 'list']);
    assert.match(listed.out, /These cells did not answer.*: second\./);
  });
});

describe('a merchant whose creation was cut off', () => {
  const feeTerms = { fixedMinor: 0n, basisPoints: 0 };
  const acts = async (name: string) =>
    test.directory.query({ name: '', text: 'select id from acts where subject = $1' }, [name]);

  it('is not listed, and is finished by the same call again, with one act', async () => {
    const actor = people.Chanda;
    const request = { actor, name: 'Mosi', feeTerms, cell: 'second' };
    // The cell goes away after the directory knows of it.
    const away = { ...cells, named: () => unreachableCell('second') };
    await assert.rejects(createMerchant(deps(away), request), { code: 'CELL_UNAVAILABLE' });
    const listed = async () =>
      (await call('listMerchants')).items.filter(({ name }: { name: string }) => name === 'Mosi');
    assert.deepEqual([(await listed()).length, (await acts('Mosi')).length], [0, 0]);
    await assert.rejects(call('getMerchant', { params: { id: 'Mosi' } }), { code: 'NOT_FOUND' });
    const other = { ...request, actor: people.Mutinta };
    await assert.rejects(createMerchant(deps(), other), { code: 'MERCHANT_EXISTS' });
    const { id } = await createMerchant(deps(), request);
    assert.equal((await findMerchant(second, 'Mosi')).id, id);
    assert.deepEqual([(await listed()).length, (await acts('Mosi')).length], [1, 1]);
    await assert.rejects(createMerchant(deps(), request), { code: 'MERCHANT_EXISTS' });
  });

  it('is finished by another person after a minute, also where the cell has it already', async () => {
    const request = { actor: people.Chanda, name: 'Zambezi', feeTerms, cell: 'second' };
    let commits = 0;
    // The process dies before it notes that the merchant is placed.
    const directory: Database = {
      ...test.directory,
      transaction: (work) => {
        commits += 1;
        if (commits === 2) return Promise.reject(new Error('killed'));
        return test.directory.transaction(work);
      },
    };
    await assert.rejects(createMerchant({ ...deps(), directory }, request), /killed/);
    const begun = await findMerchant(second, 'Zambezi');
    const later = () => new Date(Date.now() + 61_000);
    const other = { ...request, actor: people.Mutinta, cell: undefined };
    const created = await createMerchant({ ...deps(), now: later }, other);
    assert.equal(created.id, begun.id);
    assert.equal((await acts('Zambezi')).length, 1);
  });
});

describe('a merchant that moved to the other cell', () => {
  it('is not listed by the cell that it left, and its transfers are acted on where it is', async () => {
    const [left, here] = [await storeDoubt(test.database), await storeDoubt(second)];
    const ask = (database: Database, text: string) => database.query({ name: '', text });
    // As a move leaves it: the rows of the first cell stay until they are forgotten.
    await ask(
      test.database,
      `update merchants set state = 'moved'
       where id = (select merchant_id from books where id = '${left.bookId}')`,
    );
    const { items } = await call('listDoubts');
    assert.ok(idsOf(items).includes(here.id) && !idsOf(items).includes(left.id));
    await assert.rejects(call('getAnyTransfer', { params: { id: left.id } }), {
      code: 'TRANSFER_NOT_FOUND',
    });
    const { items: listed } = await call('listAllTransfers');
    assert.ok(!listed.map(({ id }: { id: string }) => id).includes(left.id));
  });
});
