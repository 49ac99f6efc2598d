import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { createTransfer, WAYS } from '../../test/every-state-ledger.ts';
import { openApprovals } from '../../test/open-approvals.ts';
import { createPayingProcess, isAccepted } from '../../test/paying-process.ts';
import { putPolicy } from '../../test/put-policy.ts';
import { createTestBook, createTestWallet } from '../../test/test-book.ts';
import { createTestDatabase } from '../../test/test-database.ts';
import { hashContent } from '../domain/content-hash.ts';
import { Refusal } from '../domain/refusal.ts';
import { findPaidNumbers } from './recipient-past.ts';

const { database, drop } = await createTestDatabase();
after(drop);

describe('a number', () => {
  for (const [state, way] of Object.entries(WAYS)) {
    const isPaid = state === 'succeeded';
    it(`${isPaid ? 'was' : 'was not'} paid by a transfer that is ${state}`, async () => {
      const { id: bookId } = await createTestBook(database, { mode: 'live' });
      const walletId = await createTestWallet(database, { bookId, fundedMinor: 100_000n });
      await createTransfer(database, { bookId, walletId, way, feeMinor: 0n });
      const asked = ['+260977433571', '+260977433572'].map((phone) => ({ bookId, phone }));
      assert.deepEqual(await findPaidNumbers(database, asked), [isPaid, false]);
    });
  }

  it('needs the approval of a first payment again while an order waits, and after it was rejected', async () => {
    const { book, walletId, personWith, decide, read } = await openApprovals(database);
    const approver = await personWith('approver');
    const require = { approvals: 1, of: ['approver'] };
    await putPolicy(database, book, [{ name: 'new', when: { firstPayment: true }, require }]);
    const { pay } = createPayingProcess(database);
    const order = async () => {
      const paid = await pay(book, { walletId, amountMinor: 1n });
      assert.ok(isAccepted(paid));
      return read(paid);
    };
    // In one group, so that the second is judged by what the first left.
    const [first, second] = await Promise.all([order(), order()]);
    assert.deepEqual([first.rules, second.rules], [['new'], ['new']]);
    for (const transfer of [first, second]) {
      await decide({ transfer, contentHash: hashContent(transfer) }, approver, 'reject');
      assert.equal((await read(transfer)).state, 'cancelled');
    }
    assert.equal((await order()).state, 'awaiting_approval');
  });

  it('counts orders of a process whose clock was slow by 23 hours', async () => {
    const { book, walletId } = await openApprovals(database);
    const often = { count: { by: 'recipient', window: 'PT1H', above: 1 } } as const;
    await putPolicy(database, book, [{ name: 'often', when: often, require: { refuse: true } }]);
    const slow = createPayingProcess(database, { clock: () => Date.now() - 23 * 60 * 60_000 });
    const { pay } = createPayingProcess(database);
    assert.ok(isAccepted(await slow.pay(book, { walletId, amountMinor: 1n })));
    const second = await pay(book, { walletId, amountMinor: 1n });
    assert.ok(second instanceof Refusal && second.code === 'POLICY_REFUSED');
  });
});
