import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createChooser, type Rule, type Seed } from './choose-behaviour.ts';
import { createManualClock } from './manual-clock.ts';
import { isPresetName, PRESETS, type PresetName } from './presets.ts';
import {
  advanceClockUntil,
  collectNotices,
  ORDER,
  openBackend,
  untilWritten,
} from './test-backend.ts';
import { createTestFolder } from './test-folder.ts';

describe('the backend', () => {
  it('has the payment in its book when submit resolves', async () => {
    await using folder = await createTestFolder();
    await using open = await openBackend(folder.path);
    const { kind, payout } = await open.backend.submit(ORDER);
    assert.equal(kind, 'taken');
    assert.deepEqual(open.backend.book(), [
      {
        ourReference: 'r1',
        msisdn: '260966000001',
        amountMinor: '15050',
        currency: 'ZMW',
        receivedAt: '2026-01-01T00:00:00.000Z',
        executedAt: '2026-01-01T00:00:00.000Z',
        operatorTransactionId: payout.operatorTransactionId,
        behaviour: 'ok',
      },
    ]);
    assert.equal(open.backend.statusOf(payout), 'paid');
  });

  it('pays a reference once, also when it comes fifty times at once', async () => {
    await using folder = await createTestFolder();
    await using open = await openBackend(folder.path);
    const submit = async () => {
      const submitted = await open.backend.submit(ORDER);
      assert.equal(
        open.backend.book().length,
        1,
        'no submission is answered before the payment is on disk',
      );
      return submitted;
    };
    const all = await Promise.all(Array.from({ length: 50 }, submit));
    assert.equal(all.filter(({ kind }) => kind === 'taken').length, 1);
    assert.equal(new Set(all.map(({ payout }) => payout.id)).size, 1);
    assert.equal(open.backend.book().length, 1);
  });

  it('recognises a reference for the set time, and pays it again later', async () => {
    await using folder = await createTestFolder();
    const rules: readonly Rule[] = [{ match: {}, behaviour: { remembersForMs: 10_000 } }];
    await using open = await openBackend(folder.path, rules, { timeScale: 0.1 });
    await open.backend.submit(ORDER);
    await open.clock.pass(999);
    assert.equal((await open.backend.submit(ORDER)).kind, 'duplicate');
    assert.notEqual(open.backend.find(ORDER.ourReference), undefined);
    await open.clock.pass(1);
    assert.equal(open.backend.find(ORDER.ourReference), undefined);
    assert.equal((await open.backend.submit(ORDER)).kind, 'taken');
    assert.equal(open.backend.book().length, 2);
  });

  it('forgets a reference at once with pay-then-forget', async () => {
    await using folder = await createTestFolder();
    const rules: readonly Rule[] = [{ match: {}, preset: 'pay-then-forget' }];
    await using open = await openBackend(folder.path, rules);
    await open.backend.submit(ORDER);
    assert.equal(open.backend.find(ORDER.ourReference), undefined);
    await open.backend.submit(ORDER);
    assert.equal(open.backend.book().length, 2);
  });

  it('reports a reference that comes again with other content, also after a restart', async () => {
    await using folder = await createTestFolder();
    {
      await using first = await openBackend(folder.path, [{ match: {}, preset: 'lost', times: 1 }]);
      await first.backend.submit(ORDER);
      await first.backend.submit(ORDER);
      await first.backend.submit(ORDER);
      assert.deepEqual(first.backend.violations(), []);
    }
    await using second = await openBackend(folder.path);
    await second.backend.submit({ ...ORDER, msisdn: '260966000002' });
    const became = second.backend.submissions().map((submission) => submission.became);
    assert.deepEqual(became, ['notTaken', 'taken', 'duplicate', 'duplicate']);
    const [violation, ...more] = second.backend.violations();
    assert.equal(violation?.first.msisdn, ORDER.msisdn);
    assert.equal(violation?.again.msisdn, '260966000002');
    assert.equal(more.length, 0);
  });

  it('pays a reference each time where the operator does not deduplicate', async () => {
    await using folder = await createTestFolder();
    await using open = await openBackend(folder.path, [], { deduplicates: false });
    await open.backend.submit(ORDER);
    await open.backend.submit(ORDER);
    const [first, second] = open.backend.book();
    assert.equal(first?.ourReference, second?.ourReference);
    assert.notEqual(first?.operatorTransactionId, second?.operatorTransactionId);
  });

  it('writes two payments of one payout that it executes twice', async () => {
    await using folder = await createTestFolder();
    await using open = await openBackend(folder.path, [{ match: {}, preset: 'execute-twice' }]);
    await open.backend.submit(ORDER);
    const [first, second, ...more] = open.backend.book();
    assert.equal(more.length, 0);
    assert.notEqual(first?.operatorTransactionId, second?.operatorTransactionId);
  });

  it('pays nothing when it refuses, and reports the reason', async () => {
    await using folder = await createTestFolder();
    await using open = await openBackend(folder.path, [{ match: {}, preset: 'reject' }]);
    const { payout } = await open.backend.submit(ORDER);
    assert.deepEqual(open.backend.book(), []);
    const inquiry = open.backend.inquire(payout);
    assert.equal(inquiry.kind === 'known' && inquiry.refusal, 'recipient-not-found');
  });

  it('pays exactly as often as each preset says', async () => {
    const payments: Readonly<Partial<Record<PresetName, number>>> = {
      reject: 0,
      lost: 0,
      'pending-then-failed': 0,
      'pending-for-ever': 0,
      'alternating-inquiry': 0,
      'token-expired': 0,
      'rate-limited': 0,
      'rate-limited-until-date': 0,
      'unavailable-for-now': 0,
      'unavailable-until-date': 0,
      'execute-twice': 2,
    };
    await using folder = await createTestFolder();
    const names = Object.keys(PRESETS).filter(isPresetName);
    const rules = names.map((preset) => ({ match: { msisdn: preset }, preset }));
    await using open = await openBackend(folder.path, rules);
    for (const name of names) {
      await open.backend.submit({ ...ORDER, ourReference: name, msisdn: name });
    }
    await open.backend.flush();
    await open.clock.pass(1_000_000);
    await untilWritten(open.backend);
    for (const name of names) {
      const paid = open.backend.book().filter(({ behaviour }) => behaviour === name).length;
      assert.equal(paid, payments[name] ?? 1, name);
    }
  });

  it('executes a late payout late, and inquiries do not find it before', async () => {
    await using folder = await createTestFolder();
    await using open = await openBackend(folder.path, [{ match: {}, preset: 'execute-late' }], {
      timeScale: 0.1,
    });
    const { payout } = await open.backend.submit(ORDER);
    await open.clock.pass(8_999);
    assert.equal(open.backend.statusOf(payout), 'unknown');
    assert.deepEqual(open.backend.inquire(payout), { kind: 'unknown' });
    assert.equal((await open.backend.submit(ORDER)).kind, 'duplicate');
    await advanceClockUntil(open, 1, (backend) => backend.book().length === 1);
    assert.equal(open.backend.statusOf(payout), 'paid');
    await open.clock.pass(100_000);
    await untilWritten(open.backend);
    assert.equal(open.backend.book().length, 1);
  });

  it('executes late payouts once when it is flushed', async () => {
    await using folder = await createTestFolder();
    await using open = await openBackend(folder.path, [{ match: {}, preset: 'execute-late' }]);
    await open.backend.submit(ORDER);
    await open.backend.submit({ ...ORDER, ourReference: 'r2' });
    assert.equal(await open.backend.flush(), 2);
    assert.equal(open.backend.book().length, 2);
    assert.equal(await open.backend.flush(), 0);
    await open.clock.pass(200_000);
    await untilWritten(open.backend);
    assert.equal(open.backend.book().length, 2);
  });

  it('does not find a lost payout, and accepts its reference as new', async () => {
    await using folder = await createTestFolder();
    await using open = await openBackend(folder.path, [{ match: {}, preset: 'lost', times: 1 }]);
    const { payout } = await open.backend.submit(ORDER);
    assert.equal(open.backend.statusOf(payout), 'unknown');
    assert.equal(open.backend.find('r1'), undefined);
    assert.equal((await open.backend.submit(ORDER)).kind, 'taken');
    assert.equal(open.backend.book().length, 1);
  });

  it('refuses when the float is too small, and shows the remainder', async () => {
    await using folder = await createTestFolder();
    await using open = await openBackend(folder.path, [], { floatMinor: 20_000n });
    const [, second] = await Promise.all([
      open.backend.submit(ORDER),
      open.backend.submit({ ...ORDER, ourReference: 'r2' }),
    ]);
    assert.equal(open.backend.refusalOf(second.payout), 'float-insufficient');
    assert.equal(open.backend.statusOf(second.payout), 'failed');
    assert.equal(open.backend.balanceMinor('ZMW'), 4_950n);
    assert.equal(open.backend.balanceMinor('NGN'), 20_000n);
  });

  it('has no account for numbers that end in 901, unless a rule says otherwise', async () => {
    await using folder = await createTestFolder();
    const rules: readonly Rule[] = [{ match: { msisdn: '260966000901' }, preset: 'ok' }];
    await using open = await openBackend(folder.path, rules);
    const { payout } = await open.backend.submit({ ...ORDER, msisdn: '260966111901' });
    assert.equal(open.backend.statusOf(payout), 'failed');
    assert.equal(open.backend.accountName('260966111901'), null);
    const ruled = await open.backend.submit({
      ...ORDER,
      ourReference: 'r2',
      msisdn: '260966000901',
    });
    assert.equal(open.backend.statusOf(ruled.payout), 'paid');
  });

  it('has one name for a number with and without its country code', async () => {
    await using folder = await createTestFolder();
    await using open = await openBackend(folder.path);
    assert.ok(open.backend.accountName('260966000001'));
    assert.deepEqual(
      open.backend.accountName('260966000001'),
      open.backend.accountName('966000001'),
    );
  });
});

describe('a backend that is restarted', () => {
  it('restores its payouts, book, float and transaction counter', async () => {
    await using folder = await createTestFolder();
    const clock = createManualClock();
    const rules: readonly Rule[] = [{ match: { msisdnEndsIn: '9' }, preset: 'execute-twice' }];
    const book = await (async () => {
      await using open = await openBackend(folder.path, rules, { floatMinor: 100_000n }, clock);
      await open.backend.submit(ORDER);
      await open.backend.submit({ ...ORDER, ourReference: 'r2', msisdn: '9' });
      return open.backend.book();
    })();
    await using again = await openBackend(folder.path, [], { floatMinor: 100_000n }, clock);
    assert.deepEqual(again.backend.book(), book);
    assert.equal(again.backend.balanceMinor('ZMW'), 100_000n - 3n * 15_050n);
    const { kind, payout } = await again.backend.submit(ORDER);
    assert.equal(kind, 'duplicate');
    assert.equal(payout.amountMinor, 15_050n);
    assert.equal(again.backend.statusOf(payout), 'paid');
    await again.backend.submit({ ...ORDER, ourReference: 'r3' });
    const ids = again.backend.book().map(({ operatorTransactionId }) => operatorTransactionId);
    assert.equal(new Set(ids).size, 4);
  });

  it('continues the sequence of its seed, also after lost payouts', async () => {
    const seed: Seed = { seed: 5, mix: { ok: 1, reject: 1, lost: 1, 'execute-twice': 1 } };
    const play = async (runs: readonly number[]): Promise<string[]> => {
      await using folder = await createTestFolder();
      const names: string[] = [];
      for (const payouts of runs) {
        const chooser = createChooser();
        chooser.setSeed(seed);
        await using open = await openBackend(folder.path, [], { chooser });
        for (let payout = 0; payout < payouts; payout += 1) {
          const ourReference = `r${names.length}`;
          const submitted = await open.backend.submit({ ...ORDER, ourReference });
          names.push(submitted.payout.behaviourName);
        }
      }
      return names;
    };
    assert.deepEqual(await play([5, 5, 10]), await play([20]));
  });

  it('executes late payouts, and sends the callbacks that were not sent', async () => {
    await using folder = await createTestFolder();
    const clock = createManualClock();
    const rules: readonly Rule[] = [{ match: { msisdn: '1' }, preset: 'execute-late' }];
    {
      await using open = await openBackend(folder.path, rules, {}, clock);
      await open.backend.submit({ ...ORDER, ourReference: 'late', msisdn: '1' });
      await open.backend.submit({ ...ORDER, ourReference: 'callback-due', msisdn: '2' });
      await advanceClockUntil(open, 0, (backend) => backend.open().length === 1);
    }
    await clock.pass(500_000);
    await using again = await openBackend(folder.path, [], {}, clock);
    assert.deepEqual(
      again.backend.open().map(({ ourReference }) => ourReference),
      ['late'],
    );
    const ofLate = await collectNotices(again.backend, 'late');
    const ofDue = await collectNotices(again.backend, 'callback-due');
    await advanceClockUntil(again, 0, () => ofLate.length === 1);
    assert.equal(again.backend.book().length, 2);
    assert.deepEqual(ofDue, []);
  });
});
