import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { apiRequest, callOperation, refusalOf } from '../../../test/api-request.ts';
import { createHeldWallet, wrongWallets } from '../../../test/held-wallet.ts';
import { createTestWallet } from '../../../test/test-book.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts';
import type { Book } from '../../domain/book.ts';
import { fundWallet } from '../../ledger/fund-wallet.ts';
import type { ApiOperation } from '../server/api-operation.ts';
import { listPostingsOperation } from './list-postings.ts';

let test: TestDatabase;
let book: Book;
let walletId: string;
let postings: ApiOperation;
before(async () => {
  test = await createTestDatabase();
  const { database } = test;
  postings = listPostingsOperation({ database });
  ({ book, walletId } = await createHeldWallet(database));
});
after(() => test.drop());

type Page = { items: Record<string, unknown>[]; nextCursor: string | null };
const statement = async (query = '') =>
  callOperation(postings, { book, params: { id: walletId }, query });

describe('GET wallets/:id/postings', () => {
  it('gives the statement with running balances and references', async () => {
    const { data, unserialised, headers } = await statement();
    assert.deepEqual(data, unserialised);
    assert.deepEqual(headers, { vary: 'Accept' });
    const { items, nextCursor } = data as Page;
    assert.equal(nextCursor, null);
    const [hold, fund] = items;
    const { transferId, createdAt, ...rest } = hold ?? {};
    assert.deepEqual(rest, {
      sequence: 2,
      kind: 'hold',
      amount: '25.50',
      from: 'available',
      to: 'held',
      availableAfter: '999974.50',
      heldAfter: '25.50',
      currency: 'ZMW',
      reference: '-1+cmd',
    });
    assert.match(String(transferId), /^[0-9a-f-]{36}$/);
    assert.match(String(createdAt), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    assert.partialDeepStrictEqual(fund, { kind: 'fund', transferId: null, reference: walletId });
  });

  it('pages by sequence, and refuses the cursor of another wallet', async () => {
    const first = (await statement('limit=1')).data as Page;
    assert.equal(first.items[0]?.sequence, 2);
    const second = (await statement(`limit=1&cursor=${first.nextCursor}`)).data as Page;
    assert.equal(second.items[0]?.sequence, 1);
    assert.equal(second.nextCursor, null);
    const id = await createTestWallet(test.database, { bookId: book.id, fundedMinor: 1n });
    const elsewhere = { book, params: { id }, query: `cursor=${first.nextCursor}` };
    const { fields } = await refusalOf(callOperation(postings, elsewhere));
    assert.deepEqual(fields, ['cursor INVALID_CURSOR']);
  });

  it('shows only postings of the requested time range', async () => {
    assert.equal(((await statement('from=2100-01-01')).data as Page).items.length, 0);
    assert.equal(((await statement('to=2100-01-01')).data as Page).items.length, 2);
    const { fields } = await refusalOf(statement('from=yesterday&since=x'));
    assert.deepEqual(fields, ['since UNKNOWN_FIELD', 'from INVALID_TIME']);
  });

  it("answers the same for unknown ids, another merchant's, the other mode's and malformed ids", async () => {
    for (const { book: asking, id } of await wrongWallets(test.database, { book, walletId })) {
      const refusal = await refusalOf(callOperation(postings, { book: asking, params: { id } }));
      assert.deepEqual(refusal, { code: 'WALLET_NOT_FOUND', fields: [], detail: {} });
      const broken = { book: asking, params: { id }, query: 'limit=0' };
      assert.equal((await refusalOf(callOperation(postings, broken))).code, 'VALIDATION_ERROR');
    }
  });
});

describe('the statement as CSV', () => {
  const asCsv = async (query = '', accept = 'text/csv') => {
    const headers = { accept };
    const answer = await postings.handle(
      apiRequest({ book, params: { id: walletId }, query, headers }),
    );
    assert.ok('text' in answer);
    return answer;
  };

  it('is the same page as a file with a header, with formulas made harmless', async () => {
    const answer = await asCsv();
    assert.equal(answer.contentType, 'text/csv; charset=utf-8; header=present');
    assert.deepEqual(answer.headers, {
      'content-disposition': `attachment; filename="wallet-${walletId}-postings.csv"`,
      vary: 'Accept',
    });
    const [header, hold, fund, end, ...more] = answer.text.split('\r\n');
    assert.equal(
      header,
      'sequence,kind,amount,from,to,availableAfter,heldAfter,currency,transferId,reference,createdAt',
    );
    assert.match(
      hold ?? '',
      /^2,hold,25\.50,available,held,999974\.50,25\.50,ZMW,[0-9a-f-]{36},'-1\+cmd,\d{4}-/,
    );
    assert.match(fund ?? '', /^1,fund,1000000\.00,funding,available,1000000\.00,0\.00,ZMW,,/);
    assert.equal(end, '');
    assert.deepEqual(more, []);
  });

  it('continues from the cursor in its header', async () => {
    const first = await asCsv('limit=1');
    const cursor = first.headers?.['x-next-cursor'] ?? '';
    assert.equal(cursor, ((await statement('limit=1')).data as Page).nextCursor);
    const second = await asCsv(`limit=1&cursor=${cursor}`);
    assert.match(second.text, /\r\n1,fund,/);
    assert.equal(second.headers?.['x-next-cursor'], undefined);
  });

  it('quotes special characters of a funding reference', async () => {
    const id = await createTestWallet(test.database, { bookId: book.id });
    const fundingReference = '=HYPERLINK("http://x","y")';
    await fundWallet(
      { database: test.database, now: () => new Date() },
      { bookId: book.id, walletId: id, amountMinor: 1n, fundingReference },
    );
    const headers = { accept: 'text/csv' };
    const answer = await postings.handle(apiRequest({ book, params: { id }, headers }));
    assert.ok('text' in answer);
    assert.ok(answer.text.includes(`,"'=HYPERLINK(""http://x"",""y"")",`));
  });

  it('is refused with the JSON envelope', async () => {
    const refused = await refusalOf(asCsv('limit=0'));
    assert.deepEqual(refused.fields, ['limit INVALID_LIMIT']);
  });
});
