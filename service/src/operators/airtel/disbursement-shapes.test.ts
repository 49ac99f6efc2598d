import assert from 'node:assert/strict';
import { constants, createCipheriv, privateDecrypt } from 'node:crypto';
import { describe, it } from 'node:test';
import { somePayout, TOKEN } from '../../../test/fakes/fake-airtel.ts';
import {
  both,
  idOf,
  PAIR,
  SUBMIT,
  succeeds,
  withGateway,
} from '../../../test/fakes/with-fake-airtel.ts';

/** The versions whose requests can be signed. */
const SIGNED = [
  ['v2', '/standard/v2/disbursements/'],
  ['v3', SUBMIT],
] as const;

describe('a submission on the wire', () => {
  it('carries v3 with its headers, the national number and the encrypted PIN', async () => {
    const payout = somePayout();
    await withGateway(both(succeeds(payout), succeeds(payout)), async ({ connector, gateway }) => {
      await connector.submit(payout);
      const asked = gateway.requests.find(
        ({ method, path }) => method === 'POST' && path === SUBMIT,
      );
      assert.ok(asked);
      assert.equal(asked.headers.authorization, `Bearer ${TOKEN}`);
      assert.equal(asked.headers['x-country'], 'ZM');
      assert.equal(asked.headers['x-currency'], 'ZMW');
      assert.equal(asked.headers['content-type'], 'application/json');
      assert.equal(asked.headers['x-signature'], undefined);
      const { pin, ...rest } = JSON.parse(asked.body);
      assert.deepEqual(rest, {
        payee: { msisdn: '977123456', wallet_type: 'NORMAL' },
        reference: idOf(payout),
        transaction: { amount: 150.5, id: idOf(payout), type: 'B2C' },
      });
      const padding = constants.RSA_PKCS1_OAEP_PADDING;
      const sealed = Buffer.from(pin, 'base64');
      const opened = privateDecrypt({ key: PAIR.privateKey, padding, oaepHash: 'sha256' }, sealed);
      assert.equal(opened.toString(), '4829');
    });
  });

  it('has the form of v1 or v2 if the settings say so', async () => {
    const payout = somePayout({
      country: 'ng',
      currency: 'NGN',
      phone: '+2348021234567',
      amountMinor: 9_007_199_254_740_993n,
    });
    const id = idOf(payout);
    const forms = {
      v1: { payee: { msisdn: '8021234567' }, type: undefined, query: '' },
      v2: {
        payee: { msisdn: '8021234567', name: 'Customer', currency: 'NGN' },
        type: 'B2C',
        query: '?transactionType=B2C',
      },
    };
    for (const [version, form] of Object.entries(forms)) {
      const apiVersion = version === 'v1' ? 'v1' : 'v2';
      const path = `/standard/${version}/disbursements/`;
      await withGateway(
        { [path]: succeeds(payout) },
        async ({ connector, gateway }) => {
          await connector.submit(payout);
          await connector.inquire(payout, { checks: 0 });
          const [, submitted, inquired] = gateway.requests;
          assert.equal(submitted?.path, path);
          assert.equal(inquired?.path, `${path}${id}${form.query}`);
          // Compared digit by digit: a double would change the amount.
          assert.match(submitted?.body ?? '', /"amount":90071992547409\.93,/);
          const body = JSON.parse(submitted?.body ?? '');
          assert.deepEqual(body.payee, form.payee);
          assert.equal(body.transaction.type, form.type);
          assert.equal(body.reference, id);
        },
        { settings: { apiVersion }, country: 'ng' },
      );
    }
  });

  for (const [apiVersion, path] of SIGNED) {
    it(`is signed over exactly the bytes that are sent by ${apiVersion}`, async () => {
      const payout = somePayout();
      await withGateway(
        { [path]: succeeds(payout) },
        async ({ connector, gateway }) => {
          await connector.submit(payout);
          const asked = gateway.requests.find((one) => one.method === 'POST' && one.path === path);
          assert.ok(asked);
          const opened = privateDecrypt(
            { key: PAIR.privateKey, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha1' },
            Buffer.from(String(asked.headers['x-key']), 'base64'),
          );
          const [key = '', iv = ''] = opened.toString().split(':');
          const cipher = createCipheriv(
            'aes-256-cbc',
            Buffer.from(key, 'base64'),
            Buffer.from(iv, 'base64'),
          );
          const expected = cipher.update(asked.body, 'utf8', 'base64') + cipher.final('base64');
          assert.equal(asked.headers['x-signature'], expected);
        },
        { settings: { signRequests: true, apiVersion } },
      );
    });
  }
});
