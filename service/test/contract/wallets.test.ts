import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { assertRefused, type Fields, listOf, type Transfer } from './api-client.ts';
import { openContract, poll, TRANSFERS } from './open-contract.ts';

const contract = await openContract();
after(() => contract.close());
const { api, order, merchant } = contract;

const FUNDED_MINOR = 10_000n;
const ended = ({ status }: Transfer) => status !== 'pending';

async function balance(walletId: string): Promise<string> {
  const { status, data, text } = await api.get(`wallets/${walletId}`);
  assert.equal(status, 200, text);
  assert.deepEqual(Object.keys(data).sort(), ['available', 'currency', 'held', 'id', 'status']);
  return `${String(data.available)} ${String(data.held)}`;
}

async function postings(walletId: string): Promise<readonly Fields[]> {
  const items: Fields[] = [];
  let cursor = '';
  for (;;) {
    const { data, text } = await api.get(`wallets/${walletId}/postings?limit=100${cursor}`);
    items.push(...listOf(data.items));
    if (data.nextCursor === null) return items;
    assert.ok(typeof data.nextCursor === 'string', text);
    cursor = `&cursor=${encodeURIComponent(data.nextCursor)}`;
  }
}

const minor = (amount: unknown): bigint => {
  assert.ok(typeof amount === 'string' && /^\d+\.\d\d$/.test(amount), String(amount));
  return BigInt(amount.replace('.', ''));
};

/** Checks that every line's balance follows from the one before it, and that the last is the wallet's. */
async function assertStatementAddsUp(walletId: string): Promise<void> {
  let available = 0n;
  let held = 0n;
  for (const [index, line] of (await postings(walletId)).toReversed().entries()) {
    const amount = minor(line.amount);
    assert.ok(amount > 0n);
    assert.equal(line.sequence, index + 1);
    if (line.from === 'available') available -= amount;
    if (line.from === 'held') held -= amount;
    if (line.to === 'available') available += amount;
    if (line.to === 'held') held += amount;
    const after = [minor(line.availableAfter), minor(line.heldAfter)];
    assert.deepEqual(after, [available, held], JSON.stringify(line));
  }
  const shown = (await balance(walletId)).replaceAll('.', '').split(' ').map(BigInt);
  assert.deepEqual(shown, [available, held]);
}

/** Amount 10.00 out of 100.00, to a number with this ending; read once the transfer is final. */
const movements: Readonly<Record<string, readonly [phone: string, after: string, kinds: string]>> =
  {
    'settles the hold of a transfer that succeeded': ['0977433571', '90.00 0.00', 'hold settle'],
    'releases the hold of a transfer that failed': ['0977433902', '100.00 0.00', 'hold release'],
    'settles after doubt': ['0977433911', '90.00 0.00', 'hold settle'],
    'releases once after doubt': ['0977433912', '100.00 0.00', 'hold release'],
  };

for (const [promise, [phone, expected, kinds]] of Object.entries(movements)) {
  it(promise, async () => {
    const walletId = await merchant.createWallet({ fundedMinor: FUNDED_MINOR });
    assert.equal(await balance(walletId), '100.00 0.00');
    const { id, reference } = await contract.initiate({ walletId, phone, amount: 10 });
    await contract.transferOnce(id, ended);
    assert.equal(await balance(walletId), expected);
    const lines = (await postings(walletId)).toReversed().slice(1);
    assert.equal(lines.map(({ kind }) => kind).join(' '), kinds);
    for (const line of lines) {
      assert.deepEqual([line.transferId, line.reference, line.amount], [id, reference, '10.00']);
    }
    await assertStatementAddsUp(walletId);
  });
}

it('holds the amount as soon as the transfer is accepted, and while it is in doubt', async () => {
  const walletId = await merchant.createWallet({ fundedMinor: FUNDED_MINOR });
  await contract.initiate({ walletId, phone: '0977433931', amount: 0.01 });
  assert.equal(await balance(walletId), '99.99 0.01');
  const { id } = await contract.initiate({ walletId, phone: '0977433913', amount: 99.99 });
  assert.match(await balance(walletId), /^0\.00 (100\.00|99\.99)$/);
  await contract.transferOnce(id, ({ state }) => state === 'in_doubt');
  await poll(
    () => balance(walletId),
    (shown) => shown === '0.00 99.99',
  );
  assertRefused(await api.post(TRANSFERS, order({ walletId })), 422, 'INSUFFICIENT_BALANCE');
  await assertStatementAddsUp(walletId);
});

it('credits the wallet again by new postings when a transfer is reversed', async () => {
  const walletId = await merchant.createWallet({ fundedMinor: FUNDED_MINOR });
  const { id } = await contract.initiate({ walletId, phone: '0977433921', amount: 10 });
  await contract.transferOnce(id, ({ state }) => state === 'reversed');
  assert.equal(await balance(walletId), '100.00 0.00');
  const lines = await postings(walletId);
  assert.equal(lines.length, 4);
  assert.deepEqual([lines[0]?.to, lines[0]?.amount], ['available', '10.00']);
  await assertStatementAddsUp(walletId);
});

it('pays out the last cent and not one more', async () => {
  const walletId = await merchant.createWallet({ fundedMinor: FUNDED_MINOR });
  const more = await api.post(TRANSFERS, order({ walletId, amount: 100.01 }));
  assertRefused(more, 422, 'INSUFFICIENT_BALANCE');
  await contract.initiate({ walletId, amount: 100 });
  const cent = await api.post(TRANSFERS, order({ walletId, amount: 0.01 }));
  assertRefused(cent, 422, 'INSUFFICIENT_BALANCE');
});

it("holds no more in a day than the wallet's daily limit", async () => {
  const walletId = await merchant.createWallet({ fundedMinor: FUNDED_MINOR });
  await contract.database.query(
    { name: '', text: 'update wallets set daily_limit_minor = 1500 where id = $1' },
    [walletId],
  );
  await contract.initiate({ walletId, amount: 10 });
  const more = await api.post(TRANSFERS, order({ walletId, amount: 5.01 }));
  assertRefused(more, 422, 'LIMIT_EXCEEDED');
  await contract.initiate({ walletId, amount: 5 });
});

it('accepts exactly 1,000 of 2,000 transfers of 1.00 against 1,000.00', async () => {
  const walletId = await merchant.createWallet({ fundedMinor: 100_000n });
  const answers = await Promise.all(
    Array.from({ length: 2_000 }, () => api.post(TRANSFERS, order({ walletId }))),
  );
  const accepted = answers.filter(({ status }) => status === 201);
  assert.equal(accepted.length, 1_000);
  for (const answer of answers.filter(({ status }) => status !== 201)) {
    assertRefused(answer, 422, 'INSUFFICIENT_BALANCE');
  }
  assert.match(await balance(walletId), /^0\.00 /);
  await poll(
    () => balance(walletId),
    (shown) => shown === '0.00 0.00',
  );
  const lines = await postings(walletId);
  assert.equal(lines.length, 2_001);
  assert.equal(new Set(lines.map(({ transferId }) => transferId)).size, 1_001);
  await assertStatementAddsUp(walletId);
});

it('lists the wallets of the book and shows each by its id', async () => {
  const { data } = await api.get('wallets?limit=100');
  const wallets = listOf(data.items);
  for (const currency of ['ZMW', 'NGN'] as const) {
    const id = merchant.wallets.test[currency];
    const listed = wallets.find((wallet) => wallet.id === id);
    const expected = { id, currency, available: '1000000.00', held: '0.00', status: 'active' };
    assert.deepEqual(listed, expected);
    assert.deepEqual((await api.get(`wallets/${id}`)).data, expected);
  }
});

/** RFC 4180: quotes doubled inside quotes, lines ended by CR LF. */
function parseCsv(text: string): readonly (readonly string[])[] {
  assert.ok(text.endsWith('\r\n'));
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy;
  const rows: string[][] = [[]];
  for (const [, quoted, plain, end] of text.matchAll(cell)) {
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain ?? '');
    if (end === '\r\n') rows.push([]);
  }
  return rows.slice(0, -1);
}

it('gives the statement as CSV with a header, the same lines, and no formula', async () => {
  const walletId = await merchant.createWallet({ fundedMinor: FUNDED_MINOR });
  const dangers = ['-danger', '-1-1', '--'];
  for (const reference of dangers) {
    const { id } = await contract.initiate({ walletId, reference, narration: '=1+1', amount: 1.1 });
    await contract.transferOnce(id, ended);
  }
  const answer = await api.get(`wallets/${walletId}/postings`, { accept: 'text/csv' });
  assert.equal(answer.status, 200, answer.text);
  assert.match(answer.headers['content-type'] ?? '', /^text\/csv\b/);
  const [header = [], ...rows] = parseCsv(answer.text);
  const lines = await postings(walletId);
  assert.deepEqual(header.toSorted(), Object.keys(lines[0] ?? {}).sort());
  assert.equal(rows.length, lines.length);
  for (const [index, row] of rows.entries()) {
    assert.equal(row.length, header.length);
    for (const [column, cell] of row.entries()) {
      assert.doesNotMatch(cell, /^[=+\-@\t\r\n＝＋－＠]/);
      const value = lines[index]?.[header[column] ?? ''] ?? '';
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      assert.equal(cell.replace(/^'/, ''), text);
    }
  }
  for (const danger of dangers) assert.ok(answer.text.includes(danger));
});

it('gives the statement as JSON unless CSV is requested', async () => {
  const path = `wallets/${merchant.wallets.test.ZMW}/postings`;
  for (const accept of ['application/json', '*/*', 'application/json, text/csv;q=0.5']) {
    const answer = await api.get(path, { accept });
    assert.ok(Array.isArray(answer.data.items), accept);
  }
});
