import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { scriptRoute } from '../../../test/fake-route.ts';
import { newTestId } from '../../../test/stored-doubt.ts';
import { storeTestTransfer } from '../../../test/stored-transfer.ts';
import { createTestBook, createTestWallet } from '../../../test/test-book.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts';
import { NOT_FOUND_ANSWERS_MIN } from '../../domain/doubt-schedule.ts';
import type { Outcome } from '../../domain/outcome.ts';
import type { Transfer } from '../../domain/transfer.ts';
import { findTransfer } from '../read/find-transfer.ts';
import { type Move, moveTransfers } from './move-transfers.ts';
import { recordOutcome } from './record-outcome.ts';

const DUPLICATE: Outcome = { kind: 'unknown', cause: 'HTTP 409', isDuplicate: true };
const LOST: Outcome = { kind: 'unknown', cause: 'timeout' };
const PAID = { kind: 'paid', operatorTransactionId: 'x' } as const;
const UNCONFIRMED: Outcome = { ...PAID, confirmed: ['reference'] };
const CONFIRMED: Outcome = { ...PAID, confirmed: ['amount', 'currency', 'number'] };
const NOT_FOUND: Outcome = { kind: 'notFound' };
const WIRE = { request: 'POST /', httpStatus: 409, answer: '', elapsedMs: 1 };

describe('a transfer that the operator already had when we sent it', () => {
  const [route] = scriptRoute({ abilities: { notFoundIsFinal: true } }).routes.all();
  let test: TestDatabase;
  before(async () => {
    test = await createTestDatabase();
  });
  after(() => test.drop());

  /** The state after these answers: the first to the submission, the others to inquiries. */
  async function stateAfter(outcomes: readonly Outcome[]): Promise<string | undefined> {
    const book = await createTestBook(test.database, { mode: 'live' });
    const wallet = { bookId: book.id, fundedMinor: 1_000n };
    const walletId = await createTestWallet(test.database, wallet);
    const leaseOwner = randomUUID();
    let transfer: Transfer | undefined = await storeTestTransfer(test.database, {
      book,
      walletId,
      leaseOwner,
    });
    for (const [index, outcome] of outcomes.entries()) {
      assert.ok(transfer !== undefined && route !== undefined);
      const purpose = index === 0 ? 'submit' : 'inquire';
      const reply = { outcome, wire: WIRE };
      const answer = {
        transfer,
        route,
        purpose,
        reply,
        account: null,
        attemptId: newTestId(),
      } as const;
      await recordOutcome(depsOf(leaseOwner), answer);
      await claimAgain(transfer, leaseOwner);
      transfer = await findTransfer(test.database, transfer);
    }
    return transfer?.state;
  }

  function depsOf(leaseOwner: string) {
    const now = () => new Date();
    const submit = async (move: Move) => {
      const group = { moves: [move], mover: leaseOwner, at: now() };
      const [moved = false] = await moveTransfers(test.database, group);
      return moved;
    };
    const moves = {
      submit,
      submitMany: (many: readonly Move[]) => many.map(submit),
      waiting: () => 0,
      idle: () => Promise.resolve(),
    };
    return { database: test.database, moves, now, newId: newTestId };
  }

  /** Claims as the scanner does, and lets an hour pass, so that "not found" has been answered for long enough. */
  async function claimAgain({ id }: Transfer, leaseOwner: string): Promise<void> {
    const text = `
      update transfers
      set lease_owner = $2, next_action_at = now() + interval '30 s',
          doubt_began_at = now() - interval '1 hour', answers_count_from = null
      where id = $1 and completed_at is null`;
    await test.database.query({ name: '', text }, [id, leaseOwner]);
  }

  it('is paid when the operator confirms amount, currency and number', async () => {
    assert.equal(await stateAfter([DUPLICATE, CONFIRMED]), 'succeeded');
  });

  it('stays in doubt, however often a success does not say what was paid', async () => {
    assert.equal(await stateAfter([DUPLICATE, UNCONFIRMED, UNCONFIRMED, UNCONFIRMED]), 'in_doubt');
    assert.equal(await stateAfter([DUPLICATE, UNCONFIRMED, CONFIRMED]), 'succeeded');
    assert.equal(await stateAfter([LOST, UNCONFIRMED]), 'succeeded', 'only after a duplicate');
  });

  it('does not fail as never received', async () => {
    const notFound = Array.from({ length: NOT_FOUND_ANSWERS_MIN + 1 }, () => NOT_FOUND);
    assert.equal(await stateAfter([LOST, ...notFound]), 'failed', 'without the duplicate it fails');
    assert.equal(await stateAfter([DUPLICATE, ...notFound]), 'in_doubt');
  });
});
