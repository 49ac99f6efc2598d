import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { type ScriptedServer, startScriptedServer, success } from '../../test/scripted-server.ts';
import { createTestTransport } from '../../test/test-client.ts';
import { Schedules } from './schedules.ts';

let server: ScriptedServer;
before(async () => {
  server = await startScriptedServer();
});
after(() => server.close());

it('makes, changes and reads schedules by their paths', async () => {
  const { transport } = createTestTransport(server);
  const schedules = new Schedules(transport);
  const order = {
    name: 'Salaries',
    walletId: 'w1',
    recurrence: { every: 'month', day: 'last_working_day', at: '08:30' },
    payoutFileId: 'f1',
  } as const;
  server.play(success({ items: [], nextCursor: null }));
  await schedules.create(order);
  await schedules.update('s1', order);
  await schedules.pause('s1');
  await schedules.resume('s1');
  await schedules.end('s1');
  await schedules.get('s1');
  await schedules.list({ limit: 5 }).page();
  await schedules.rows('s1').page();
  await schedules.occurrences('s1');
  await schedules.holidays({ country: 'ng', year: 2027 });
  assert.deepEqual(
    server.requests.map(({ method, url }) => `${method} ${url.replace('/api/v1/payments/', '')}`),
    [
      'POST schedules',
      'PUT schedules/s1',
      'POST schedules/s1/pause',
      'POST schedules/s1/resume',
      'POST schedules/s1/end',
      'GET schedules/s1',
      'GET schedules?limit=5',
      'GET schedules/s1/rows',
      'GET schedules/s1/occurrences',
      'GET holidays?country=ng&year=2027',
    ],
  );
  const [created, updated] = server.requests;
  assert.deepEqual([created?.body, updated?.body], [JSON.stringify(order), JSON.stringify(order)]);
});

it('sends a change that names a version only once, because its own change would refuse it', async () => {
  const { transport } = createTestTransport(server);
  const schedules = new Schedules(transport);
  const order = {
    name: 'Salaries',
    walletId: 'w1',
    recurrence: { every: 'week', day: 'fri', at: '17:00' },
  } as const;
  server.play('reset', success({ id: 's1' }));
  await assert.rejects(schedules.update('s1', { ...order, version: 'v1' }));
  assert.equal(server.requests.length, 1);
  server.play('reset', success({ id: 's1' }));
  await schedules.update('s1', order);
  assert.equal(server.requests.length, 2);
});
