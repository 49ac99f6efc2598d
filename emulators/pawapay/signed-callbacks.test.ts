import assert from 'node:assert/strict';
import { createPublicKey, randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { type ReceivedCallback, startCallbackReceiver } from '../kernel/callback-receiver.ts';
import type { JsonObject } from '../kernel/read-json-object.ts';
import { waitUntil } from '../kernel/wait-until.ts';
import { createPawapayCredentials } from './credentials.ts';
import type { PawapayEmulator } from './pawapay-emulator.ts';
import { findSignatureFault } from './signatures/check-signature.ts';
import { type EcdsaEncoding, SIGNATURE_ALGORITHMS } from './signatures/signature-algorithms.ts';
import { bodyOf, seen } from './test-callbacks.ts';
import { startTestMerchant } from './test-merchant.ts';

const PATH = '/callbacks/pawapay';

/** Checks the signature as a receiver does, with only the keys that pawaPay publishes. */
async function findFault(
  emulator: PawapayEmulator,
  callback: ReceivedCallback,
  encodings: readonly EcdsaEncoding[] = ['der'],
): Promise<string | undefined> {
  const answer = await fetch(`${emulator.url}/v2/public-key/http`, {
    headers: { authorization: `Bearer ${emulator.credentials.apiToken}` },
  });
  const shown: unknown = await answer.json();
  assert(Array.isArray(shown));
  const keys = new Map(shown.map(({ id, key }) => [String(id), createPublicKey(String(key))]));
  const { method, path, headers, body } = callback;
  const texts = Object.fromEntries(Object.entries(headers).map(([k, v]) => [k, String(v)]));
  const authority = headers.host ?? '';
  const message = { method, path, authority, headers: texts, body: Buffer.from(body) };
  return findSignatureFault({ keys, encodings, now: new Date() }, message);
}

describe('a signed callback', () => {
  for (const callbackAlgorithm of SIGNATURE_ALGORITHMS) {
    it(`is signed with ${callbackAlgorithm} by the key that pawaPay publishes`, async () => {
      await using receiver = await startCallbackReceiver();
      await using merchant = await startTestMerchant({
        callbackUrl: `${receiver.url}${PATH}`,
        signedCallbacks: true,
        credentials: createPawapayCredentials({ callbackAlgorithm }),
      });
      await merchant.pay();
      const [callback] = await seen(receiver, 1);
      assert(callback);
      assert.equal(await findFault(merchant.emulator, callback), undefined);
      const changed = { ...callback, body: callback.body.replace('15.00', '16.00') };
      assert.match((await findFault(merchant.emulator, changed)) ?? '', /Content-Digest/);
    });
  }

  it('can have its ECDSA signature as raw r and s, as in the RFC', async () => {
    await using receiver = await startCallbackReceiver();
    await using merchant = await startTestMerchant({
      callbackUrl: `${receiver.url}${PATH}`,
      signedCallbacks: true,
      callbackEncoding: 'raw',
    });
    await merchant.pay();
    const [callback] = await seen(receiver, 1);
    assert(callback);
    assert.match((await findFault(merchant.emulator, callback)) ?? '', /wrong/);
    assert.equal(await findFault(merchant.emulator, callback, ['raw']), undefined);
    const base64 = /:(.*):/.exec(String(callback.headers.signature))?.[1] ?? '';
    assert.equal(Buffer.from(base64, 'base64').length, 64);
  });

  it('covers the public host, also when it is delivered elsewhere', async () => {
    await using receiver = await startCallbackReceiver();
    await using merchant = await startTestMerchant({
      callbackUrl: `https://payouts.example${PATH}`,
      deliverCallbacksTo: receiver.url,
      signedCallbacks: true,
    });
    await merchant.pay();
    const [callback] = await seen(receiver, 1);
    assert(callback);
    assert.equal(callback.headers.host, 'payouts.example');
    assert.equal(await findFault(merchant.emulator, callback), undefined);
  });

  it('is signed again for each attempt', async () => {
    await using receiver = await startCallbackReceiver();
    receiver.answerWith({ status: 500, body: '' });
    await using merchant = await startTestMerchant({
      callbackUrl: `${receiver.url}${PATH}`,
      signedCallbacks: true,
      timeScale: 0.0005,
    });
    await merchant.pay();
    const callbacks = await seen(receiver, 3);
    const dates = new Set(callbacks.map(({ headers }) => headers['signature-date']));
    assert.equal(dates.size, callbacks.length);
    for (const callback of callbacks) {
      assert.equal(await findFault(merchant.emulator, callback), undefined);
    }
  });

  it('that is forged has a wrong signature or none, and a false status', async () => {
    await using receiver = await startCallbackReceiver();
    await using merchant = await startTestMerchant({
      callbackUrl: `${receiver.url}${PATH}`,
      signedCallbacks: true,
    });
    merchant.emulator.chooser.setRules([{ match: {}, preset: 'callback-forged' }]);
    const payoutId = randomUUID();
    await merchant.pay({ payoutId });
    const callbacks = await seen(receiver, 3);
    const reports = await Promise.all(
      callbacks.map(async (callback) => {
        const { payoutId: about, status } = bodyOf(callback);
        const fault = (await findFault(merchant.emulator, callback)) ?? 'none';
        return `${about === payoutId ? 'known' : 'invented'} ${String(status)} ${fault}`;
      }),
    );
    assert.deepEqual(reports.sort(), [
      'invented COMPLETED No sig-pp signature.',
      'known COMPLETED none',
      'known FAILED The signature is wrong.',
    ]);
  });

  it('that is forged is not retried', async () => {
    await using receiver = await startCallbackReceiver();
    receiver.answerWith({ status: 500, body: '' });
    await using merchant = await startTestMerchant({
      callbackUrl: `${receiver.url}${PATH}`,
      timeScale: 0.0005,
    });
    merchant.emulator.chooser.setRules([{ match: {}, preset: 'callback-forged' }]);
    const payoutId = randomUUID();
    await merchant.pay({ payoutId });
    const attemptsOf = (isIt: (body: JsonObject) => boolean) =>
      receiver.seen().filter((callback) => isIt(bodyOf(callback))).length;
    await waitUntil(
      'all attempts of the real callback',
      () => attemptsOf((body) => body.payoutId === payoutId && body.status === 'COMPLETED') >= 11,
    );
    assert.equal(
      attemptsOf(({ status }) => status === 'FAILED'),
      1,
    );
    assert.equal(
      attemptsOf((body) => body.payoutId !== payoutId),
      1,
    );
  });
});
