import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createTestMerchant } from '../test-merchant.ts';
import {
  assertRefused,
  brokenFields,
  type Fields,
  fieldsOf,
  listOf,
  textOf,
} from './api-client.ts';
import { openContract } from './open-contract.ts';
import { type OwnerClient, openOwnerClient } from './owner-client.ts';

const contract = await openContract();
after(() => contract.close());
const { apiWith, database, merchant, initiate, transferOnce } = contract;
const ended = ({ status }: Readonly<{ status: string }>) => status !== 'pending';

let person: OwnerClient;
let paid: Awaited<ReturnType<typeof transferOnce>>;
let operatorReference: string;

before(async () => {
  person = await openOwnerClient({ database, api: apiWith() }, merchant);
  paid = await transferOnce((await initiate({ phone: '0977433577', amount: 7.25 })).id, ended);
  const [row] = await database.query<{ operator_reference: string }>(
    { name: '', text: 'select operator_reference from transfers where id = $1' },
    [paid.id],
  );
  operatorReference = row?.operator_reference ?? '';
});

async function search(text: string, by = person) {
  const { status, data, text: answer } = await by.get(`search?q=${encodeURIComponent(text)}`);
  assert.equal(status, 200, answer);
  return {
    ids: listOf(data['items']).map(({ id }) => textOf(id)),
    searched: fieldsOf(data['searched']),
  };
}

describe('a search', () => {
  for (const phone of [
    '0977433577',
    '977433577',
    '260977433577',
    '+260 97 743-3577',
    '00260977433577',
    ' (097) 743 3577 ',
  ]) {
    it(`finds a payout by the number ${phone}`, async () => {
      const { ids, searched } = await search(phone);
      assert.deepEqual(ids, [paid.id]);
      assert.ok((searched['as'] as readonly string[]).includes('phone'));
      assert.equal(searched['text'], phone.trim());
    });
  }

  it('finds it by id, reference, operator reference and receipt', async () => {
    const receipt = textOf(paid.operatorTransactionId);
    for (const text of [
      paid.id,
      paid.id.toUpperCase(),
      paid.reference,
      operatorReference,
      operatorReference.replaceAll('-', ''),
      receipt,
    ]) {
      assert.deepEqual((await search(text)).ids, [paid.id], text);
    }
  });

  it('finds one whose operator has not answered by its operator reference', async () => {
    const waiting = await initiate({ phone: '0977433941' });
    const [row] = await database.query<{ operator_reference: string }>(
      { name: '', text: 'select operator_reference from transfers where id = $1' },
      [waiting.id],
    );
    assert.deepEqual((await search(row?.operator_reference ?? '')).ids, [waiting.id]);
  });

  it('finds nothing of another book', async () => {
    const other = await createTestMerchant(database);
    const stranger = await openOwnerClient({ database, api: apiWith() }, other);
    for (const text of [paid.id, paid.reference, operatorReference, '0977433577']) {
      assert.deepEqual((await search(text, stranger)).ids, [], text);
    }
  });

  it('returns markup as text', async () => {
    const text = `<img src=x onerror=alert(1)>' or 1=1 --`;
    const { ids, searched } = await search(text);
    assert.deepEqual([ids, searched['text']], [[], text]);
    const name = '<script>alert(1)</script>';
    const { reference } = await initiate({ recipientName: name });
    const { data, headers } = await person.get(`search?q=${reference}`);
    assert.equal(listOf(data['items'])[0]?.['recipientName'], name);
    assert.match(headers['content-type'] ?? '', /^application\/json/);
  });

  it('refuses what cannot be searched for', async () => {
    for (const query of ['', '?q=', '?q=%20', `?q=${'x'.repeat(101)}`, '?q=a%00b', '?q=a&q=b']) {
      const answer = await person.get(`search${query}`);
      assertRefused(answer, 400, 'VALIDATION_ERROR', query);
      assert.deepEqual(Object.keys(brokenFields(answer)), ['q']);
    }
    assertRefused(await person.get('search?q=a&x=1'), 400, 'VALIDATION_ERROR');
  });

  it('is for people alone', async () => {
    assertRefused(await contract.api.get(`search?q=${paid.id}`), 403, 'FORBIDDEN');
  });
});

const CSV = { accept: 'text/csv' };

describe('the list of transfers', () => {
  const listed = async (query: string) =>
    listOf((await contract.api.get(`transfers?${query}`)).data['items']).map(({ id }) => id);

  it('filters by number in any spelling, and by amount', async () => {
    assert.deepEqual(await listed('phone=0977433577'), [paid.id]);
    assert.deepEqual(await listed('phone=%2B260%2097%20743-3577&country=zm'), [paid.id]);
    assert.deepEqual(await listed('phone=0977433577&amountFrom=7.25&amountTo=7.25'), [paid.id]);
    assert.deepEqual(await listed('phone=0977433577&amountFrom=7.26'), []);
    assert.deepEqual(await listed('phone=0977433577&amountTo=7.24'), []);
  });

  it('refuses a broken number or amount', async () => {
    const answer = await contract.api.get('transfers?phone=12&amountFrom=1.001&amountTo=-1');
    const fields = {
      phone: 'INVALID_PHONE',
      amountFrom: 'INVALID_AMOUNT',
      amountTo: 'INVALID_AMOUNT',
    };
    assert.deepEqual(brokenFields(answer), fields);
  });

  it('comes as CSV page by page, with formulas made harmless', async () => {
    const formula = '=HYPERLINK("https://evil.test")';
    const orders: readonly Fields[] = [{}, { narration: formula }];
    for (const order of orders) await initiate({ ...order, phone: '0977433578' });
    const first = await person.get('transfers?phone=0977433578&limit=1', CSV);
    const [columns, row] = first.text.split('\r\n');
    assert.match(columns ?? '', /^id,reference,status,state,amount,/);
    assert.ok(row?.includes(`"'=HYPERLINK(""https://evil.test"")"`), row);
    const cursor = textOf(first.headers['x-next-cursor']);
    const second = await person.get(`transfers?phone=0977433578&limit=1&cursor=${cursor}`, CSV);
    assert.equal(second.headers['x-next-cursor'], undefined);
    assert.equal(second.text.split('\r\n').length, 3);
    assert.ok(!second.text.includes('HYPERLINK'));
  });
});
