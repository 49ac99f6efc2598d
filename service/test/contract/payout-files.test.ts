import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { storePerson, type TestPerson } from '../test-person.ts';
import { workbook } from '../test-workbook.ts';
import { type Answer, assertRefused, type Fields, fieldsOf, listOf, textOf } from './api-client.ts';
import { openContract, poll } from './open-contract.ts';
import { callAs } from './person-client.ts';

const contract = await openContract();
after(() => contract.close());
const { api, merchant, database } = contract;
const WALLET = merchant.wallets.test.ZMW;
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

const upload = (
  text: string | Buffer,
  query = `walletId=${WALLET}`,
  headers: Fields = {},
): Promise<Answer> =>
  api.send({
    method: 'POST',
    path: `payout-files?${query}`,
    headers: { 'content-type': 'text/csv', ...(headers as Record<string, string>) },
    body: text,
  });

/** Uploads and waits until it is checked. */
async function draft(text: string | Buffer, query?: string): Promise<Fields> {
  const answer = await upload(text, query);
  assert.equal(answer.status, 201, answer.text);
  const id = textOf(answer.data.id);
  return poll(
    () => file(id),
    ({ state }) => state !== 'checking',
  );
}

const file = async (id: unknown) => (await api.get(`payout-files/${textOf(id)}`)).data;
const rows = async (id: unknown, query = '') =>
  listOf((await api.get(`payout-files/${textOf(id)}/rows?${query}`)).data.items);
const row = async (id: unknown, number: number) => (await rows(id))[number - 1] ?? {};
const codes = (list: unknown) => listOf(list).map(({ code }) => code);
const change = (method: string, path: string, body?: Fields): Promise<Answer> =>
  api.send({
    method,
    path: `payout-files/${path}`,
    ...(body === undefined ? {} : { body, headers: { 'content-type': 'application/json' } }),
  });

/** A form with one file, as browsers send it. */
function form(
  bytes: Buffer,
  fields: Readonly<Record<string, string>> = {},
  fileName = 'salaries.xlsx',
) {
  const boundary = `----form${randomUUID()}`;
  const parts = Object.entries(fields).map(
    ([name, value]) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${fileName}"\r\nContent-Type: ${XLSX}\r\n\r\n`;
  return {
    body: Buffer.concat([
      Buffer.from(parts.join('') + head),
      bytes,
      Buffer.from(`\r\n--${boundary}--\r\n`),
    ]),
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  };
}

describe('an uploaded payout file', () => {
  it('is a draft with every row and every problem, and pays nothing', async () => {
    const before = await api.get(`wallets/${WALLET}`);
    const made = await draft(
      'Name,Phone,Amount,Network,Reason\n' +
        'Chanda Banda,0977433571,"1,250.50",,October\n' +
        'Mwape,097 33 4512,2140,Airtel,\n' +
        'Brian,0966330187,1735.505,orange,\n' +
        'Chanda again,+260977433571,1250.50,airtel,\n',
      `walletId=${WALLET}&name=October`,
    );
    assert.equal(made.state, 'draft');
    assert.equal(made.name, 'October');
    assert.equal(made.format, 'csv');
    assert.deepEqual(made.progress, { checked: 4, total: 4 });
    assert.deepEqual(
      [fieldsOf(made.counts).ready, fieldsOf(made.counts).problems, fieldsOf(made.counts).warnings],
      [2, 2, 1],
    );
    assert.deepEqual([made.sum, made.currency, made.walletId], ['4641.00', 'ZMW', WALLET]);
    assert.deepEqual(
      listOf(made.columns).map(({ field }) => field),
      ['name', 'phone', 'amount', 'operator', 'narration'],
    );
    const all = await rows(made.id);
    assert.deepEqual(
      all.map(({ number, line, state, phone, amount, operator }) => [
        number,
        line,
        state,
        phone,
        amount,
        operator,
      ]),
      [
        [1, 2, 'ready', '+260977433571', 1250.5, 'airtel'],
        [2, 3, 'problem', null, 2140, 'airtel'],
        [3, 4, 'problem', '+260966330187', null, null],
        [4, 5, 'ready', '+260977433571', 1250.5, 'airtel'],
      ],
    );
    assert.deepEqual(codes(all[1]?.problems), ['INVALID_PHONE']);
    assert.deepEqual(codes(all[2]?.problems), ['TOO_MANY_DECIMALS', 'INVALID_OPERATOR']);
    assert.deepEqual(
      listOf(all[3]?.warnings).map(({ code, row: other }) => [code, other]),
      [['SAME_IN_FILE', 1]],
    );
    assert.equal(all[0]?.operatorPredicted, true);
    assert.deepEqual(fieldsOf(all[1]?.cells).phone, '097 33 4512');
    const [airtel] = listOf(made.operators);
    assert.deepEqual(
      [airtel?.operator, airtel?.count, airtel?.sum, airtel?.open],
      ['airtel', 2, '2501.00', true],
    );
    const wallet = fieldsOf(made.wallet);
    assert.equal(wallet.suffices, true);
    assert.equal(
      (await api.get(`wallets/${WALLET}`)).text,
      before.text.replace(before.headers['x-request-id'] as string, ''),
    );
  });

  it('comes as a form too, with the name that the browser gives', async () => {
    const bytes = workbook({
      sheets: [
        {
          name: 'Pay',
          rows: [
            ['MSISDN', 'Net pay'],
            [260977433571, 12.5],
            ['0966330187', 3],
          ],
        },
      ],
    });
    const { body, headers } = form(
      bytes,
      { walletId: WALLET },
      'C:\\Users\\me\\October "new".xlsx'.replaceAll('"', '%22'),
    );
    const answer = await api.send({ method: 'POST', path: 'payout-files', headers, body });
    assert.equal(answer.status, 201, answer.text);
    assert.equal(
      answer.headers.location,
      `/api/v1/payments/payout-files/${textOf(answer.data.id)}`,
    );
    const made = await poll(
      () => file(answer.data.id),
      ({ state }) => state === 'draft',
    );
    assert.deepEqual(
      [made.name, made.format, made.sheet, made.sum],
      ['October "new".xlsx', 'xlsx', 'Pay', '15.50'],
    );
  });

  it('is found again by the same key with the same bytes, and refused with others', async () => {
    const key = { 'idempotency-key': `upload-${randomUUID()}` };
    const text = `phone,amount\n0977433571,${Math.floor(Math.random() * 1e6) + 1}\n`;
    const first = await upload(text, '', key);
    const again = await upload(text, '', key);
    assert.deepEqual([first.status, again.status], [201, 200]);
    assert.equal(again.headers['idempotent-replayed'], 'true');
    assert.equal(again.data.id, first.data.id);
    assertRefused(await upload(`${text}0966330187,1\n`, '', key), 422, 'IDEMPOTENCY_KEY_REUSED');
    const other = await upload(text, '');
    const same = listOf((await file(other.data.id)).sameUploads);
    assert.deepEqual(
      same.map(({ id }) => id),
      [first.data.id],
    );
  });

  it('that cannot be read is refused with the reason, and nothing is kept', async () => {
    const before = listOf((await api.get('payout-files?limit=100')).data.items).length;
    const refused = await upload('who,what\n1,2\n');
    assertRefused(refused, 422, 'FILE_UNREADABLE');
    assert.equal(refused.data.problem, 'NO_HEADER');
    assert.match(refused.message, /phone and amount/);
    const two = await upload('Phone,Salary,Net pay\n0977433571,9000,6500\n');
    assertRefused(two, 422, 'FILE_UNREADABLE');
    assert.equal(two.data.problem, 'TWO_COLUMNS');
    assert.match(two.message, /“Salary” and “Net pay” mean the amount/);
    assertRefused(await upload(Buffer.from('PK\u0003\u0004', 'latin1')), 422, 'FILE_UNREADABLE');
    assertRefused(await upload('phone,amount\n'), 422, 'FILE_UNREADABLE');
    assert.equal(listOf((await api.get('payout-files?limit=100')).data.items).length, before);
  });

  it('is refused before it is read where its head tells that it must be', async () => {
    const { body, headers } = form(Buffer.from('phone,amount\n1,2\n'));
    const post = (moreHeaders: Readonly<Record<string, string>>, bytes: Buffer = body) =>
      api.send({
        method: 'POST',
        path: 'payout-files',
        headers: { ...headers, ...moreHeaders },
        body: bytes,
      });
    assertRefused(
      await post({ 'content-type': 'application/json' }),
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    );
    assertRefused(await post({ 'content-encoding': 'gzip' }), 415, 'UNSUPPORTED_MEDIA_TYPE');
    assertRefused(await post({}, Buffer.from('no form')), 400, 'BAD_REQUEST');
    assertRefused(await upload(Buffer.alloc(20 * 1024 * 1024 + 1, '1')), 413, 'BODY_TOO_LARGE');
    assertRefused(await upload('phone,amount\n1,2\n', 'wallet=1'), 400, 'VALIDATION_ERROR');
    assertRefused(
      await upload('phone,amount\n1,2\n', `walletId=${randomUUID()}`),
      404,
      'WALLET_NOT_FOUND',
    );
    const stranger = contract.apiWith('sk_test_wrong');
    const unknown = await stranger.send({ method: 'POST', path: 'payout-files', headers, body });
    assertRefused(unknown, 401, 'UNAUTHORIZED');
  });

  it('warns of payouts of the last days, and refuses denied numbers', async () => {
    const paid = await contract.initiate({ phone: '0966777888', operator: 'mtn', amount: 77.7 });
    await database.query(
      {
        name: '',
        text: `insert into list_entries (book_id, id, list, phone, reason, created_by, created_by_name, created_at)
               values ($1, $2, 'deny', '+260966777999', 'Stolen', $2, 'Test', now())`,
      },
      [merchant.books.test, randomUUID()],
    );
    const made = await draft('phone,amount\n0966777888,77.70\n0966777888,77.71\n0966777999,5\n');
    const [similar, other, denied] = await rows(made.id);
    assert.deepEqual(
      listOf(similar?.warnings).map(({ code, transferId }) => [code, transferId]),
      [['SIMILAR_PAYOUT', paid.id]],
    );
    assert.deepEqual(other?.warnings, []);
    assert.deepEqual([denied?.state, codes(denied?.problems)], ['problem', ['RECIPIENT_DENIED']]);
    const kinds = listOf(made.problemKinds).map(({ code, kind, count }) => [code, kind, count]);
    assert.deepEqual(kinds, [
      ['RECIPIENT_DENIED', 'problem', 1],
      ['SIMILAR_PAYOUT', 'warning', 1],
    ]);
  });

  it('warns of the same list while an earlier file with it waits for its day', async () => {
    const list = 'phone,amount\n0966777881,81.81\n0966777882,82.82\n';
    const first = await draft(list);
    const payAt = new Date(Date.now() + 20 * 86_400_000).toISOString();
    const submitted = await change('POST', `${textOf(first.id)}/submit`, { payAt });
    assert.equal(submitted.status, 200, submitted.text);
    assert.equal(submitted.data.state, 'scheduled');
    const second = await draft(`${list}0966777883,83.83\n`);
    assert.deepEqual(
      (await rows(second.id)).map(({ warnings }) =>
        listOf(warnings).map(({ code, fileId, transferId }) => [code, fileId, transferId]),
      ),
      [[['SIMILAR_WAITING', first.id, null]], [['SIMILAR_WAITING', first.id, null]], []],
    );
  });

  it('shows the amounts that a comma may have changed, and nothing of how it knows', async () => {
    const cut = await draft('phone,amount,name\n0977433571,1,250\n');
    const [row1] = await rows(cut.id);
    assert.deepEqual([codes(row1?.problems), fieldsOf(row1?.cells).next], [['AMOUNT_CUT'], '250']);
    const comma = await draft('phone;amount\n0977433571;250,125\n');
    assert.deepEqual(codes((await row(comma.id, 1)).problems), ['AMBIGUOUS_AMOUNT']);
    assert.deepEqual(comma.columns, [
      { header: 'phone', field: 'phone' },
      { header: 'amount', field: 'amount' },
    ]);
  });

  it('of a book with several wallets is in the currency of its rows', async () => {
    const made = await draft('phone,amount\n08031234567,50\n0977433571,5\n', '');
    assert.deepEqual([made.currency, made.walletId], ['NGN', merchant.wallets.test.NGN]);
    assert.deepEqual(
      (await rows(made.id)).map(({ problems }) => codes(problems)),
      [[], ['OTHER_CURRENCY']],
    );
    const renamed = await change('PUT', textOf(made.id), { name: 'Lagos' });
    assert.equal(renamed.data.name, 'Lagos');
    assertRefused(
      await change('PUT', textOf(made.id), { walletId: WALLET }),
      422,
      'CURRENCY_MISMATCH',
    );
  });
});

describe('a payout file whose rows have references of their own', () => {
  const query = `name=Own&walletId=${WALLET}&references=given`;
  const stateOf = async (id: unknown) => (await file(id)).state;
  const submit = async (id: unknown) => {
    const answer = await change('POST', `${textOf(id)}/submit`, {});
    assert.equal(answer.status, 200, answer.text);
    await poll(
      () => stateOf(id),
      (state) => state === 'done',
    );
  };

  it('pays each under its reference, once, whichever file has it', async () => {
    const own = randomUUID();
    const lines = `${own}-a,0977433571,1\n${own}-b,0977433572,2\n`;
    const made = await draft(`reference,phone,amount\n${lines}`, query);
    assert.deepEqual([made.references, fieldsOf(made.counts).problems], ['given', 0]);
    // Uploaded before the first is paid: one row says the same, one another amount.
    const late = await draft(`reference,phone,amount\n${lines.replace(',2\n', ',3\n')}`, query);
    await submit(made.id);
    const paid = await api.get(`transfers/status/${own}-a`);
    assert.deepEqual(
      [paid.data.payoutFileId, paid.data.metadata, paid.data.status],
      [made.id, null, 'successful'],
    );
    await submit(late.id);
    assert.deepEqual(
      (await rows(late.id)).map(({ state, refusal }) => [state, fieldsOf(refusal).code]),
      [
        ['refused', 'ALREADY_SENT'],
        ['refused', 'DUPLICATE_REFERENCE'],
      ],
    );
    const again = await draft(`reference,phone,amount\n${lines}`, query);
    assert.deepEqual(
      (await rows(again.id)).map(({ problems }) => codes(problems)),
      [['REFERENCE_TAKEN'], ['REFERENCE_TAKEN']],
    );
  });

  it('needs one in every row, of the usual letters, and no two the same', async () => {
    const own = randomUUID();
    const text = `reference,phone,amount\n${own},0977433571,1\n,0977433572,2\n${own},0977433573,3\na b,0977433574,4\n`;
    const { id } = await draft(text, query);
    assert.deepEqual(
      (await rows(id)).map(({ problems }) => codes(problems)),
      [[], ['REQUIRED'], ['REFERENCE_REPEATED'], ['INVALID_REFERENCE']],
    );
    const path = textOf(id);
    const same = await change('PUT', `${path}/rows/4`, { reference: own });
    assert.deepEqual(codes(same.data.problems), ['REFERENCE_REPEATED']);
    await change('POST', `${path}/drop-problems`, {});
    // A row that comes before the others may take what a later one has.
    await change('PUT', `${path}/rows/4`, { reference: `${own}-4` });
    await change('PUT', `${path}/rows/1`, { reference: `${own}-4` });
    assertRefused(await change('POST', `${path}/submit`, {}), 422, 'FILE_HAS_PROBLEMS');
    assertRefused(await upload(text, `${query}x`), 400, 'VALIDATION_ERROR');
  });
});

describe('the rows of a draft', () => {
  const text =
    'phone,amount,name\n0977433571,10,Chanda\n097743,20,Mwape\n0977433571,10,Twice\n0966330187,30,\n';

  it('are corrected, and checked anew with what they change for others', async () => {
    const { id } = await draft(text);
    const path = textOf(id);
    const wrong = await change('PUT', `${path}/rows/2`, { phone: '12' });
    assert.deepEqual(
      [wrong.status, wrong.data.state, codes(wrong.data.problems)],
      [200, 'problem', ['INVALID_PHONE']],
    );
    const right = await change('PUT', `${path}/rows/2`, { phone: '0966330187', amount: 30 });
    assert.deepEqual(
      [right.data.state, right.data.phone, right.data.amount],
      ['ready', '+260966330187', 30],
    );
    assert.deepEqual(right.data.corrections, { phone: '0966330187', amount: '30' });
    assert.equal(fieldsOf(right.data.cells).phone, '097743');
    // Now the same as the last row, which did not warn before.
    assert.deepEqual(
      listOf((await row(id, 4)).warnings).map(({ code, row: other }) => [code, other]),
      [['SAME_IN_FILE', 2]],
    );
    const after = await file(id);
    assert.deepEqual(
      [after.sum, fieldsOf(after.counts).problems, fieldsOf(after.counts).warnings],
      ['80.00', 0, 2],
    );
    const back = await change('PUT', `${path}/rows/2`, { phone: null, amount: null });
    assert.deepEqual([back.data.state, back.data.corrections], ['problem', {}]);
    assert.deepEqual((await row(id, 4)).warnings, []);
    assert.ok(Number(after.version) > 1);
  });

  it('are dropped and restored', async () => {
    const { id } = await draft(text);
    const path = textOf(id);
    assert.equal((await change('DELETE', `${path}/rows/1`)).data.state, 'dropped');
    // The first of two equal rows is gone.
    assert.deepEqual((await row(id, 3)).warnings, []);
    assert.equal((await file(id)).sum, '60.00');
    assert.equal((await change('POST', `${path}/rows/1/restore`)).data.state, 'ready');
    assert.deepEqual(codes((await row(id, 3)).warnings), ['SAME_IN_FILE']);
    assert.deepEqual((await change('POST', `${path}/drop-problems`)).data, { dropped: 1 });
    const { counts, sum } = await file(id);
    assert.deepEqual([fieldsOf(counts).dropped, fieldsOf(counts).ready, sum], [1, 3, '50.00']);
    assertRefused(await change('DELETE', `${path}/rows/9`), 404, 'PAYOUT_ROW_NOT_FOUND');
    assertRefused(await change('DELETE', `${path}/rows/x`), 404, 'PAYOUT_ROW_NOT_FOUND');
  });

  it('are listed in pages, by state and by what they say', async () => {
    const { id } = await draft(text);
    const first = await api.get(`payout-files/${textOf(id)}/rows?limit=3`);
    assert.equal(listOf(first.data.items).length, 3);
    const rest = await rows(id, `limit=3&cursor=${textOf(first.data.nextCursor)}`);
    assert.deepEqual(
      rest.map(({ number }) => number),
      [4],
    );
    const numbers = async (query: string) => (await rows(id, query)).map(({ number }) => number);
    assert.deepEqual(await numbers('problems=true'), [2, 3]);
    assert.deepEqual(await numbers('state=problem'), [2]);
    assert.deepEqual(await numbers('q=chan'), [1]);
    assert.deepEqual(await numbers('q=26096'), [4]);
    assert.deepEqual(await numbers('q=%25'), []);
    assertRefused(
      await api.get(`payout-files/${textOf(id)}/rows?state=paid`),
      400,
      'VALIDATION_ERROR',
    );
  });

  it('have their names checked in the background', async () => {
    const { id } = await draft(
      'phone,amount,name\n0977433571,10,JOSEPH TEMBO\n0977000901,20,None\n0966330187,30,Wrong Person\n',
    );
    const asked = await change('POST', `${textOf(id)}/check-names`);
    assert.equal(asked.status, 200, asked.text);
    const done = await poll(
      () => file(id),
      ({ names }) => fieldsOf(names).state === 'done',
    );
    assert.deepEqual(done.names, { state: 'done', total: 3, checked: 3 });
    const named = await rows(id);
    assert.equal(named[0]?.nameMatch, 'match', JSON.stringify(named[0]));
    assert.deepEqual([named[1]?.state, codes(named[1]?.problems)], ['problem', ['NO_ACCOUNT']]);
    assert.deepEqual(codes(named[2]?.warnings), ['NAME_MISMATCH']);
    // Another name to compare with is compared at once; another number is not known yet.
    const renamed = await change('PUT', `${textOf(id)}/rows/3`, {
      name: textOf(named[2]?.accountName),
    });
    assert.deepEqual([renamed.data.nameMatch, codes(renamed.data.warnings)], ['match', []]);
    const moved = await change('PUT', `${textOf(id)}/rows/3`, { phone: '0966330188' });
    assert.deepEqual([moved.data.nameMatch, moved.data.accountName], [null, null]);
  });
});

describe('payout files', () => {
  it('are deleted while they are drafts, and not once they are submitted', async () => {
    const { id } = await draft('phone,amount\n0977433571,10\n');
    const path = textOf(id);
    assert.deepEqual((await change('DELETE', path)).data, { id });
    assertRefused(await api.get(`payout-files/${path}`), 404, 'PAYOUT_FILE_NOT_FOUND');
    const { id: kept } = await draft('phone,amount\n0977433571,10\n');
    await database.query(
      {
        name: '',
        text: `update payout_files set state = 'paying', submitted_at = now(), content_hash = repeat('0', 64) where id = $1`,
      },
      [kept],
    );
    assertRefused(await change('DELETE', textOf(kept)), 409, 'INVALID_STATE');
    assertRefused(
      await change('PUT', `${textOf(kept)}/rows/1`, { amount: '5' }),
      409,
      'INVALID_STATE',
    );
    // The database holds it too.
    const values = [kept];
    const changed = {
      name: '',
      text: 'update payout_file_rows set amount_minor = 5 where file_id = $1',
    };
    await assert.rejects(database.query(changed, values), { code: '23001' });
    const deleted = { name: '', text: 'delete from payout_file_rows where file_id = $1' };
    await assert.rejects(database.query(deleted, values), { code: '23001' });
  });

  it('are seen in their own book only', async () => {
    const { id } = await draft('phone,amount\n0977433571,10\n');
    const live = contract.apiWith(merchant.keys.live);
    assertRefused(await live.get(`payout-files/${textOf(id)}`), 404, 'PAYOUT_FILE_NOT_FOUND');
    assertRefused(await live.get(`payout-files/${textOf(id)}/rows`), 404, 'PAYOUT_FILE_NOT_FOUND');
    assert.deepEqual((await live.get('payout-files')).data.items, []);
    const listed = listOf((await api.get('payout-files?state=draft&limit=1')).data.items);
    assert.deepEqual(
      listed.map((one) => one.id),
      [id],
    );
  });

  let maker: TestPerson;
  before(async () => {
    maker = await storePerson(database, { roles: [{ merchantId: merchant.id, role: 'maker' }] });
  });

  it('are uploaded by people from our own pages, and their acts are recorded', async () => {
    const data = new FormData();
    data.set('file', new Blob(['phone,amount\n0977433571,10\n'], { type: 'text/csv' }), 'mine.csv');
    const post = (headers: Readonly<Record<string, string>>) =>
      fetch(`${contract.service.baseUrl}/api/v1/payments/payout-files`, {
        method: 'POST',
        headers: { ...maker.headers, 'x-book': merchant.books.test, ...headers },
        body: data,
      });
    const foreign = await post({ 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' });
    assert.equal(foreign.status, 403);
    const answer = await post({});
    const made = ((await answer.json()) as { data: Fields }).data;
    assert.equal(answer.status, 201, JSON.stringify(made));
    assert.deepEqual([made.name, fieldsOf(made.madeBy).id], ['mine.csv', maker.id]);
    const bookId = merchant.books.test;
    const path = `payments/payout-files/${textOf(made.id)}/rows/1`;
    const corrected = await callAs(contract.service.baseUrl, maker, path, {
      method: 'PUT',
      bookId,
      body: { amount: '11' },
    });
    assert.equal(corrected.status, 200);
    const acts = await database.query<{ kind: string }>(
      { name: '', text: 'select kind from acts where subject = $1 and actor_id = $2 order by id' },
      [made.id, maker.id],
    );
    assert.deepEqual(
      acts.map(({ kind }) => kind),
      ['PAYOUT_FILE_UPLOADED', 'PAYOUT_ROW_CORRECTED'],
    );
  });
});
