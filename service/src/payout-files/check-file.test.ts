import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { scriptRoute } from '../../test/fake-route.ts';
import { storeFile } from '../../test/stored-file.ts';
import { createTestBook, createTestWallet } from '../../test/test-book.ts';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import { workbook } from '../../test/test-workbook.ts';
import type { Book } from '../domain/book.ts';
import type { Queryable } from '../postgres/database.ts';
import { firstBook } from '../transfers/move/claim-walk.ts';
import { deleteFile } from './change-file.ts';
import { type Corrections, correctRow } from './change-row.ts';
import { checkFile } from './check-file.ts';
import { CheckLost, claimCheck, holdCheck } from './claim-check.ts';
import { findFile } from './find-file.ts';
import { listRows } from './list-rows.ts';
import { storeRows } from './store-rows.ts';
import { storeUpload } from './store-upload.ts';

const NEVER = new AbortController().signal;

let test: TestDatabase;
let book: Book;
before(async () => {
  test = await createTestDatabase();
  book = await createTestBook(test.database);
  await createTestWallet(test.database, { bookId: book.id });
});
after(() => test.drop());

const deps = () => ({
  database: test.database,
  routes: scriptRoute({}).routes,
  now: () => new Date(),
  newId: randomUUID,
});
const actor = { kind: 'key', id: randomUUID() } as const;

async function upload(content: string | Buffer): Promise<string> {
  const bytes = Buffer.from(content);
  const hash = createHash('sha256').update(bytes).digest();
  const stored = await storeUpload(deps(), {
    book,
    actor,
    upload: { name: 'Test', bytes, hash, walletId: null, references: 'derived', key: null },
  });
  return stored.id;
}

const claimNext = () =>
  claimCheck(test.database, { leaseOwner: randomUUID(), afterBook: firstBook() });

async function claim() {
  const claimed = await claimNext();
  assert.ok(claimed !== undefined);
  return claimed;
}

const endLeases = () =>
  test.database.query({
    name: '',
    text: `update payout_files set next_action_at = now() - interval '1 s' where state = 'checking'`,
  });
const rowsOf = async (fileId: string) =>
  (
    await listRows(test.database, {
      bookId: book.id,
      fileId,
      filter: { problemsOnly: false, state: null, text: null },
      page: { limit: 100, after: null },
    })
  ).items;
const phonesOf = async (fileId: string) => (await rowsOf(fileId)).map(({ phone }) => phone);
const problemsOf = async (fileId: string) =>
  (await rowsOf(fileId)).map(({ problems }) => problems.map(({ code }) => code));

describe('the check of a payout file', () => {
  it('that was interrupted begins again, and leaves no row twice', async () => {
    const id = await upload('phone,amount\n0977433571,5\n0977433572,6\n');
    const first = await claim();
    assert.equal(first.fileId, id);
    // Another process looks meanwhile: nothing is due.
    assert.equal(await claimNext(), undefined);
    const stopped = new AbortController();
    stopped.abort(new Error('killed'));
    await assert.rejects(checkFile(deps(), first, stopped.signal), /killed/);
    await test.database.query(
      {
        name: '',
        text: `insert into payout_file_rows (book_id, file_id, number, line, state, cells)
               values ($1, $2, 1, 2, 'problem', '{}'), ($1, $2, 7, 8, 'problem', '{}')`,
      },
      [book.id, id],
    );
    await endLeases();
    await checkFile(deps(), await claim(), NEVER);
    const file = await findFile(test.database, { bookId: book.id, id });
    assert.deepEqual([file.state, file.rows.total, file.rows.problem], ['draft', 2, 0]);
    assert.deepEqual(await phonesOf(id), ['+260977433571', '+260977433572']);
    const uploads = await test.database.query(
      { name: '', text: 'select part from payout_file_uploads where file_id = $1' },
      [id],
    );
    assert.deepEqual(uploads, []);
    // The first process wakes up, and must not write any more.
    await assert.rejects(
      test.database.transaction((tx) => holdCheck(tx, first)),
      CheckLost,
    );
  });

  it('counts a row with a problem and a warning among the problems alone', async () => {
    // The number began at another operator.
    const rows = ['0977433571,5,mtn', '0977433572,5.005,mtn', '0977433573,5.005,airtel'];
    const id = await upload(['phone,amount,operator', ...rows].join('\n'));
    await checkFile(deps(), await claim(), NEVER);
    const { problem, warned } = (await findFile(test.database, { bookId: book.id, id })).rows;
    assert.deepEqual([problem, warned], [2, 1]);
  });

  it('that another process took over stores nothing', async () => {
    const id = await upload('phone,amount\n0977433571,5\n');
    const slow = await claim();
    await endLeases();
    const fast = await claim();
    await assert.rejects(checkFile(deps(), slow, NEVER), CheckLost);
    assert.deepEqual(await phonesOf(id), []);
    await checkFile(deps(), fast, NEVER);
    assert.deepEqual(await phonesOf(id), ['+260977433571']);
  });

  it('of a file that was deleted meanwhile ends', async () => {
    const id = await upload('phone,amount\n0977433571,5\n');
    const claimed = await claim();
    await deleteFile(deps(), { book, actor, fileId: id });
    await assert.rejects(checkFile(deps(), claimed, NEVER), CheckLost);
    await assert.rejects(findFile(test.database, { bookId: book.id, id }), {
      code: 'PAYOUT_FILE_NOT_FOUND',
    });
  });

  it('stores rows in parts, and an upload in parts too', async () => {
    const rows = Array.from({ length: 2_500 }, (_, at) => `097${7_000_000 + at},${at + 1}`);
    const filler = `\n${' '.repeat(800)},`.repeat(1_400);
    const id = await upload(`phone,amount\n${rows.join('\n')}${filler}\n`);
    await checkFile(deps(), await claim(), NEVER);
    const file = await findFile(test.database, { bookId: book.id, id });
    assert.ok((file.uploadBytes ?? 0) > 1_024 * 1_024);
    assert.deepEqual(
      [file.state, file.rows.total, file.rows.checked, file.sumMinor],
      ['draft', 2_500, 2_500, 312_625_000n],
    );
  });

  it('of a file that cannot be read ends with the reason', async () => {
    const id = await upload('nothing');
    await checkFile(deps(), await claim(), NEVER);
    const { state, problem } = await findFile(test.database, { bookId: book.id, id });
    assert.deepEqual([state, problem?.code], ['draft', 'NO_HEADER']);
  });

  it('finds amounts that a comma cut in two, until a person wrote the amount', async () => {
    const id = await upload(
      'phone,amount,\n0977433571,1,250.00\n0977433572,"1,250.00",\n0977433573,2,,\n',
    );
    await checkFile(deps(), await claim(), NEVER);
    assert.deepEqual(await problemsOf(id), [['EXTRA_CELLS'], [], []]);
    const correct = async (corrections: Corrections) => {
      const row = await correctRow(deps(), { book, actor, fileId: id, number: 1, corrections });
      return row.problems.map(({ code }) => code);
    };
    assert.deepEqual(await correct({ name: 'Chanda' }), ['EXTRA_CELLS']);
    assert.deepEqual(await correct({ amount: '1250' }), []);
    assert.deepEqual(await correct({ amount: null }), ['EXTRA_CELLS']);
  });

  it('finds amounts whose second part became the next cell, until a person wrote the amount', async () => {
    const id = await upload('phone,amount,name\n0977433571,1,250\n0977433572,"1",250\n');
    await checkFile(deps(), await claim(), NEVER);
    assert.deepEqual(await problemsOf(id), [['AMOUNT_CUT'], []]);
    const correct = async (corrections: Corrections) => {
      const row = await correctRow(deps(), { book, actor, fileId: id, number: 1, corrections });
      return row.problems.map(({ code }) => code);
    };
    assert.deepEqual(await correct({ name: 'Chanda' }), ['AMOUNT_CUT']);
    assert.deepEqual(await correct({ amount: '1250' }), []);
    assert.deepEqual(await correct({ amount: null }), ['AMOUNT_CUT']);
  });

  it('takes no comma before three digits for one between thousands where semicolons separate cells', async () => {
    const id = await upload('phone;amount\n0977433571;250,125\n0977433572;1,250.00\n');
    await checkFile(deps(), await claim(), NEVER);
    assert.deepEqual(await problemsOf(id), [['AMBIGUOUS_AMOUNT'], []]);
    const correct = async (corrections: Corrections) => {
      const row = await correctRow(deps(), { book, actor, fileId: id, number: 1, corrections });
      return [row.amountMinor, ...row.problems.map(({ code }) => code)];
    };
    assert.deepEqual(await correct({ name: 'Chanda' }), [null, 'AMBIGUOUS_AMOUNT']);
    assert.deepEqual(await correct({ amount: '250.13' }), [25_013n]);
    assert.deepEqual(await correct({ amount: null }), [null, 'AMBIGUOUS_AMOUNT']);
  });

  it('shows a row whose cells slipped to the right as one that cannot be paid', async () => {
    const id = await upload('phone,amount\n0977433571,5\n,,0966123456,250\n');
    await checkFile(deps(), await claim(), NEVER);
    assert.deepEqual(await problemsOf(id), [[], ['REQUIRED', 'EXTRA_CELLS', 'REQUIRED']]);
  });

  it('warns of the same payout in files that wait, and of no other', async () => {
    const list = 'phone,amount\n0977433581,81\n0977433582,82\n';
    const waitIn = async (fileId: string, state: string, payAt: string | null) => {
      const run = (text: string, ...values: unknown[]) =>
        test.database.query({ name: '', text }, [book.id, fileId, ...values]);
      await run(
        `update payout_file_rows set state = 'waiting' where book_id = $1 and file_id = $2 and state = 'ready'`,
      );
      await run(
        `update payout_files
         set state = $3, submitted_at = now(), content_hash = repeat('a', 64), pay_at = now() + $4::interval
         where book_id = $1 and id = $2`,
        state,
        payAt,
      );
    };
    const make = async (text: string) => {
      const id = await upload(text);
      await checkFile(deps(), await claim(), NEVER);
      return id;
    };
    const warned = async (id: string) =>
      (await rowsOf(id)).map(({ warnings }) => warnings.map(({ code, fileId }) => [code, fileId]));
    const first = await make(list);
    // A draft does not wait: it may never be submitted.
    const second = await make(list);
    assert.deepEqual(await warned(second), [[], []]);
    await waitIn(first, 'awaiting_approval', null);
    const third = await make('phone,amount\n+260977433581,81.00\n0977433582,83\n');
    assert.deepEqual(await warned(third), [[['SIMILAR_WAITING', first]], []]);
    // A draft of before is warned when its row is checked again.
    await correctRow(deps(), {
      book,
      actor,
      fileId: second,
      number: 1,
      corrections: { name: 'A' },
    });
    assert.deepEqual(await warned(second), [[['SIMILAR_WAITING', first]], []]);
    await waitIn(third, 'scheduled', '30 days');
    const fourth = await make('phone,amount\n0977433582,83\n');
    assert.deepEqual(await warned(fourth), [[['SIMILAR_WAITING', third]]]);
    const cancel = `update payout_files set state = 'cancelled', ended_at = now() where id = any ($1::uuid[])`;
    await test.database.query({ name: '', text: cancel }, [[first, third]]);
    assert.deepEqual(await warned(await make(list)), [[], []]);
  });

  it('finds rows of waiting files by an index, however many there are', async () => {
    const other = await createTestBook(test.database);
    const rows = Array.from({ length: 5_000 }, () => ({}));
    const fileId = await storeFile(test.database, { bookId: other.id, rows });
    await test.database.query(
      { name: '', text: `update payout_file_rows set state = 'waiting' where file_id = $1` },
      [fileId],
    );
    await test.database.query({ name: '', text: 'analyze payout_file_rows' });
    const texts: string[] = [];
    const listening: Queryable = {
      async query({ text }) {
        texts.push(text);
        return [];
      },
    };
    const now = new Date();
    const stored = { bookId: other.id, fileId, json: '[]', references: 'derived', now } as const;
    await storeRows(listening, stored);
    const plan = await test.database.query({
      name: '',
      text: `explain (generic_plan) ${texts.join('')}`,
    });
    const lines = plan.map((line) => Object.values(line).join(''));
    const scans = lines.filter((line) => /Scan.* on payout_file_rows/.test(line));
    assert.equal(scans.length, 1, lines.join('\n'));
    assert.match(scans.join(), /Index Scan using payout_file_rows_of_phone/);
    const condition = lines[lines.findIndex((line) => line === scans[0]) + 1] ?? '';
    assert.match(condition, /Index Cond: .*book_id.*file_id.*phone/);
  });

  it('finds amounts in another currency than that of the number, until a person wrote the amount', async () => {
    const id = await upload('phone,Amount (NGN)\n0977433571,5000\n');
    await checkFile(deps(), await claim(), NEVER);
    assert.deepEqual(await problemsOf(id), [['AMOUNT_IN_OTHER_CURRENCY']]);
    const correct = async (corrections: Corrections) => {
      const row = await correctRow(deps(), { book, actor, fileId: id, number: 1, corrections });
      return row.problems.map(({ code }) => code);
    };
    assert.deepEqual(await correct({ name: 'Chanda' }), ['AMOUNT_IN_OTHER_CURRENCY']);
    assert.deepEqual(await correct({ amount: '₦90' }), ['AMOUNT_IN_OTHER_CURRENCY']);
    assert.deepEqual(await correct({ amount: '90' }), []);
  });

  it('keeps text that PostgreSQL does not store as near as it can', async () => {
    const header = ['phone', 'amount', 'name', `_xD800_${'x'.repeat(98)}😀`];
    const row = ['0977433571', 5, 'a_x0000_b', 'y'];
    const name = `${'x'.repeat(99)}😀`;
    const id = await upload(workbook({ sheets: [{ name, rows: [header, row] }] }));
    await checkFile(deps(), await claim(), NEVER);
    const { state, problem, sheet, columns } = await findFile(test.database, {
      bookId: book.id,
      id,
    });
    assert.deepEqual([state, problem], ['draft', null]);
    assert.deepEqual(
      [sheet, columns[3]?.header],
      [`${'x'.repeat(99)}\ufffd`, `\ufffd${'x'.repeat(98)}\ufffd`],
    );
    assert.deepEqual(
      (await rowsOf(id)).map(({ recipientName }) => recipientName),
      ['a\ufffdb'],
    );
    const long = await upload(`phone,amount,name\n0977433571,5,a${'😀'.repeat(600)}\n`);
    await checkFile(deps(), await claim(), NEVER);
    assert.deepEqual(await problemsOf(long), [['TOO_LONG']]);
  });

  it('ends when the database refuses what was read', async () => {
    const run = (text: string) => test.database.query({ name: '', text });
    await run(`create function refuse_row() returns trigger language plpgsql as
               $$ begin raise exception 'refused' using errcode = '22P05'; end $$`);
    await run(
      'create trigger refuse_row before insert on payout_file_rows execute function refuse_row()',
    );
    const id = await upload('phone,amount\n0977433571,5\n');
    try {
      await checkFile(deps(), await claim(), NEVER);
    } finally {
      await run('drop function refuse_row cascade');
    }
    const { state, problem } = await findFile(test.database, { bookId: book.id, id });
    assert.deepEqual([state, problem], ['draft', { code: 'BROKEN', detail: 'Code 22P05.' }]);
  });
});
