import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  refusal,
  type ScriptedServer,
  startScriptedServer,
  success,
} from '../../test/scripted-server.ts';
import { createTestTransport, errorOf } from '../../test/test-client.ts';
import { Accounts } from './accounts.ts';
import { Operators } from './operators.ts';
import { Recipients } from './recipients.ts';
import { Wallets } from './wallets.ts';

let server: ScriptedServer;
let wallets: Wallets;
before(async () => {
  server = await startScriptedServer();
  wallets = new Wallets(createTestTransport(server).transport);
});
after(() => server.close());

const lines = () =>
  server.requests.map(({ method, url }) => `${method} ${url.replace('/api/v1/payments/', '')}`);

const csv = (body: string, headers: Record<string, string> = {}) => ({
  status: 200,
  headers: { 'content-type': 'text/csv; charset=utf-8; header=present', ...headers },
  body,
});

describe('wallets', () => {
  it('has a call for every path', async () => {
    server.play(success({ items: [], nextCursor: null }));
    await wallets.list({ limit: 2 }).page();
    await wallets.get('w1');
    await wallets.postings('w1', { to: '2026-11-15' }).page();
    assert.deepEqual(lines(), [
      'GET wallets?limit=2',
      'GET wallets/w1',
      'GET wallets/w1/postings?to=2026-11-15',
    ]);
  });
});

describe('wallets.statementCsv', () => {
  it('joins all pages under one line of column names', async () => {
    server.play(
      csv('sequence,kind\r\n3,hold\r\n2,hold\r\n', { 'x-next-cursor': 'n1' }),
      csv('sequence,kind\r\n1,fund\r\n'),
    );
    let text = '';
    for await (const piece of wallets.statementCsv('w1', { from: new Date(0) })) text += piece;
    assert.equal(text, 'sequence,kind\r\n3,hold\r\n2,hold\r\n1,fund\r\n');
    assert.deepEqual(lines(), [
      'GET wallets/w1/postings?from=1970-01-01T00%3A00%3A00.000Z&limit=100',
      'GET wallets/w1/postings?from=1970-01-01T00%3A00%3A00.000Z&limit=100&cursor=n1',
    ]);
    assert.ok(server.requests.every(({ headers }) => headers.accept === 'text/csv'));
  });

  it('fails like any other call, and takes nothing but CSV', async () => {
    server.play(refusal(404, 'WALLET_NOT_FOUND'));
    assert.equal((await errorOf(wallets.statementCsv('w1').next())).code, 'WALLET_NOT_FOUND');
    server.play(success({ items: [], nextCursor: null }));
    assert.equal((await errorOf(wallets.statementCsv('w1').next())).code, 'UNEXPECTED_ANSWER');
  });
});

describe('recipients, accounts and operators', () => {
  it('have a call for every path', async () => {
    server.play(success({ items: [], nextCursor: null }));
    const { transport } = createTestTransport(server);
    const account = { phone: '0977433571', operator: 'mtn', country: 'zm' } as const;
    const recipients = new Recipients(transport);
    await recipients.create({ ...account, accountName: 'Chanda Banda' });
    await recipients.get('r1');
    await recipients.list({ phone: '+260977433571' }).page();
    await new Accounts(transport).resolve(account);
    assert.deepEqual(await new Operators(transport).list(), []);
    assert.deepEqual(lines(), [
      'POST transfer-recipients/mobile-money',
      'GET transfer-recipients/r1',
      'GET transfer-recipients?phone=%2B260977433571',
      'POST resolve/mobile-money',
      'GET operators',
    ]);
  });
});
