import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { pollUntil } from '../../test/poll.ts';
import { ALLOW, openScreeningWorld, routes, says } from '../../test/screening-world.ts';
import { type ClaimedScreening, expireScreeningLeases } from '../screening/claim-screenings.ts';
import { recordAnswer } from '../screening/record-answer.ts';
import { UNDER_WAY_PER_SCREENER_MAX } from './screening-sender.ts';

const world = openScreeningWorld();
const { startSender, startScreener, ask, read, screeningsOf, answered, claim } = world;

describe('several processes', () => {
  it('ask each question once and come to one outcome', async () => {
    const { receiver } = await startScreener(ALLOW);
    const all = await Promise.all(Array.from({ length: 20 }, () => ask({ rules: ['a', 'b'] })));
    startSender();
    startSender();
    for (const { transfer } of all) {
      await answered(transfer);
      await pollUntil('it goes on', async () => (await read(transfer)).state === 'queued');
    }
    assert.equal(receiver.journal.length, 40);
    assert.equal(new Set(receiver.journal.map(({ headers }) => headers['webhook-id'])).size, 40);
  });

  it('ask again what a process died with, under the same id, and its late answer counts for nothing', async () => {
    const { receiver } = await startScreener(says({ decision: 'refuse' }));
    const { transfer } = await ask();
    const died = randomUUID();
    const [claimed] = await claim({ leaseOwner: died });
    assert.ok(claimed !== undefined);
    await expireScreeningLeases(world.database);
    startSender();
    await answered(transfer);
    assert.equal((await read(transfer)).state, 'cancelled');
    const late = await recordAnswer(
      {
        database: world.database,
        directory: world.database,
        routes,
        leaseOwner: died,
        now: () => new Date(),
      },
      allowed(claimed),
    );
    assert.equal(late, 'leaseLost');
    assert.equal((await screeningsOf(transfer))[0]?.decision, 'refuse');
    assert.equal((await screeningsOf(transfer))[0]?.attempts.length, 1);
    assert.equal(receiver.journal.length, 1);
  });

  it('give up after three that died, and a person decides', async () => {
    const { receiver } = await startScreener(ALLOW);
    const { transfer } = await ask();
    for (let n = 0; n < 3; n += 1) {
      assert.equal((await claim()).length, 1);
      await expireScreeningLeases(world.database);
    }
    startSender();
    assert.match((await answered(transfer))[0]?.reason ?? '', /asked 3 times/);
    assert.equal(receiver.journal.length, 0);
  });

  it('stop without holding what is under way: the next one asks', async () => {
    const screener = { answers: false };
    const { receiver } = await startScreener(() => (screener.answers ? ALLOW : 'hang'));
    const { transfer } = await ask();
    const { sender } = startSender({ drainMs: 0 });
    await pollUntil('it is asked', () => receiver.journal.length === 1);
    await sender.stop();
    assert.equal((await screeningsOf(transfer))[0]?.decision, null);
    screener.answers = true;
    startSender();
    assert.equal((await answered(transfer))[0]?.decision, 'allow');
  });

  it('answer for other screeners while one hangs with a long queue', async () => {
    const slow = await startScreener('hang', { name: 'slow' });
    const quick = await startScreener(ALLOW, { name: 'quick' });
    await Promise.all(Array.from({ length: 30 }, () => ask({ screener: 'slow' })));
    const { transfer } = await ask({ screener: 'quick' });
    startSender();
    await answered(transfer);
    const [asked] = quick.receiver.journal;
    const before = slow.receiver.journal.filter(({ atMs }) => atMs < (asked?.atMs ?? 0));
    assert.ok(before.length <= 2 * UNDER_WAY_PER_SCREENER_MAX, String(before.length));
  });
});

function allowed(claimed: ClaimedScreening) {
  const answer = { kind: 'answered', status: 200, answer: '{"decision":"allow"}' } as const;
  return {
    claimed,
    at: new Date(),
    elapsedMs: 5,
    answer,
    result: { decision: 'allow', reason: null },
  } as const;
}
