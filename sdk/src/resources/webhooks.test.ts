import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  refusal,
  type ScriptedServer,
  startScriptedServer,
  success,
} from '../../test/scripted-server.ts';
import { createTestTransport, errorOf } from '../../test/test-client.ts';
import { Events } from './events.ts';
import { Webhooks } from './webhooks.ts';

const GONE = refusal(404, 'WEBHOOK_NOT_FOUND');

let server: ScriptedServer;
let webhooks: Webhooks;
before(async () => {
  server = await startScriptedServer();
  webhooks = new Webhooks(createTestTransport(server).transport);
});
after(() => server.close());

const lines = () =>
  server.requests.map(({ method, url, body }) =>
    `${method} ${url.replace('/api/v1/payments/', '')} ${body}`.trim(),
  );

describe('webhooks', () => {
  it('has a call for every path', async () => {
    server.play(success({ items: [], nextCursor: null }));
    await webhooks.create({ url: 'https://shop.example/kafue', events: ['transfer.failed'] });
    await webhooks.list().page();
    await webhooks.get('e1');
    await webhooks.update('e1', { status: 'enabled' });
    await webhooks.delete('e1');
    await webhooks.rotateSecret('e1');
    await webhooks.test('e1');
    await webhooks.deliveries('e1', { limit: 5 }).page();
    await webhooks.replay('d1');
    await webhooks.replayAll('e1', { from: new Date(0), state: 'failed' });
    assert.deepEqual(lines(), [
      'POST webhooks {"url":"https://shop.example/kafue","events":["transfer.failed"]}',
      'GET webhooks',
      'GET webhooks/e1',
      'PATCH webhooks/e1 {"status":"enabled"}',
      'DELETE webhooks/e1',
      'POST webhooks/e1/rotate-secret',
      'POST webhooks/e1/test',
      'GET webhooks/e1/deliveries?limit=5',
      'POST webhooks/deliveries/d1/replay',
      'POST webhooks/e1/replay {"from":"1970-01-01T00:00:00.000Z","state":"failed"}',
    ]);
  });

  it('never creates two endpoints or rotates a secret twice by itself', async () => {
    server.play('reset');
    await errorOf(webhooks.create({ url: 'https://shop.example/kafue' }));
    assert.equal(server.requests.length, 1);
    await errorOf(webhooks.rotateSecret('e1'));
    assert.equal(server.requests.length, 2);
  });

  it('does not replay everything because a date is broken', async () => {
    server.play(success({}));
    const from = new Date('soon');
    const error = await errorOf(webhooks.replayAll('e1', { from, state: 'failed' }));
    assert.deepEqual([error.code, server.requests.length], ['INVALID_ARGUMENT', 0]);
  });

  it('has deleted what is gone at the second attempt, but not what never was', async () => {
    server.play('reset', GONE);
    await webhooks.delete('e1');
    assert.equal(server.requests.length, 2);
    server.play(GONE);
    assert.equal((await errorOf(webhooks.delete('e1'))).code, 'WEBHOOK_NOT_FOUND');
  });
});

describe('webhooks.list', () => {
  it('ends by itself where the answer has no cursor', async () => {
    server.play(success({ items: [{ id: 'e1' }, { id: 'e2' }] }));
    const ids: string[] = [];
    for await (const { id } of webhooks.list()) ids.push(id);
    assert.deepEqual([ids, server.requests.length], [['e1', 'e2'], 1]);
  });
});

describe('events', () => {
  const pageOf = (cursor: string, ...ids: readonly string[]) =>
    success({ items: ids.map((id) => ({ id })), nextCursor: cursor });

  it('end at a page that is not full although others keep coming, and go on from its cursor', async () => {
    const events = new Events(createTestTransport(server).transport);
    const read = async (filter: Parameters<typeof events.list>[0]) => {
      let next: string | null = null;
      const ids: string[] = [];
      for await (const { items, nextCursor } of events.list(filter).pages()) {
        ids.push(...items.map(({ id }) => id));
        next = nextCursor;
      }
      return { ids, next };
    };
    server.play(
      pageOf('n1', 'e1', 'e2'),
      pageOf('n2', 'e3'),
      pageOf('n3', 'e4', 'e5'),
      pageOf('n3'),
    );
    assert.deepEqual(await read({ cursor: 'n0', limit: 2 }), {
      ids: ['e1', 'e2', 'e3'],
      next: 'n2',
    });
    assert.deepEqual(await read({ cursor: 'n2', limit: 2 }), { ids: ['e4', 'e5'], next: 'n3' });
    server.play(pageOf('n4', 'e6'));
    assert.deepEqual(await read({ cursor: 'n3' }), { ids: ['e6'], next: 'n4' });
    // Sent, so that it is known which page is full.
    assert.deepEqual(lines(), ['GET events?cursor=n3&limit=50']);
  });

  it('of one type go on after a page that is not full, to where the cursor stays', async () => {
    server.play(pageOf('n1', 'e1'), pageOf('n2'), pageOf('n3', 'e2'), pageOf('n3'));
    const events = new Events(createTestTransport(server).transport);
    const ids: string[] = [];
    for await (const { id } of events.list({ type: 'transfer.failed' })) ids.push(id);
    assert.deepEqual([ids, server.requests.length], [['e1', 'e2'], 4]);
  });
});
