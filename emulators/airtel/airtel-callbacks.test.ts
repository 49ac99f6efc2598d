import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { startCallbackReceiver } from '../kernel/callback-receiver.ts';
import { isJsonObject } from '../kernel/read-json-object.ts';
import { waitUntil } from '../kernel/wait-until.ts';
import { at, enquireAbout, idOf, orderFor, pay } from './airtel-caller.ts';
import { startAirtelEmulator } from './airtel-emulator.ts';
import { startAirtelForTest } from './start-for-test.ts';

function hashOf(covered: string, key: string): string {
  return createHmac('sha256', key).update(covered).digest('base64');
}

/** Splits a callback's body into the transaction and the hash, as a receiver would. */
function take(body: string): Readonly<{ transaction: unknown; hash: unknown }> {
  const value: unknown = JSON.parse(body);
  return isJsonObject(value)
    ? { transaction: value['transaction'], hash: value['hash'] }
    : { transaction: undefined, hash: undefined };
}

describe('a callback', () => {
  it('is not sent while the application has no URL', async () => {
    await using emulator = await startAirtelForTest();
    // An early callback would be sent before the answer, so its absence now shows that none is sent.
    emulator.chooser.setRules([{ match: {}, behaviour: { callback: 'early' } }]);
    const order = await orderFor(emulator, 'v3');
    await pay(emulator, order);
    assert.equal(at(await enquireAbout(emulator, idOf(order)), 'data.transaction.status'), 'TS');
    assert.deepEqual(emulator.callbacks(), []);
  });

  it('reports the end, with a hash over the body without the hash', async () => {
    await using receiver = await startCallbackReceiver();
    await using emulator = await startAirtelForTest({
      callbackUrl: `${receiver.url}/hooks/airtel`,
    });
    emulator.chooser.setRules([{ match: { msisdnEndsIn: '2' }, preset: 'reject' }]);
    for (const [msisdn, statusCode, says] of [
      ['977000001', 'TS', /^Paid ZMW 150\.50 to 977000001 /],
      ['977000002', 'TF', /^Not paid/],
    ] as const) {
      const order = await orderFor(emulator, 'v3', { payee: { msisdn } });
      await pay(emulator, order);
      await waitUntil('the callback', () =>
        receiver.seen().some(({ body }) => body.includes(idOf(order))),
      );
      const seen = receiver.seen().find(({ body }) => body.includes(idOf(order)));
      assert.equal(seen?.method, 'POST');
      assert.equal(seen.path, '/hooks/airtel');
      assert.equal(seen.headers['content-type'], 'application/json');
      const { transaction, hash } = take(seen.body);
      assert.ok(isJsonObject(transaction));
      assert.equal(transaction['id'], idOf(order));
      assert.equal(transaction['status_code'], statusCode);
      assert.match(String(transaction['message']), says);
      assert.equal(
        transaction['airtel_money_id'],
        emulator.backend.find(idOf(order))?.operatorTransactionId,
      );
      const { callbackPrivateKey } = emulator.credentials;
      assert.equal(hash, hashOf(JSON.stringify({ transaction }), callbackPrivateKey));
    }
  });

  it('can be hashed over the transaction alone, in a header, or not at all', async () => {
    await using receiver = await startCallbackReceiver();
    for (const callback of [
      { authenticated: true, hashCovers: 'transaction', hashIn: 'body' },
      { authenticated: true, hashCovers: 'body', hashIn: 'header' },
      { authenticated: false, hashCovers: 'body', hashIn: 'body' },
    ] as const) {
      await using emulator = await startAirtelForTest({ settings: { callback } });
      emulator.setCallbackUrl(receiver.url);
      const order = await orderFor(emulator, 'v3');
      await pay(emulator, order);
      await waitUntil('the callback', () =>
        receiver.seen().some(({ body }) => body.includes(idOf(order))),
      );
      const seen = receiver.seen().find(({ body }) => body.includes(idOf(order)));
      const { transaction, hash } = take(seen?.body ?? '');
      const covered = JSON.stringify(
        callback.hashCovers === 'body' ? { transaction } : transaction,
      );
      const expected = hashOf(covered, emulator.credentials.callbackPrivateKey);
      const inBody = callback.authenticated && callback.hashIn === 'body';
      const inHeader = callback.authenticated && callback.hashIn === 'header';
      assert.equal(hash, inBody ? expected : undefined);
      assert.equal(seen?.headers['hash'], inHeader ? expected : undefined);
    }
  });

  it('that is forged has a hash under an unknown key, also for payouts that were never submitted', async () => {
    await using receiver = await startCallbackReceiver();
    await using emulator = await startAirtelForTest({ callbackUrl: receiver.url });
    emulator.chooser.setRules([{ match: {}, preset: 'callback-forged' }]);
    const order = await orderFor(emulator, 'v3');
    await pay(emulator, order);
    await waitUntil('two forged callbacks and the real one', () => receiver.seen().length === 3);
    const rightly = receiver.seen().filter(({ body }) => {
      const { transaction, hash } = take(body);
      const { callbackPrivateKey } = emulator.credentials;
      return hash === hashOf(JSON.stringify({ transaction }), callbackPrivateKey);
    });
    assert.equal(rightly.length, 1);
    assert.match(rightly[0]?.body ?? '', /"status_code":"TS"/);
    assert.equal(receiver.seen().filter(({ body }) => body.includes(idOf(order))).length, 2);
  });

  it('can come out of order, with "in process" after the end', async () => {
    await using receiver = await startCallbackReceiver();
    await using emulator = await startAirtelForTest({ callbackUrl: receiver.url });
    emulator.chooser.setRules([{ match: {}, preset: 'callback-out-of-order' }]);
    await pay(emulator, await orderFor(emulator, 'v3'));
    await waitUntil('two callbacks', () => receiver.seen().length === 2);
    const said = receiver.seen().map(({ body }) => /"status_code":"(\w+)"/.exec(body)?.[1]);
    assert.deepEqual(said, ['TS', 'TIP']);
  });
});

describe('an operator that was restarted', () => {
  /** Ten minutes at the first emulator's time scale. */
  const PENDING_MS = 600_000_000;

  it('still has its payouts, its key and the callbacks that it has not sent', async () => {
    await using receiver = await startCallbackReceiver();
    await using first = await startAirtelForTest();
    first.chooser.setRules([
      { match: { msisdnEndsIn: '2' }, behaviour: { pendingMs: PENDING_MS } },
    ]);
    const paid = await orderFor(first, 'v3');
    const pending = await orderFor(first, 'v3', { payee: { msisdn: '977000002' } });
    await pay(first, paid);
    await pay(first, pending);
    await first.close();
    const journalPath = join(first.folder, 'airtel.jsonl');
    const lines = (await readFile(journalPath, 'utf8')).trim().split('\n');
    assert.ok(lines.some((line) => line.includes('"pinPadding":"oaep-sha256-mgf1sha256"')));
    assert.ok(!lines.some((line) => line.includes('"pin"')));

    const second = await startAirtelEmulator({
      port: 0,
      journalPath,
      keyPath: join(first.folder, 'key.pem'),
      // At this time scale the remaining time is over at once.
      timeScale: 0.000_000_1,
      callbackUrl: receiver.url,
    });
    try {
      assert.equal(at(await enquireAbout(second, idOf(paid)), 'data.transaction.status'), 'TS');
      assert.equal(at(await pay(second, paid), 'status.response_code'), 'DP00900001017');
      await waitUntil('the callback', () => receiver.seen().length === 1);
      assert.match(receiver.seen()[0]?.body ?? '', new RegExp(idOf(pending)));
      assert.equal(second.backend.book().length, 2);
    } finally {
      await second.close();
    }
  });
});
