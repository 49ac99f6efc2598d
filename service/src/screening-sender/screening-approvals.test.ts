import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { directMoves } from '../../test/direct-moves.ts';
import { directoryWithout } from '../../test/directory-ahead.ts';
import { lookAtApprovals } from '../../test/look-at-approvals.ts';
import { pollUntil } from '../../test/poll.ts';
import { ALLOW, openScreeningWorld, routes, says } from '../../test/screening-world.ts';
import { endWaiting } from '../approvals/transfers/leave-waiting.ts';
import type { ApprovalRequirement } from '../domain/policy/assign-approvals.ts';
import { addEntry } from '../lists/add-entry.ts';
import type { ClaimedScreening } from '../screening/claim-screenings.ts';
import { recordAnswer } from '../screening/record-answer.ts';

const world = openScreeningWorld();
const { actorOf, deps, startSender, startScreener, ask, read, answered, approve } = world;

describe('a screening and the approvals of people', () => {
  const needed: readonly ApprovalRequirement[] = [{ rule: 'big', count: 1, of: ['approver'] }];

  it('both are needed, whichever comes first', async () => {
    const screener = { answers: false };
    await startScreener(() => (screener.answers ? ALLOW : 'hang'));
    const early = await ask({ needed });
    await approve(early);
    assert.equal((await read(early.transfer)).state, 'awaiting_approval');
    screener.answers = true;
    const late = await ask({ needed });
    startSender();
    await answered(early.transfer);
    assert.equal((await read(early.transfer)).state, 'queued');
    await answered(late.transfer);
    assert.equal((await read(late.transfer)).state, 'awaiting_approval');
    await approve(late);
    assert.equal((await read(late.transfer)).state, 'queued');
  });

  it('no approval counts of a person whose role the directory has no more, though the cell reads it yet', async () => {
    await startScreener(ALLOW);
    const stored = await ask({ needed });
    await approve(stored);
    startSender({ directory: directoryWithout(world.database, world.approver.id) });
    await answered(stored.transfer);
    assert.equal((await read(stored.transfer)).state, 'awaiting_approval');
  });

  it('a screener that holds asks for one person more', async () => {
    await startScreener(says({ decision: 'hold' }));
    const stored = await ask({ needed });
    startSender();
    await answered(stored.transfer);
    await approve(stored);
    assert.equal((await read(stored.transfer)).state, 'awaiting_approval');
    await approve(stored, world.owner);
    assert.equal((await read(stored.transfer)).state, 'queued');
  });

  it('one that holds after a person approved what another held leaves it with all its approvals', async () => {
    await startScreener(ALLOW);
    const stored = await ask({ rules: ['first', 'second'] });
    const leaseOwner = randomUUID();
    const hold = async (claimed: ClaimedScreening) => {
      const result = { decision: 'hold', reason: null } as const;
      const answer = { kind: 'unanswered', error: 'DOWN' } as const;
      const asked = { claimed, at: new Date(), elapsedMs: 1, answer, result };
      assert.equal(await recordAnswer({ ...deps(), routes, leaseOwner }, asked), 'hold');
    };
    const [first, second] = await world.claim({ max: 2, leaseOwner });
    assert.ok(first !== undefined && second !== undefined);
    await hold(first);
    await approve(stored);
    assert.equal((await read(stored.transfer)).state, 'awaiting_approval');
    await hold(second);
    await lookAtApprovals({ ...deps(), routes });
    assert.equal((await read(stored.transfer)).state, 'queued');
  });

  it('an answer at the same moment as the last approval lets it go once', async () => {
    await startScreener(ALLOW);
    const all = await Promise.all(Array.from({ length: 8 }, () => ask({ needed })));
    startSender();
    await Promise.all(all.map((stored) => approve(stored)));
    for (const { transfer } of all) {
      await answered(transfer);
      await pollUntil('it goes on', async () => (await read(transfer)).state === 'queued');
    }
  });

  it('does not ask about what was cancelled meanwhile', async () => {
    const { receiver } = await startScreener(ALLOW);
    const { transfer } = await ask();
    await directMoves(world.database).submit(
      endWaiting(transfer, { as: 'APPROVAL_RECALLED', actor: 'system:test' }),
    );
    startSender();
    await pollUntil('it is dropped', async () => (await openQuestions()) === 0);
    assert.equal(receiver.journal.length, 0);
  });

  it('holds what is allowed when the number was denied meanwhile', async () => {
    await startScreener(ALLOW);
    const { transfer } = await ask();
    await addEntry(deps(), {
      actor: actorOf(world.owner),
      owner: { bookId: world.book.id, merchantId: world.book.merchantId },
      list: 'deny',
      phone: transfer.phone,
      reason: 'stolen',
      expiresAt: null,
    });
    startSender();
    const [screening] = await answered(transfer);
    assert.match(screening?.reason ?? '', /deny list/);
    assert.equal((await read(transfer)).state, 'awaiting_approval');
  });
});

async function openQuestions(): Promise<number> {
  const text = 'select 1 from screenings where book_id = $1 and next_attempt_at is not null';
  return (await world.database.query({ name: '', text }, [world.book.id])).length;
}
