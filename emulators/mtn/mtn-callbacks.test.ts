import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { startCallbackReceiver } from '../kernel/callback-receiver.ts';
import { createTestFolder } from '../kernel/test-folder.ts';
import { waitUntil } from '../kernel/wait-until.ts';
import { memberOf } from './mtn-client.ts';
import { codeOf, endOf, startForTest, transferAs } from './mtn-test-emulator.ts';

describe('MTN: callbacks', () => {
  const CALLBACK_URL = 'https://localhost/hooks/mtn/abc';

  it('are sent once, by PUT, with the body of the status', async () => {
    await using receiver = await startCallbackReceiver();
    await using mtn = await startForTest({ deliverCallbacksTo: receiver.url });
    const { reference } = await transferAs(mtn, {}, { 'x-callback-url': CALLBACK_URL });
    await waitUntil('the callback has arrived', () => receiver.seen().length > 0);
    const end = await endOf(mtn, reference);
    const [seen, ...more] = receiver.seen();
    assert.deepEqual(more, []);
    assert.equal(seen?.method, 'PUT');
    assert.equal(seen?.path, '/hooks/mtn/abc');
    assert.equal(seen?.headers['content-type'], 'application/json');
    assert.deepEqual(JSON.parse(seen?.body ?? ''), end);
  });

  it('can be POST and can carry the reference', async () => {
    await using receiver = await startCallbackReceiver();
    await using mtn = await startForTest({
      deliverCallbacksTo: receiver.url,
      callbackMethod: 'POST',
      callbackCarriesReference: true,
    });
    const { reference } = await transferAs(mtn, {}, { 'x-callback-url': CALLBACK_URL });
    await waitUntil('the callback has arrived', () => receiver.seen().length > 0);
    const [seen] = receiver.seen();
    assert.equal(seen?.method, 'POST');
    assert.equal(memberOf(JSON.parse(seen?.body ?? ''), 'referenceId'), reference);
  });

  it('are not sent again when the receiver refuses', async () => {
    await using receiver = await startCallbackReceiver();
    receiver.answerWith({ status: 500, body: '' });
    await using mtn = await startForTest({ deliverCallbacksTo: receiver.url });
    await transferAs(mtn, {}, { 'x-callback-url': CALLBACK_URL });
    await waitUntil('the callback was recorded', () => mtn.emulator.callbacks().length === 1);
    assert.equal(mtn.emulator.callbacks()[0]?.status, 500);
    assert.deepEqual(mtn.emulator.backend.open(), []);
  });

  it('go only to the registered host, by name, in the scheme of the environment', async () => {
    await using receiver = await startCallbackReceiver();
    const deliverCallbacksTo = receiver.url;
    await using mtn = await startForTest({ deliverCallbacksTo });
    for (const url of [
      'https://elsewhere.example/hooks',
      'https://127.0.0.1/hooks',
      'https://localhost.evil.example/hooks',
      'http://localhost/hooks',
    ]) {
      const { seen } = await transferAs(mtn, {}, { 'x-callback-url': url });
      assert.deepEqual([seen.status, codeOf(seen)], [500, 'INVALID_CALLBACK_URL_HOST'], url);
    }
    const broken = await transferAs(mtn, {}, { 'x-callback-url': 'hooks' });
    assert.equal(broken.seen.status, 400);
    assert.deepEqual(mtn.emulator.backend.book(), []);
    await using lenient = await startForTest({
      callbackScheme: 'any',
      deliverCallbacksTo,
      credentials: { providerCallbackHost: 'hooks.example' },
    });
    for (const url of ['http://hooks.example:8080/x', 'https://hooks.example/x']) {
      const { seen } = await transferAs(lenient, {}, { 'x-callback-url': url });
      assert.equal(seen.status, 202);
    }
  });

  it('have the operator’s form when they are forged', async () => {
    await using receiver = await startCallbackReceiver();
    await using mtn = await startForTest({
      deliverCallbacksTo: receiver.url,
      callbackCarriesReference: true,
    });
    mtn.emulator.chooser.setRules([{ match: {}, preset: 'callback-forged' }]);
    const { reference } = await transferAs(mtn, {}, { 'x-callback-url': CALLBACK_URL });
    await waitUntil('all three have arrived', () => receiver.seen().length === 3);
    const bodies = receiver.seen().map(({ body }) => JSON.parse(body) as unknown);
    const statuses = bodies.map((body) => memberOf(body, 'status'));
    assert.deepEqual(statuses.map(String).toSorted(), ['FAILED', 'SUCCESSFUL', 'SUCCESSFUL']);
    const invented = bodies.filter((body) => memberOf(body, 'referenceId') !== reference);
    assert.equal(invented.length, 1);
    assert.notEqual(memberOf(invented[0], 'externalId'), 'po-1');
  });

  it('are sent after a restart for payouts that end then', async () => {
    await using folder = await createTestFolder();
    await using receiver = await startCallbackReceiver();
    const options = {
      journalPath: join(folder.path, 'mtn.jsonl'),
      deliverCallbacksTo: receiver.url,
    };
    const headers = { 'x-callback-url': CALLBACK_URL, 'x-reference-id': randomUUID() };
    {
      await using first = await startForTest({ ...options, timeScale: 1, pendingMs: 5_000 });
      assert.equal((await first.client.transfer({}, { headers })).status, 202);
    }
    assert.deepEqual(receiver.seen(), []);
    await using second = await startForTest(options);
    await waitUntil('the callback has arrived', () => receiver.seen().length === 1);
    assert.equal((await second.client.transfer({}, { headers })).status, 409);
    assert.equal(second.emulator.backend.book().length, 1);
  });
});
