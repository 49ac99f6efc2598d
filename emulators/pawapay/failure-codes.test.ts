import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FINAL_CODES, failureReason, INITIATION_CODES, readRefusal } from './failure-codes.ts';

describe('the refusal of a behaviour', () => {
  it('can be any code of either list', () => {
    for (const code of Object.keys(INITIATION_CODES)) {
      assert.deepEqual(readRefusal(`REJECTED:${code}`), { at: 'arrival', code });
    }
    for (const code of FINAL_CODES) {
      assert.deepEqual(readRefusal(code), { at: 'end', code });
      assert.deepEqual(readRefusal(`FAILED:${code}`), { at: 'end', code });
    }
  });

  it('without a prefix is the end for a code of both lists, else of the list that has it', () => {
    assert.equal(readRefusal('PAWAPAY_WALLET_OUT_OF_FUNDS').at, 'end');
    assert.equal(readRefusal('UNKNOWN_ERROR').at, 'end');
    assert.equal(readRefusal('INVALID_PHONE_NUMBER').at, 'arrival');
  });

  it('can be one of the words that all operators share', () => {
    assert.deepEqual(readRefusal('recipient-not-found'), {
      at: 'end',
      code: 'RECIPIENT_NOT_FOUND',
    });
    assert.deepEqual(readRefusal('recipient-limit'), { at: 'end', code: 'WALLET_LIMIT_REACHED' });
    assert.deepEqual(readRefusal('declined'), { at: 'end', code: 'UNSPECIFIED_FAILURE' });
    assert.deepEqual(readRefusal('float-insufficient'), {
      at: 'arrival',
      code: 'PAWAPAY_WALLET_OUT_OF_FUNDS',
    });
  });

  it('throws when pawaPay has no such code in that list', () => {
    const mistakes = ['', 'NOPE', 'invalid_amount', 'toString', 'FAILED:INVALID_AMOUNT'];
    for (const written of [...mistakes, 'REJECTED:RECIPIENT_NOT_FOUND', 'LATER:INVALID_AMOUNT']) {
      assert.throws(() => readRefusal(written), RangeError, written);
    }
  });
});

describe('a failure reason', () => {
  it('has a code and a message, which can be replaced', () => {
    assert.equal(failureReason('UNKNOWN_ERROR').failureCode, 'UNKNOWN_ERROR');
    assert.match(failureReason('UNKNOWN_ERROR').failureMessage, /unknown problem/);
    assert.equal(failureReason('INVALID_AMOUNT', 'It is odd.').failureMessage, 'It is odd.');
  });
});
