import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startCallbackReceiver } from './callback-receiver.ts';
import type { RunningEmulator } from './emulator-server.ts';
import { failureOf, pay, startPlainEmulator } from './test-emulator.ts';
import { createTestFolder } from './test-folder.ts';
import { waitUntil } from './wait-until.ts';

function control({ url }: RunningEmulator, call: string, body?: unknown): Promise<Response> {
  const [method = 'GET', name = ''] = call.split(' ');
  const text = body === undefined ? null : JSON.stringify(body);
  return fetch(`${url}/_emulator/${name}`, { method, body: text });
}

describe('the control API', () => {
  it('sets rules, shows the book and the requests, and flushes', async () => {
    await using folder = await createTestFolder();
    await using emulator = await startPlainEmulator(folder.path, { pace: 1 });
    const rules = [{ match: { msisdnEndsIn: '01' }, preset: 'execute-late', times: 1 }];
    assert.equal((await control(emulator, 'PUT rules', rules)).status, 204);
    await pay(emulator);
    assert.deepEqual(await (await control(emulator, 'GET book')).json(), { entries: [] });
    assert.deepEqual(await (await control(emulator, 'POST flush')).json(), { executed: 1 });
    assert.deepEqual(await (await control(emulator, 'GET book')).json(), {
      entries: [...emulator.desk.book()],
    });
    assert.equal(emulator.desk.book().length, 1);
    const journal = await (await control(emulator, 'GET journal')).json();
    assert.deepEqual(journal, { requests: [...emulator.requests()] });
    assert.equal(emulator.requests()[0]?.path, '/pay');
    assert.equal(emulator.requests()[0]?.status, 200);
    await waitUntil('it has ended', () => emulator.desk.open().length === 0);
    assert.deepEqual(await (await control(emulator, 'GET health')).json(), {
      name: 'plain',
      weather: { kind: 'clear' },
      open: 0,
      executed: 1,
    });
  });

  it('sets a seed and takes it away', async () => {
    await using folder = await createTestFolder();
    await using emulator = await startPlainEmulator(folder.path);
    assert.equal(
      (await control(emulator, 'PUT seed', { seed: 1, mix: { reject: 1 } })).status,
      204,
    );
    assert.deepEqual(await (await pay(emulator)).json(), { says: 'failed' });
    assert.equal((await control(emulator, 'PUT seed', null)).status, 204);
    assert.deepEqual(await (await pay(emulator, { reference: 'r2' })).json(), { says: 'paid' });
  });

  it('makes the weather of the whole operator', async () => {
    await using folder = await createTestFolder();
    await using emulator = await startPlainEmulator(folder.path);
    assert.equal((await control(emulator, 'PUT weather', { kind: 'down' })).status, 204);
    assert.equal((await pay(emulator)).status, 503);
    await control(emulator, 'PUT weather', { kind: 'slow', delayMs: 1_000 });
    assert.equal((await pay(emulator)).status, 200);
    await control(emulator, 'PUT weather', { kind: 'hang' });
    const failure = failureOf(pay(emulator, { reference: 'r2' }));
    await waitUntil('it hangs', () => emulator.requests().at(-1)?.status === 'hang');
    await control(emulator, 'PUT weather', { kind: 'clear' });
    assert.equal((await pay(emulator, { reference: 'r3' })).status, 200);
    assert.equal(emulator.desk.book().length, 2);
    await emulator.close();
    assert.notEqual(await failure, 'answered');
  });

  it('sends a forged callback and tells what came back', async () => {
    await using folder = await createTestFolder();
    await using receiver = await startCallbackReceiver();
    receiver.answerWith({ status: 403, body: 'no' });
    await using emulator = await startPlainEmulator(folder.path);
    const forged = { url: `${receiver.url}/hook`, method: 'PUT', body: { status: 'SUCCESSFUL' } };
    const answer = await control(emulator, 'POST callback', forged);
    const record: unknown = await answer.json();
    assert.equal(receiver.seen()[0]?.body, '{"status":"SUCCESSFUL"}');
    assert.deepEqual(emulator.callbacks(), [record]);
    assert.equal(emulator.callbacks()[0]?.status, 403);
    assert.deepEqual(await (await control(emulator, 'GET callbacks')).json(), {
      callbacks: [record],
    });
  });

  it('refuses what it does not understand, and changes nothing', async () => {
    await using folder = await createTestFolder();
    await using emulator = await startPlainEmulator(folder.path);
    const wrong: readonly (readonly [string, unknown])[] = [
      ['PUT rules', {}],
      ['PUT rules', [{}]],
      ['PUT rules', [{ match: { msisdn: 1 } }]],
      ['PUT rules', [{ match: { phone: '1' } }]],
      ['PUT rules', [{ match: {}, preset: 'oK' }]],
      ['PUT rules', [{ match: {}, preset: 'toString' }]],
      ['PUT rules', [{ match: {}, behaviour: { execute: 'sometimes' } }]],
      ['PUT rules', [{ match: {}, behaviour: { pendingMs: -1 } }]],
      ['PUT rules', [{ match: {}, behaviour: { pending: 1 } }]],
      ['PUT rules', [{ match: {}, times: 'twice' }]],
      ['PUT seed', { seed: 1, mix: {} }],
      ['PUT seed', { seed: 1, mix: { okay: 1 } }],
      ['PUT seed', { seed: '1', mix: { ok: 1 } }],
      ['PUT weather', { kind: 'rain' }],
      ['PUT weather', { kind: 'slow' }],
      ['POST callback', { body: 'x' }],
      ['POST callback', { url: 'http://127.0.0.1:1', method: 'GET' }],
    ];
    for (const [call, body] of wrong) {
      const answer = await control(emulator, call, body);
      assert.equal(answer.status, 400, `${call} ${JSON.stringify(body)}`);
      await answer.text();
    }
    assert.equal(
      (await fetch(`${emulator.url}/_emulator/rules`, { method: 'PUT', body: '[' })).status,
      400,
    );
    assert.equal((await control(emulator, 'GET everything')).status, 404);
    assert.equal((await pay(emulator)).status, 200);
    assert.deepEqual(emulator.callbacks(), []);
  });
});
