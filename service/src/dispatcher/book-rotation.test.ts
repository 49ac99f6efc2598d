import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { firstBook } from '../transfers/move/claim-walk.ts';
import { BookRotation } from './book-rotation.ts';

const BOOKS = ['1', '2', '3', '4', '5'].map(
  (digit) => `${digit}0000000-0000-7000-8000-000000000000`,
);

/** Makes claims that read two books each and find nothing; returns how many claims the round took. */
function claimsOf(round: BookRotation): number {
  round.begin();
  for (let claims = 1; claims <= 20; claims += 1) {
    const after = BOOKS.filter((book) => book > round.position);
    const nextBook = after.length > 2 ? (after[1] ?? '') : firstBook();
    if (round.advance(nextBook, false)) return claims;
  }
  throw new Error('the round never ends');
}

describe('a round over the books', () => {
  it('ends when all were read, even when one claim cannot read all of them', () => {
    const round = new BookRotation();
    assert.equal(claimsOf(round), 3);
    assert.equal(claimsOf(round), 3);
  });

  it('that starts in the middle continues at the first book, and ends where it started', () => {
    const round = new BookRotation();
    round.advance(BOOKS[1] ?? '', true);
    assert.equal(claimsOf(round), 3);
    assert.equal(round.position, BOOKS[1]);
  });

  it('continues while it finds something', () => {
    const round = new BookRotation();
    round.begin();
    for (let claims = 0; claims < 20; claims += 1) {
      assert.equal(round.advance(BOOKS[claims % BOOKS.length] ?? '', true), false);
    }
    assert.equal(round.advance(firstBook(), true), false);
    assert.equal(round.advance(firstBook(), false), true);
  });
});
