import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { signWebhook } from './sign-webhook.ts';

const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`;
const id = 'evt_0198f2c7_1';

function verifies(secret: string, body: string, headers: Record<string, string>): boolean {
  try {
    new Webhook(secret).verify(body, headers);
    return true;
  } catch {
    return false;
  }
}

describe('signing a webhook', () => {
  it('is verified by the reference implementation, for any body', () => {
    fc.assert(
      fc.property(fc.json(), fc.uint8Array({ minLength: 24, maxLength: 64 }), (body, key) => {
        const secret = `whsec_${Buffer.from(key).toString('base64')}`;
        const headers = signWebhook({ id, at: new Date(), body, secrets: [secret] });
        assert.ok(verifies(secret, body, headers));
      }),
    );
  });

  it('is verified by a receiver that has either secret during a rotation', () => {
    const [fresh, previous] = [newSecret(), newSecret()];
    const body = '{"name":"Chanda Mwansa 🎉"}';
    const headers = signWebhook({ id, at: new Date(), body, secrets: [fresh, previous] });
    assert.equal(headers['webhook-signature'].split(' ').length, 2);
    assert.ok(verifies(fresh, body, headers));
    assert.ok(verifies(previous, body, headers));
    assert.ok(!verifies(newSecret(), body, headers));
    assert.ok(!verifies(fresh, `${body} `, headers));
  });

  it('refuses to send something unsigned', () => {
    assert.throws(() => signWebhook({ id, at: new Date(), body: '{}', secrets: [] }));
    assert.throws(() => signWebhook({ id, at: new Date(), body: '{}', secrets: ['plain'] }));
  });
});
