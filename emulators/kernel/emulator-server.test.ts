import assert from 'node:assert/strict';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { startCallbackReceiver } from './callback-receiver.ts';
import { failureOf, pay, payAs, startPlainEmulator } from './test-emulator.ts';
import { createTestFolder } from './test-folder.ts';
import { waitUntil } from './wait-until.ts';

describe('the answer to a submission', () => {
  it('is the protocol’s answer, normally', async () => {
    await using folder = await createTestFolder();
    await using emulator = await startPlainEmulator(folder.path);
    const answer = await pay(emulator);
    assert.equal(answer.status, 200);
    assert.deepEqual(await answer.json(), { says: 'paid' });
    assert.equal((await pay(emulator)).status, 409);
    assert.equal(emulator.backend.book().length, 1);
  });

  const answered = {
    'pay-then-500': [500, '{"says":"broken"}', 1],
    'pay-then-400': [400, '{"says":"bad"}', 1],
    'token-expired': [401, '{"says":"expired"}', 0],
  } as const;
  for (const [name, [status, text, payments]] of Object.entries(answered)) {
    it(`is ${status} in the protocol's form for ${name}`, async () => {
      await using folder = await createTestFolder();
      await using emulator = await startPlainEmulator(folder.path);
      const answer = await payAs(emulator, name as keyof typeof answered);
      assert.equal(answer.status, status);
      assert.equal(await answer.text(), text);
      assert.equal(emulator.backend.book().length, payments);
    });
  }

  it('can be an HTML page that is not of the protocol', async () => {
    await using folder = await createTestFolder();
    await using emulator = await startPlainEmulator(folder.path);
    const answer = await payAs(emulator, 'pay-then-html');
    assert.equal(answer.status, 502);
    assert.equal(answer.headers.get('content-type'), 'text/html');
    assert.match(await answer.text(), /^<!DOCTYPE html>/);
    assert.equal(emulator.backend.book().length, 1);
  });

  it('can be 429, with nothing paid', async () => {
    await using folder = await createTestFolder();
    await using emulator = await startPlainEmulator(folder.path);
    const answer = await payAs(emulator, 'rate-limited');
    assert.equal(answer.status, 429);
    assert.equal(answer.headers.get('retry-after'), '1');
    assert.deepEqual(emulator.backend.book(), []);
  });

  it('can be a refusal with Retry-After in seconds or as a date', async () => {
    await using folder = await createTestFolder();
    await using emulator = await startPlainEmulator(folder.path);
    const seconds = await payAs(emulator, 'unavailable-for-now');
    assert.equal(seconds.status, 503);
    assert.equal(seconds.headers.get('retry-after'), '2');
    for (const [preset, status] of [
      ['rate-limited-until-date', 429],
      ['unavailable-until-date', 503],
    ] as const) {
      const answer = await payAs(emulator, preset);
      assert.equal(answer.status, status);
      const waitMs = Date.parse(answer.headers.get('retry-after') ?? '') - Date.now();
      assert.ok(waitMs > 0 && waitMs <= 3_000, `${waitMs} ms`);
    }
    assert.deepEqual(emulator.backend.book(), []);
  });

  it('can be 429 although the payout was paid', async () => {
    await using folder = await createTestFolder();
    await using emulator = await startPlainEmulator(folder.path);
    assert.equal((await payAs(emulator, 'rate-limited-but-paid')).status, 429);
    assert.equal(emulator.backend.book().length, 1);
  });

  it('can be a reset before the first byte', async () => {
    await using folder = await createTestFolder();
    await using emulator = await startPlainEmulator(folder.path);
    assert.equal(await failureOf(payAs(emulator, 'pay-then-reset')), 'ECONNRESET');
    assert.equal(emulator.backend.book().length, 1);
    assert.equal(emulator.requests().at(-1)?.status, 'reset');
  });

  it('can be a reset in the middle of the body, after the headers', async () => {
    await using folder = await createTestFolder();
    await using emulator = await startPlainEmulator(folder.path);
    const answer = await payAs(emulator, 'pay-then-reset-mid-body');
    assert.equal(answer.status, 200);
    assert.notEqual(await failureOf(Promise.resolve(answer)), 'answered');
    assert.equal(emulator.backend.book().length, 1);
  });

  for (const preset of ['pay-no-answer', 'lost'] as const) {
    it(`never comes for ${preset}, until the emulator closes`, async () => {
      await using folder = await createTestFolder();
      await using emulator = await startPlainEmulator(folder.path);
      const failure = failureOf(payAs(emulator, preset));
      await waitUntil('the request hangs', () => emulator.requests().at(-1)?.status === 'hang');
      assert.equal(emulator.backend.book().length, preset === 'lost' ? 0 : 1);
      await emulator.close();
      assert.notEqual(await failure, 'answered');
    });
  }

  it('comes after a delay when it is slow, after the payment', async () => {
    await using folder = await createTestFolder();
    await using emulator = await startPlainEmulator(folder.path, { timeScale: 1 });
    const failure = failureOf(payAs(emulator, 'slow'));
    await waitUntil('the payout is paid', () => emulator.backend.book().length === 1);
    assert.deepEqual(emulator.requests(), []);
    await emulator.close();
    assert.notEqual(await failure, 'answered');
  });

  it('comes eventually when it is slow', async () => {
    await using folder = await createTestFolder();
    await using emulator = await startPlainEmulator(folder.path);
    assert.equal((await payAs(emulator, 'slow')).status, 200);
  });

  it('shows a bug of the emulator as an error of its own', async () => {
    await using folder = await createTestFolder();
    await using emulator = await startPlainEmulator(folder.path);
    const answer = await fetch(`${emulator.url}/bug`);
    assert.equal(answer.status, 500);
    assert.match(emulator.requests().at(-1)?.error ?? '', /a bug of the protocol/);
  });

  it('is 413 for a body above the limit', async () => {
    await using folder = await createTestFolder();
    await using emulator = await startPlainEmulator(folder.path);
    const body = Buffer.alloc(2 * 1024 * 1024, 'x');
    assert.equal((await fetch(`${emulator.url}/pay`, { method: 'POST', body })).status, 413);
  });
});

describe('callbacks over the wire', () => {
  it('arrive before the answer when they are early', async () => {
    await using folder = await createTestFolder();
    await using receiver = await startCallbackReceiver();
    await using emulator = await startPlainEmulator(folder.path);
    emulator.chooser.setRules([{ match: {}, preset: 'callback-early' }]);
    const answer = await pay(emulator, { callbackUrl: receiver.url });
    assert.equal(receiver.seen().length, 1);
    assert.equal(answer.status, 200);
  });

  it('arrive although the submission is never answered', async () => {
    await using folder = await createTestFolder();
    await using receiver = await startCallbackReceiver();
    await using emulator = await startPlainEmulator(folder.path);
    emulator.chooser.setRules([{ match: {}, preset: 'pay-no-answer' }]);
    const failure = failureOf(pay(emulator, { callbackUrl: receiver.url }));
    await waitUntil('the callback has arrived', () => receiver.seen().length === 1);
    await emulator.close();
    assert.notEqual(await failure, 'answered');
    assert.equal(emulator.callbacks().length, 1);
  });

  it('arrive after a restart when they were not sent before', async () => {
    await using folder = await createTestFolder();
    await using receiver = await startCallbackReceiver();
    {
      await using emulator = await startPlainEmulator(folder.path, { timeScale: 1 });
      emulator.chooser.setRules([{ match: {}, preset: 'pending-then-ok' }]);
      await pay(emulator, { callbackUrl: receiver.url });
    }
    assert.equal(receiver.seen().length, 0);
    await using again = await startPlainEmulator(folder.path);
    await waitUntil('the callback has arrived', () => receiver.seen().length === 1);
    assert.equal(again.backend.book().length, 1);
  });
});

describe('closing', () => {
  it('ends hanging, idle and half-sent connections, and can be repeated', async () => {
    await using folder = await createTestFolder();
    const emulator = await startPlainEmulator(folder.path, { timeScale: 1 });
    emulator.chooser.setRules([{ match: {}, preset: 'execute-late' }]);
    await pay(emulator);
    const hung = failureOf(fetch(`${emulator.url}/silence`));
    const half = createConnection(emulator.port, '127.0.0.1');
    const halfClosed = new Promise<void>((resolve) => half.on('close', () => resolve()));
    half.on('error', () => undefined);
    half.write('POST /pay HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{');
    await waitUntil('the request hangs', () => emulator.requests().at(-1)?.status === 'hang');
    await Promise.all([emulator.close(), emulator.close()]);
    await halfClosed;
    assert.notEqual(await hung, 'answered');
    const refused = await failureOf(pay(emulator));
    assert.equal(refused, 'ECONNREFUSED');
  });

  it('refuses a port that is taken', async () => {
    await using folder = await createTestFolder();
    await using emulator = await startPlainEmulator(folder.path);
    await assert.rejects(
      startPlainEmulator(folder.path, {
        port: emulator.port,
        journalPath: join(folder.path, 'other.jsonl'),
      }),
      /EADDRINUSE/,
    );
  });
});
