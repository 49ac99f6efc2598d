import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { deriveOperatorReference } from './operator-reference.ts';

const BOOK_ID = '019b7e1c-0000-7000-8000-000000000001';
const ANOTHER_BOOK_ID = '019b7e1c-0000-7000-8000-000000000002';

const anyOrder = fc.record({
  bookId: fc.uuid(),
  reference: fc.stringMatching(/^[a-zA-Z0-9._-]{1,100}$/),
  submission: fc.integer({ min: 1, max: 1_000_000 }),
});

describe('the reference at the operator', () => {
  // Computed once by another program. Operators have orders under references that were derived this way: if one of
  // these lines must change, a restore from a backup pays people twice.
  for (const [bookId, submission, reference, derived] of [
    [BOOK_ID, 1, 'hello-1', 'e38f55f1-32e4-4156-81a2-d72bc9fe2c12'],
    [BOOK_ID, 2, 'hello-1', '00b1d5cc-4459-49fe-95f4-460e5eec02c8'],
    [BOOK_ID, 1, 'HELLO-1', '45e0da61-5f45-4931-a7a0-fe9e6de4c7c3'],
    [BOOK_ID, 1, '.', '2844dd3f-e03a-4bce-bb11-25f0e0c3041d'],
    [ANOTHER_BOOK_ID, 1, 'hello-1', 'aeac1f10-63f5-43fa-8a7d-cd8da08038e6'],
    [
      'ffffffff-ffff-7fff-bfff-ffffffffffff',
      1,
      'x'.repeat(100),
      'd613b7c3-6b92-41a8-b556-f5e9ad223f95',
    ],
  ] as const) {
    it(`is always ${derived} for submission ${submission} of ${reference.slice(0, 10)}`, () => {
      assert.equal(deriveOperatorReference({ bookId, reference, submission }), derived);
    });
  }

  it('is a UUID of version 4 for any input', () => {
    const v4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
    fc.assert(fc.property(anyOrder, (order) => assert.match(deriveOperatorReference(order), v4)));
  });

  it('does not depend on the case in which the book is written', () => {
    fc.assert(
      fc.property(anyOrder, (order) => {
        const upper = { ...order, bookId: order.bookId.toUpperCase() };
        assert.equal(deriveOperatorReference(upper), deriveOperatorReference(order));
      }),
    );
  });

  it('differs when book, reference or submission differs', () => {
    fc.assert(
      fc.property(anyOrder, anyOrder, (one, other) => {
        const same =
          one.bookId === other.bookId &&
          one.reference === other.reference &&
          one.submission === other.submission;
        assert.equal(deriveOperatorReference(one) === deriveOperatorReference(other), same);
      }),
    );
  });
});
