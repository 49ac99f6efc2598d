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
    await using emulator = await startPlainEmulator(folder.path, { timeScale: 1 });
    const rules = [{ match: { msisdnEndsIn: '01' }, preset: 'execute-late', times: 1 }];
    assert.equal((await control(emulator, 'PUT rules', rules)).status, 204);
    await pay(emulator);
    assert.deepEqual(await (await control(emulator, 'GET book')).json(), { entries: [] });
    assert.deepEqual(await (await control(emulator, 'POST flush')).json(), { executed: 1 });
    assert.deepEqual(await (await control(emulator, 'GET book')).json(), {
      entries: [...emulator.backend.book()],
    });
    assert.equal(emulator.backend.book().length, 1);
    const journal = await (await control(emulator, 'GET journal')).json();
    assert.deepEqual(journal, { requests: [...emulator.requests()] });
    assert.equal(emulator.requests()[0]?.path, '/pay');
    assert.equal(emulator.requests()[0]?.status, 200);
    await waitUntil('the payout has ended', () => emulator.backend.open().length === 0);
    assert.deepEqual(await (await control(emulator, 'GET health')).json(), {
      name: 'plain',
      condition: { kind: 'clear' },
      open: 0,
      executed: 1,
    });
  });

  it('sets and removes a seed', async () => {
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

  it('sets the condition of the whole operator', async () => {
    await using folder = await createTestFolder();
    await using emulator = await startPlainEmulator(folder.path);
    assert.equal((await control(emulator, 'PUT condition', { kind: 'down' })).status, 204);
    assert.equal((await pay(emulator)).status, 503);
    await control(emulator, 'PUT condition', { kind: 'slow', delayMs: 1_000 });
    assert.equal((await pay(emulator)).status, 200);
    await control(emulator, 'PUT condition', { kind: 'hang' });
    const failure = failureOf(pay(emulator, { reference: 'r2' }));
    await waitUntil('the request hangs', () => emulator.requests().at(-1)?.status === 'hang');
    await control(emulator, 'PUT condition', { kind: 'clear' });
    assert.equal((await pay(emulator, { reference: 'r3' })).status, 200);
    assert.equal(emulator.backend.book().length, 2);
    await emulator.close();
    assert.notEqual(await failure, 'answered');
  });

  it('throttles submissions or inquiries, and counts them', async () => {
    await using folder = await createTestFolder();
    await using emulator = await startPlainEmulator(folder.path);
    const throttle = { on: 'submission', status: 503, retryAfterS: 7, calls: 1 };
    assert.equal((await control(emulator, 'PUT throttle', throttle)).status, 204);
    const refused = await pay(emulator);
    assert.equal(refused.status, 503);
    assert.equal(refused.headers.get('retry-after'), '7');
    assert.deepEqual(emulator.backend.book(), []);
    assert.equal((await pay(emulator)).status, 200);
    await control(emulator, 'PUT throttle', { on: 'inquiry' });
    assert.equal((await fetch(`${emulator.url}/pay/r1`)).status, 429);
    assert.equal((await control(emulator, 'PUT throttle', null)).status, 204);
    assert.equal((await fetch(`${emulator.url}/pay/r1`)).status, 200);
    assert.deepEqual(await (await control(emulator, 'GET calls')).json(), {
      submission: { perSecondMax: null, calls: 2, refused: 0, throttled: 1, mostInASecond: 2 },
      inquiry: { perSecondMax: null, calls: 2, refused: 0, throttled: 1, mostInASecond: 2 },
    });
  });

  it('answers that it refuses a submission, and accepts it', async () => {
    await using folder = await createTestFolder();
    await using receiver = await startCallbackReceiver();
    await using emulator = await startPlainEmulator(folder.path);
    await control(emulator, 'PUT throttle', { on: 'submission', takes: true });
    const callbackUrl = `${receiver.url}/hook`;
    assert.equal((await pay(emulator, { callbackUrl })).status, 429);
    assert.equal(emulator.backend.book().length, 1);
    await waitUntil('the callback has arrived', () => receiver.seen().length === 1);
  });

  it('forgets every reference after the set time', async () => {
    await using folder = await createTestFolder();
    await using emulator = await startPlainEmulator(folder.path);
    await pay(emulator);
    assert.equal((await control(emulator, 'PUT memory', { remembersForMs: 0 })).status, 204);
    assert.equal((await fetch(`${emulator.url}/pay/r1`)).status, 404);
    assert.equal((await control(emulator, 'PUT memory', null)).status, 204);
    assert.equal((await pay(emulator)).status, 409);
    await control(emulator, 'PUT memory', { remembersForMs: 0 });
    assert.equal((await pay(emulator)).status, 200);
    assert.equal(emulator.backend.book().length, 2);
  });

  it('shows every submission, and references that came again with other content', async () => {
    await using folder = await createTestFolder();
    await using emulator = await startPlainEmulator(folder.path);
    emulator.chooser.setRules([{ match: {}, preset: 'token-expired', times: 1 }]);
    await pay(emulator);
    await pay(emulator);
    await pay(emulator, { amountMinor: '15051' });
    const { submissions } = (await (await control(emulator, 'GET submissions')).json()) as {
      submissions: readonly { ourReference: string; amountMinor: string; became: string }[];
    };
    assert.deepEqual(
      submissions.map(({ ourReference, amountMinor, became }) => [
        ourReference,
        amountMinor,
        became,
      ]),
      [
        ['r1', '15050', 'notTaken'],
        ['r1', '15050', 'taken'],
        ['r1', '15051', 'duplicate'],
      ],
    );
    const { violations } = (await (await control(emulator, 'GET violations')).json()) as {
      violations: readonly { first: unknown; again: unknown }[];
    };
    const order = { msisdn: '260966000001', currency: 'ZMW' };
    assert.deepEqual(
      violations.map(({ first, again }) => [first, again]),
      [
        [
          { ...order, amountMinor: '15050' },
          { ...order, amountMinor: '15051' },
        ],
      ],
    );
  });

  it('sends a forged callback and returns the receiver’s answer', async () => {
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

  it('refuses an invalid body, and changes nothing', async () => {
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
      ['PUT condition', { kind: 'rain' }],
      ['PUT condition', { kind: 'slow' }],
      ['PUT memory', {}],
      ['PUT memory', { remembersForMs: -1 }],
      ['PUT throttle', {}],
      ['PUT throttle', { on: 'both', status: 500 }],
      ['PUT throttle', { on: 'both', retryAfterAs: 'hours' }],
      ['PUT throttle', { on: 'both', calls: -1 }],
      ['PUT throttle', { on: 'both', takes: 1 }],
      ['PUT throttle', { on: 'both', times: 1 }],
      ['PUT rules', [{ match: {}, behaviour: { remembersForMs: 'long' } }]],
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
