import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Rejection } from './failure-codes.ts';
import { readPayoutRequest } from './payout-request.ts';

const REQUEST = {
  payoutId: 'f4401bd2-1568-4140-bf2d-eb77d2b2b639',
  recipient: {
    type: 'MMO',
    accountDetails: { phoneNumber: '260763456789', provider: 'MTN_MOMO_ZMB' },
  },
  amount: '15',
  currency: 'ZMW',
};

function codeOf(value: unknown): string {
  try {
    readPayoutRequest(value);
    return 'none';
  } catch (error) {
    assert(error instanceof Rejection);
    return error.code;
  }
}

function withAccount(changes: object): object {
  const accountDetails = { ...REQUEST.recipient.accountDetails, ...changes };
  return { ...REQUEST, recipient: { ...REQUEST.recipient, accountDetails } };
}

describe('a request for a payout', () => {
  it('is read with all optional parameters', () => {
    const read = readPayoutRequest({
      ...REQUEST,
      payoutId: REQUEST.payoutId.toUpperCase(),
      clientReferenceId: 'INV-123456',
      customerMessage: 'Note of 4 to 22 chars',
      metadata: [{ orderId: 'ORD-1' }, { customerId: 'a@b.c', isPII: true }],
    });
    assert.deepEqual(read, {
      payoutId: REQUEST.payoutId,
      phoneNumber: '260763456789',
      provider: 'MTN_MOMO_ZMB',
      amount: '15',
      currency: 'ZMW',
      clientReferenceId: 'INV-123456',
      customerMessage: 'Note of 4 to 22 chars',
      metadata: { orderId: 'ORD-1', customerId: 'a@b.c' },
    });
  });

  it('is read without its optional parameters', () => {
    const { clientReferenceId, customerMessage, metadata } = readPayoutRequest(REQUEST);
    assert.deepEqual([clientReferenceId, customerMessage, metadata], [null, null, {}]);
  });

  it('is refused when a required parameter is missing', () => {
    for (const name of ['payoutId', 'recipient', 'amount', 'currency']) {
      assert.equal(codeOf({ ...REQUEST, [name]: undefined }), 'MISSING_PARAMETER', name);
      assert.equal(codeOf({ ...REQUEST, [name]: null }), 'MISSING_PARAMETER', name);
    }
    for (const name of ['phoneNumber', 'provider']) {
      assert.equal(codeOf(withAccount({ [name]: undefined })), 'MISSING_PARAMETER', name);
    }
    assert.equal(codeOf({ ...REQUEST, recipient: { type: 'MMO' } }), 'MISSING_PARAMETER');
    const untyped = { accountDetails: REQUEST.recipient.accountDetails };
    assert.equal(codeOf({ ...REQUEST, recipient: untyped }), 'MISSING_PARAMETER');
  });

  it('is refused with an unknown parameter, also one of the previous version', () => {
    assert.equal(codeOf({ ...REQUEST, country: 'ZMB' }), 'UNSUPPORTED_PARAMETER');
    assert.equal(codeOf({ ...REQUEST, statementDescription: 'Hello' }), 'UNSUPPORTED_PARAMETER');
    assert.equal(codeOf(withAccount({ name: 'Grace' })), 'UNSUPPORTED_PARAMETER');
    const addressed = { ...REQUEST.recipient, address: {} };
    assert.equal(codeOf({ ...REQUEST, recipient: addressed }), 'UNSUPPORTED_PARAMETER');
  });

  it('is refused when a parameter does not have its documented form', () => {
    const broken: readonly object[] = [
      { payoutId: 'f4401bd2-1568-1140-bf2d-eb77d2b2b639' },
      { payoutId: 'f4401bd2-1568-4140-cf2d-eb77d2b2b639' },
      { payoutId: 'f4401bd215684140bf2deb77d2b2b639' },
      { payoutId: 7 },
      { amount: 15 },
      { currency: 1 },
      { recipient: 'MMO' },
      { recipient: [] },
      { recipient: { ...REQUEST.recipient, type: 'MSISDN' } },
      { recipient: { type: 'MMO', accountDetails: '260763456789' } },
      { customerMessage: 'abc' },
      { customerMessage: 'a'.repeat(23) },
      { customerMessage: 'Pay-out' },
      { customerMessage: 'Ndalama ✓' },
      { clientReferenceId: 12 },
      { clientReferenceId: '' },
      { metadata: { orderId: 'ORD-1' } },
      { metadata: ['orderId'] },
      { metadata: [{ isPII: true }] },
      { metadata: [{ a: '1', b: '2' }] },
      { metadata: [{ a: '1', isPII: 'yes' }] },
      { metadata: [{ a: 1 }] },
      { metadata: Array.from({ length: 11 }, (_, index) => ({ [`f${index}`]: 'x' })) },
    ];
    for (const changes of broken) {
      assert.equal(
        codeOf({ ...REQUEST, ...changes }),
        'INVALID_PARAMETER',
        JSON.stringify(changes),
      );
    }
    assert.equal(codeOf(withAccount({ phoneNumber: 260763456789 })), 'INVALID_PARAMETER');
  });

  it('may have ten items of metadata and a note of 4 or 22 characters', () => {
    const metadata = Array.from({ length: 10 }, (_, index) => ({ [`f${index}`]: 'x' }));
    assert.equal(codeOf({ ...REQUEST, metadata }), 'none');
    assert.equal(codeOf({ ...REQUEST, customerMessage: 'abcd' }), 'none');
    assert.equal(codeOf({ ...REQUEST, customerMessage: 'a'.repeat(22) }), 'none');
  });

  it('is refused when a metadata field is repeated', () => {
    const metadata = [{ orderId: 'ORD-1' }, { orderId: 'ORD-2' }];
    assert.equal(codeOf({ ...REQUEST, metadata }), 'DUPLICATE_METADATA_FIELD');
  });

  it('is refused when it is not an object', () => {
    for (const value of [null, [], 'text', 5, [REQUEST]]) {
      assert.equal(codeOf(value), 'INVALID_INPUT');
    }
  });
});
