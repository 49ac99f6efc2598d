import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { advanceClockUntil, collectNotices, ORDER, openBackend } from './test-backend.ts';
import { createTestFolder } from './test-folder.ts';
import { waitUntil } from './wait-until.ts';

describe('callbacks', () => {
  const expected = {
    'callback-none': [],
    'callback-twice': ['paid', 'paid'],
    'callback-early': ['paid'],
    'callback-late': ['paid'],
    'callback-contradictory': ['failed', 'paid'],
    'callback-out-of-order': ['paid', 'pending'],
    ok: ['paid'],
    reject: ['failed'],
  } as const;
  for (const [preset, says] of Object.entries(expected)) {
    it(`are ${says.join(', then ') || 'none'} for ${preset}`, async () => {
      await using folder = await createTestFolder();
      const name = preset as keyof typeof expected;
      await using open = await openBackend(folder.path, [{ match: {}, preset: name }]);
      const { payout } = await open.backend.submit(ORDER);
      const notices = await collectNotices(open.backend, 'r1');
      assert.equal(notices.length, name === 'callback-early' ? 1 : 0, 'before the answer');
      await advanceClockUntil(open, 2_000, (backend) => backend.open().length === 0);
      if (name !== 'callback-early') assert.equal(notices.length, 0, 'still before the answer');
      open.backend.answered(payout);
      await open.clock.pass(59_999);
      if (name === 'callback-late') assert.equal(notices.length, 0, 'before it is late');
      await open.clock.pass(1);
      assert.deepEqual(
        notices.map((notice) => notice.says),
        says,
      );
      assert.ok(notices.every(({ forged, ourReference }) => !forged && ourReference === 'r1'));
    });
  }

  it('are two forged ones at once and the real one at the end when they are forged', async () => {
    await using folder = await createTestFolder();
    await using open = await openBackend(folder.path, [{ match: {}, preset: 'callback-forged' }]);
    const { payout } = await open.backend.submit(ORDER);
    const notices = await collectNotices(open.backend, 'r1');
    open.backend.answered(payout);
    await waitUntil('both forged callbacks are sent', () => notices.length === 2);
    assert.deepEqual(notices[0], { ourReference: 'r1', says: 'failed', forged: true });
    assert.equal(notices[1]?.forged, true);
    assert.equal(open.backend.find(notices[1]?.ourReference ?? ''), undefined);
    await advanceClockUntil(open, 2_000, () => notices.length === 3);
    assert.deepEqual(notices[2], { ourReference: 'r1', says: 'paid', forged: false });
  });

  it('wait for a listener that is registered after the end', async () => {
    await using folder = await createTestFolder();
    await using open = await openBackend(folder.path);
    const { payout } = await open.backend.submit(ORDER);
    await advanceClockUntil(open, 0, (backend) => backend.open().length === 0);
    open.backend.answered(payout);
    const notices = await collectNotices(open.backend, 'r1');
    await open.clock.pass(0);
    assert.equal(notices.length, 1);
  });
});
