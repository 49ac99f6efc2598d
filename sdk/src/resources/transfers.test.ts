import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  refusal,
  type ScriptedServer,
  startScriptedServer,
  success,
} from '../../test/scripted-server.ts';
import { createTestTransport, errorOf } from '../../test/test-client.ts';
import type { TransferInput } from '../model/transfer.ts';
import { Transfers } from './transfers.ts';

const ORDER: TransferInput = {
  amount: 25.5,
  reference: 'salary-1',
  phone: '0977433571',
  operator: 'airtel',
  country: 'zm',
  walletId: 'w1',
};
const { reference: _, ...UNNAMED } = ORDER;
const BUSY = refusal(503, 'UNAVAILABLE', { retryable: true });

let server: ScriptedServer;
let transfers: Transfers;
before(async () => {
  server = await startScriptedServer();
  const { transport } = createTestTransport(server);
  const pause = async () => undefined;
  transfers = new Transfers(transport, { now: () => 0, pause });
});
after(() => server.close());

const lines = () =>
  server.requests.map(({ method, url }) => `${method} ${url.replace('/api/v1/payments/', '')}`);

describe('transfers', () => {
  it('refuses a time to send at that is none, which would mean at once', async () => {
    const broken = { ...ORDER, sendAt: new Date('soon') };
    await assert.rejects(transfers.create(broken), { code: 'INVALID_ARGUMENT' });
    await assert.rejects(transfers.bulk([broken]), { code: 'INVALID_ARGUMENT' });
    await assert.rejects(transfers.preflight(broken), { code: 'INVALID_ARGUMENT' });
  });

  it('has a call for every path', async () => {
    server.play(success({ items: ['entry'], nextCursor: null }));
    await transfers.create(ORDER);
    await transfers.bulk([ORDER, ORDER]);
    await transfers.preflight(UNNAMED);
    await transfers.get('t1');
    await transfers.getByReference('a.b_c-1');
    await transfers.list({ status: 'failed', from: new Date(0), limit: 5, cursor: 'c' }).page();
    assert.deepEqual(await transfers.history('t1'), ['entry']);
    await transfers.cancel('t1');
    assert.deepEqual(lines(), [
      'POST transfers/mobile-money',
      'POST transfers/mobile-money/bulk',
      'POST transfers/mobile-money/preflight',
      'GET transfers/t1',
      'GET transfers/status/a.b_c-1',
      'GET transfers?status=failed&from=1970-01-01T00%3A00%3A00.000Z&limit=5&cursor=c',
      'GET transfers/t1/history',
      'POST transfers/t1/cancel',
    ]);
    const bodies = server.requests.map(({ body }) => body);
    const [created, bulk, preflight, ...others] = bodies;
    assert.deepEqual(JSON.parse(created ?? ''), ORDER);
    assert.deepEqual(JSON.parse(bulk ?? ''), { transfers: [ORDER, ORDER] });
    assert.deepEqual(JSON.parse(preflight ?? ''), UNNAMED);
    assert.deepEqual(new Set(others), new Set(['']));
  });

  it('keeps the filter and moves the cursor from page to page', async () => {
    server.play(
      success({ items: [{ id: 'a' }], nextCursor: 'n1' }),
      success({ items: [{ id: 'b' }], nextCursor: null }),
    );
    const ids: string[] = [];
    for await (const { id } of transfers.list({ operator: 'mtn' })) ids.push(id);
    assert.deepEqual(ids, ['a', 'b']);
    assert.deepEqual(lines(), [
      'GET transfers?operator=mtn',
      'GET transfers?operator=mtn&cursor=n1',
    ]);
  });

  it('finds the references that no path can carry by the filter', async () => {
    for (const reference of ['.', '..']) {
      server.play(success({ items: [{ id: 't1' }], nextCursor: null }));
      assert.equal((await transfers.getByReference(reference)).id, 't1');
      assert.deepEqual(lines(), [`GET transfers?reference=${reference}&limit=1`]);
      server.play(success({ items: [], nextCursor: null }));
      const error = await errorOf(transfers.getByReference(reference));
      assert.deepEqual([error.code, error.status], ['TRANSFER_NOT_FOUND', 404]);
    }
  });

  it('sends nothing for an empty id or reference', async () => {
    server.play(success({}));
    for (const call of [transfers.get(''), transfers.getByReference(''), transfers.cancel('..')]) {
      assert.equal((await errorOf(call)).code, 'INVALID_ARGUMENT');
    }
    assert.equal(server.requests.length, 0);
  });
});

describe('transfers.cancel', () => {
  const TOO_LATE = refusal(409, 'INVALID_STATE');

  it('succeeds when only the answer to the first attempt was lost', async () => {
    server.play('reset', TOO_LATE, success({ id: 't1', state: 'cancelled' }));
    assert.equal((await transfers.cancel('t1')).state, 'cancelled');
    assert.deepEqual(lines(), [
      'POST transfers/t1/cancel',
      'POST transfers/t1/cancel',
      'GET transfers/t1',
    ]);
  });

  it('is refused when it is too late, at the first attempt or at a later one', async () => {
    server.play(TOO_LATE);
    assert.equal((await errorOf(transfers.cancel('t1'))).code, 'INVALID_STATE');
    assert.equal(server.requests.length, 1);
    server.play(BUSY, TOO_LATE, success({ id: 't1', state: 'submitted' }));
    assert.equal((await errorOf(transfers.cancel('t1'))).code, 'INVALID_STATE');
  });
});
