import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Payout } from './behaviour.ts';
import type { Rule } from './choose-behaviour.ts';
import { ORDER, openBackend } from './test-backend.ts';
import { createTestFolder } from './test-folder.ts';

describe('the result of an inquiry', () => {
  it('is pending first, and then the end', async () => {
    await using folder = await createTestFolder();
    const rules: readonly Rule[] = [
      { match: { msisdn: '1' }, preset: 'pending-then-ok' },
      { match: { msisdn: '2' }, preset: 'pending-then-failed' },
      { match: { msisdn: '3' }, preset: 'pending-for-ever' },
    ];
    await using open = await openBackend(folder.path, rules);
    const payouts: Payout[] = [];
    for (const msisdn of ['1', '2', '3']) {
      payouts.push((await open.backend.submit({ ...ORDER, ourReference: msisdn, msisdn })).payout);
    }
    const statuses = () => payouts.map((payout) => open.backend.statusOf(payout));
    await open.clock.pass(4_999);
    assert.deepEqual(statuses(), ['pending', 'pending', 'pending']);
    await open.clock.pass(1);
    assert.deepEqual(statuses(), ['paid', 'failed', 'pending']);
    await open.clock.pass(10_000_000_000);
    assert.deepEqual(statuses(), ['paid', 'failed', 'pending']);
  });

  it('is pending for at least the protocol’s minimum', async () => {
    await using folder = await createTestFolder();
    await using open = await openBackend(folder.path);
    const { payout } = await open.backend.submit({ ...ORDER, pendingMsMin: 1_000 });
    await open.clock.pass(999);
    assert.equal(open.backend.statusOf(payout), 'pending');
    await open.clock.pass(1);
    assert.equal(open.backend.statusOf(payout), 'paid');
  });

  it('is "failed" once and then "paid" for a contradictory payout', async () => {
    await using folder = await createTestFolder();
    await using open = await openBackend(folder.path, [
      { match: {}, preset: 'contradictory-inquiry' },
    ]);
    const { payout } = await open.backend.submit(ORDER);
    const inquire = () => {
      const inquiry = open.backend.inquire(payout);
      return inquiry.kind === 'known' ? inquiry.status : inquiry.kind;
    };
    assert.equal(inquire(), 'pending');
    await open.clock.pass(2_000);
    assert.equal(open.backend.statusOf(payout), 'failed');
    assert.deepEqual([inquire(), inquire(), inquire()], ['failed', 'paid', 'paid']);
    assert.equal(open.backend.book().length, 1);
  });

  it('can have another amount or number, or be unavailable, while the book is correct', async () => {
    await using folder = await createTestFolder();
    const rules: readonly Rule[] = [
      { match: { msisdnEndsIn: '1' }, preset: 'wrong-amount' },
      { match: { msisdnEndsIn: '2' }, preset: 'wrong-number' },
      { match: { msisdnEndsIn: '3' }, preset: 'inquiry-down' },
    ];
    await using open = await openBackend(folder.path, rules);
    const inquire = async (msisdn: string) => {
      const { payout } = await open.backend.submit({ ...ORDER, ourReference: msisdn, msisdn });
      return open.backend.inquire(payout);
    };
    const amount = await inquire('260966000001');
    assert.equal(amount.kind === 'known' && amount.amountMinor, 15_150n);
    const number = await inquire('260966000002');
    assert.equal(number.kind === 'known' && number.msisdn, '260966000003');
    assert.deepEqual(await inquire('260966000003'), { kind: 'down' });
    for (const entry of open.backend.book()) {
      assert.equal(entry.amountMinor, '15050');
      assert.equal(entry.msisdn, entry.ourReference);
    }
  });

  it('alternates between "pending" and unavailable for an alternating payout', async () => {
    await using folder = await createTestFolder();
    await using open = await openBackend(folder.path, [
      { match: {}, preset: 'alternating-inquiry' },
    ]);
    const { payout } = await open.backend.submit(ORDER);
    const inquire = () => {
      const inquiry = open.backend.inquire(payout);
      return inquiry.kind === 'known' ? inquiry.status : inquiry.kind;
    };
    assert.deepEqual(
      [inquire(), inquire(), inquire(), inquire()],
      ['pending', 'down', 'pending', 'down'],
    );
  });
});
