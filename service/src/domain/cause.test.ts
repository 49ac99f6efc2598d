import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CAUSES, causeOf, describeCause } from './cause.ts';

describe('a cause', () => {
  it('is stored as a code, and shown as a sentence', () => {
    assert.equal(causeOf('OPERATOR_PAID'), 'OPERATOR_PAID');
    assert.equal(describeCause('OPERATOR_PAID'), 'the operator paid');
  });

  it('keeps what the operator said, without control characters, and fits its column', () => {
    const stored = causeOf('OPERATOR_REFUSED', 'HTTP 400\u0000 PAYEE_NOT_FOUND');
    assert.equal(stored, 'OPERATOR_REFUSED HTTP 400  PAYEE_NOT_FOUND');
    assert.equal(describeCause(stored), 'the operator refused it: HTTP 400  PAYEE_NOT_FOUND');
    const long = causeOf('ANSWER_UNCLEAR', '𝔘'.repeat(500));
    assert.equal(Array.from(long).length, 200);
  });

  it('that an older version stored as a sentence is shown as it is', () => {
    for (const old of ['the operator paid', 'HTTP 500 INTERNAL_PROCESSING_ERROR', 'HTTP', '']) {
      assert.equal(describeCause(old), old);
    }
  });

  it('that an older version stored under another code has the sentence of today', () => {
    assert.equal(describeCause('APPROVAL_ASKED'), describeCause('APPROVAL_REQUIRED'));
  });

  it('has a sentence of its own for every code', () => {
    assert.equal(new Set(Object.values(CAUSES)).size, Object.keys(CAUSES).length);
  });
});
