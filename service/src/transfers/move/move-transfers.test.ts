import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { type PreparedOptions, storeTestTransfer } from '../../../test/stored-transfer.ts';
import { createTestBook, createTestWallet } from '../../../test/test-book.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts';
import type { Book } from '../../domain/book.ts';
import type { NextStep } from '../../domain/standing.ts';
import type { Transfer } from '../../domain/transfer.ts';
import { findTransfer } from '../read/find-transfer.ts';
import { readHistory } from '../read/read-history.ts';
import type { OperatorExchange } from './keep-attempts.ts';
import { type Move, moveTransfers } from './move-transfers.ts';

const ME = randomUUID();
const FUNDED = 100_000n;
const HOUR_MS = 3_600_000;
let test: TestDatabase;
let book: Book;
let walletId: string;

before(async () => {
  test = await createTestDatabase();
});
after(() => test.drop());

async function openWallet(): Promise<void> {
  book = await createTestBook(test.database);
  walletId = await createTestWallet(test.database, { bookId: book.id, fundedMinor: FUNDED });
}

const store = (options: Partial<PreparedOptions> = {}) =>
  storeTestTransfer(test.database, {
    book,
    walletId,
    leaseOwner: ME,
    amountMinor: 1_000n,
    feeMinor: 50n,
    ...options,
  });

function stepTo(to: NextStep['to'], step: Partial<NextStep> = {}): NextStep {
  return {
    to,
    cause: 'test',
    failure: to === 'failed' ? 'OPERATOR_REJECTED' : to === 'cancelled' ? 'CANCELLED' : null,
    operatorTransactionId: null,
    nextActionInMs: null,
    checks: 0,
    notFoundAnswers: 0,
    needsPerson: false,
    ...step,
  };
}

function move(transfer: Transfer, step: NextStep, options: Partial<Move> = {}): Promise<boolean> {
  const one: Move = { transfer, step, actor: 'test', needsLease: true, leaseFor: null, ...options };
  return moveTransfers(test.database, { moves: [one], mover: ME, at: new Date() }).then(
    ([moved]) => moved === true,
  );
}

async function change({ id }: Transfer, assignment: string): Promise<void> {
  const text = `update transfers set ${assignment} where id = $1`;
  await test.database.query({ name: '', text }, [id]);
}

async function balances(): Promise<{ available: bigint; held: bigint; kinds: string[] }> {
  const [wallet] = await test.database.query<{ available: bigint; held: bigint; kinds: string[] }>(
    {
      name: '',
      text: `
        select w.available_minor as available, w.held_minor as held,
               (select array_agg(p.kind::text order by p.seq) from postings p
                where p.book_id = w.book_id and p.wallet_id = w.id) as kinds
        from wallets w where w.book_id = $1 and w.id = $2`,
    },
    [book.id, walletId],
  );
  assert.ok(wallet);
  return wallet;
}

describe('moving a transfer', () => {
  it('keeps the time of the first doubt and of the first "pending" through later answers', async () => {
    await openWallet();
    const stored = await store();
    const claimed = async () => {
      await test.database.query({
        name: '',
        text: `update transfers
               set lease_owner = '${ME}', next_action_at = now() + interval '1 minute',
                   first_doubt_at = first_doubt_at - interval '1 hour',
                   first_pending_at = first_pending_at - interval '1 hour'`,
      });
      const found = await findTransfer(test.database, stored);
      assert.ok(found !== undefined);
      return found;
    };
    assert.deepEqual([stored.sinceDoubtMs, stored.sincePendingMs], [null, null]);
    for (const to of ['in_doubt', 'submitted', 'in_doubt', 'submitted'] as const) {
      assert.equal(await move(await claimed(), stepTo(to, { nextActionInMs: 5_000 })), true);
    }
    const { sinceDoubtMs, sincePendingMs } = await claimed();
    const hours = (ms: number | null) => Math.floor((ms ?? 0) / 3_600_000);
    assert.deepEqual([hours(sinceDoubtMs), hours(sincePendingMs)], [4, 3]);
    await move(await claimed(), stepTo('succeeded'));
    const ended = await findTransfer(test.database, stored);
    assert.deepEqual([ended?.sinceDoubtMs, ended?.sincePendingMs], [null, null]);
  });

  it('keeps what went by each route to the same operator in an account of its own', async () => {
    await openWallet();
    const mtn = { operator: 'mtn', country: 'zm', phone: '+260967433571' } as const;
    const direct = await store({ ...mtn, route: 'mtn-zm' });
    const throughOther = await store({ ...mtn, route: 'pawapay-mtn-zm', amountMinor: 300n });
    for (const transfer of [direct, throughOther]) await move(transfer, stepTo('succeeded'));
    const text = `
      select account, sum(minor)::text as minor
      from postings
      cross join lateral (
        values (to_account, amount_minor), (from_account, -amount_minor)
      ) as side (account, minor)
      where book_id = $1 and account like 'clearing%'
      group by account
      order by account`;
    const clearing = () =>
      test.database.query<{ account: string; minor: string }>({ name: '', text }, [book.id]);
    assert.deepEqual(await clearing(), [
      { account: 'clearing:mtn-zm', minor: '1000' },
      { account: 'clearing:pawapay-mtn-zm', minor: '300' },
    ]);
    const paid = (await findTransfer(test.database, throughOther)) ?? assert.fail();
    assert.equal(await move(paid, stepTo('reversed'), { needsLease: false }), true);
    assert.deepEqual(await clearing(), [
      { account: 'clearing:mtn-zm', minor: '1000' },
      { account: 'clearing:pawapay-mtn-zm', minor: '0' },
    ]);
  });

  it('keeps the time of the first submission through a doubt, and renews it after "not sent"', async () => {
    await openWallet();
    const submittedAt = async ({ id }: Transfer) => {
      const text = 'select first_submitted_at as at from transfers where id = $1';
      const [row] = await test.database.query<{ at: Date | null }>({ name: '', text }, [id]);
      return row?.at ?? null;
    };
    const claimed = async (transfer: Transfer): Promise<Transfer> => {
      const lease = `lease_owner = '${ME}', next_action_at = now() + interval '1 minute'`;
      await change(transfer, lease);
      return (await findTransfer(test.database, transfer)) ?? assert.fail();
    };
    const waiting = await store({ reserved: false });
    assert.equal(await submittedAt(waiting), null);
    const first = await store();
    const firstAt = await submittedAt(first);
    assert.ok(firstAt !== null);
    await move(first, stepTo('queued', { nextActionInMs: 1 }));
    assert.equal(await submittedAt(first), null);
    await move(await claimed(first), stepTo('submitting', { nextActionInMs: 1 }));
    const secondAt = await submittedAt(first);
    assert.ok(secondAt !== null && secondAt > firstAt);
    for (const to of ['in_doubt', 'submitted', 'in_doubt'] as const) {
      await move(await claimed(first), stepTo(to, { nextActionInMs: 1 }));
      assert.deepEqual(await submittedAt(first), secondAt);
    }
  });

  it('keeps every exchange of one answer, also exchanges with a refused token', async () => {
    await openWallet();
    const transfer = await store();
    const wire = { request: 'POST /pay', answer: '', elapsedMs: 1 };
    const attempt: OperatorExchange = {
      id: randomUUID(),
      route: 'vodacom-zm',
      purpose: 'submit',
      outcome: 'pending',
      wire: { ...wire, httpStatus: 201 },
      earlier: [{ id: randomUUID(), wire: { ...wire, httpStatus: 401 } }],
    };
    assert.equal(
      await move(transfer, stepTo('submitted', { nextActionInMs: 1 }), { attempt }),
      true,
    );
    const rows = await test.database.query(
      {
        name: '',
        text: `select http_status, outcome from attempts where transfer_id = $1 order by http_status`,
      },
      [transfer.id],
    );
    assert.deepEqual(rows, [
      { http_status: 201, outcome: 'pending' },
      { http_status: 401, outcome: 'unknown' },
    ]);
  });

  it('adds contradictions, and refuses a success that did not take them into account', async () => {
    await openWallet();
    const seen = await store();
    const doubt = stepTo('in_doubt', { contradicted: ['number', 'amount'], nextActionInMs: 1_000 });
    assert.equal(await move(seen, doubt), true);
    const inDoubt = await findTransfer(test.database, seen);
    assert.ok(inDoubt !== undefined);
    assert.deepEqual(inDoubt.contradictions, ['amount', 'number']);
    const unweighed = { ...inDoubt, contradictions: [] };
    const evidence = { needsLease: false };
    assert.equal(await move(unweighed, stepTo('succeeded'), evidence), false);
    assert.equal(await move(inDoubt, stepTo('succeeded'), evidence), true);
  });

  it('settles the hold and books the fee when it succeeds', async () => {
    await openWallet();
    const transfer = await store();
    assert.equal(await move(transfer, stepTo('succeeded', { operatorTransactionId: 'r-1' })), true);
    assert.deepEqual(await balances(), {
      available: FUNDED - 1_050n,
      held: 0n,
      kinds: ['fund', 'hold', 'settle', 'fee'],
    });
    const found = await findTransfer(test.database, transfer);
    assert.equal(found?.state, 'succeeded');
    assert.equal(found?.operatorTransactionId, 'r-1');
    assert.ok(found?.completedAt);
  });

  it('releases amount and fee once when it fails', async () => {
    await openWallet();
    const transfer = await store();
    assert.equal(await move(transfer, stepTo('failed')), true);
    assert.equal(await move(transfer, stepTo('failed')), false);
    assert.deepEqual(await balances(), {
      available: FUNDED,
      held: 0n,
      kinds: ['fund', 'hold', 'release'],
    });
  });

  it('keeps the hold in doubt, and records the time of the next inquiry', async () => {
    await openWallet();
    const transfer = await store();
    assert.equal(await move(transfer, stepTo('in_doubt', { nextActionInMs: 5_000 })), true);
    const found = await findTransfer(test.database, transfer);
    assert.ok(found?.inDoubtSince && found.nextActionAt);
    assert.equal((await balances()).held, 1_050n);
    const again = stepTo('in_doubt', { nextActionInMs: 15_000, checks: 1 });
    assert.equal(await move(found, again, { needsLease: false }), true);
    const inquired = await findTransfer(test.database, transfer);
    assert.deepEqual(inquired?.inDoubtSince, found.inDoubtSince);
    assert.ok(inquired?.lastCheckedAt);
    const history = await readHistory(test.database, transfer);
    assert.deepEqual(
      history.map(({ state }) => state),
      ['submitting', 'in_doubt'],
    );
  });

  it('counts the age of a doubt from the first answer after a silence', async () => {
    await openWallet();
    const transfer = await store();
    await move(transfer, stepTo('in_doubt', { nextActionInMs: 5_000 }));
    await test.database.query({
      name: '',
      text: `update transfers set doubt_began_at = now() - interval '1 hour' where state = 'in_doubt'`,
    });
    const step = async (notFoundAnswers: number): Promise<number> => {
      const found = (await findTransfer(test.database, transfer)) ?? assert.fail();
      const inquiry = stepTo('in_doubt', { nextActionInMs: 5_000, notFoundAnswers });
      assert.equal(await move(found, inquiry, { needsLease: false }), true);
      return (await findTransfer(test.database, transfer))?.doubtMs ?? Number.NaN;
    };
    assert.ok((await step(2)) >= HOUR_MS);
    assert.ok((await step(1)) < HOUR_MS / 2);
    assert.ok((await step(0)) < HOUR_MS / 2);
  });

  it('resets the count of "not found" when the next inquiry comes much later than planned', async () => {
    await openWallet();
    const transfer = await store();
    await move(transfer, stepTo('in_doubt', { nextActionInMs: HOUR_MS, notFoundAnswers: 2 }));
    const answersAfter = async (passed: string): Promise<number | undefined> => {
      await test.database.query({
        name: '',
        text: `update transfers set answers_lapse_at = answers_lapse_at - interval '${passed}'`,
      });
      return (await findTransfer(test.database, transfer))?.notFoundAnswers;
    };
    assert.equal(await answersAfter('119 minutes'), 2);
    assert.equal(await answersAfter('2 minutes'), 0);
  });

  it('counts answers of "not found" as one when they come sooner than planned', async () => {
    await openWallet();
    const transfer = await store();
    const first = stepTo('in_doubt', { nextActionInMs: HOUR_MS, notFoundAnswers: 1 });
    await move(transfer, first);
    const inquire = async (): Promise<number | undefined> => {
      const seen = (await findTransfer(test.database, transfer)) ?? assert.fail();
      const notFoundAnswers = seen.notFoundAnswers + 1;
      const again = stepTo('in_doubt', { nextActionInMs: HOUR_MS, notFoundAnswers });
      assert.equal(await move(seen, again, { needsLease: false }), true);
      return (await findTransfer(test.database, transfer))?.notFoundAnswers;
    };
    assert.equal(await inquire(), 1);
    assert.equal(await inquire(), 1, 'an early answer does not count');
    await change(transfer, `answers_count_from = answers_count_from - interval '61 minutes'`);
    assert.equal(await inquire(), 2);
    assert.equal(await inquire(), 2);
  });

  it('is refused when the lease has ended, although no other process took it', async () => {
    await openWallet();
    const transfer = await store();
    const step = stepTo('submitted', { nextActionInMs: 5_000 });
    await change(transfer, `next_action_at = now() - interval '1 ms'`);
    assert.equal(await move(transfer, step), false);
    await change(transfer, `next_action_at = now() + interval '10 s'`);
    assert.equal(await move(transfer, step), true);
  });

  it('is refused when the transfer has another route than the one that was used', async () => {
    await openWallet();
    const transfer = await store();
    await change(transfer, `route = 'other'`);
    assert.equal(await move(transfer, stepTo('submitted')), false);
    assert.equal(await move(transfer, stepTo('succeeded'), { needsLease: false }), false);
    assert.equal(await move(transfer, stepTo('submitted'), { anyRoute: true }), true);
  });

  it('credits amount and fee again when the operator returns the money', async () => {
    await openWallet();
    const transfer = await store();
    await move(transfer, stepTo('succeeded'));
    const paid: Transfer = { ...transfer, state: 'succeeded', eventSeq: 2 };
    assert.equal(await move(paid, stepTo('reversed'), { needsLease: false }), true);
    assert.deepEqual(await balances(), {
      available: FUNDED,
      held: 0n,
      kinds: ['fund', 'hold', 'settle', 'fee', 'reverse', 'fee_return'],
    });
  });

  it('is refused to a process that saw the same state before it was left and entered again', async () => {
    await openWallet();
    const transfer = await store();
    const leased = { nextActionInMs: 60_000 };
    assert.ok(await move(transfer, stepTo('queued', leased), { leaseFor: ME }));
    const queued: Transfer = { ...transfer, state: 'queued', eventSeq: 2 };
    assert.ok(await move(queued, stepTo('submitting', leased), { leaseFor: ME }));
    // It may be on the wire by now. That it was not sent the first time says nothing about this time.
    assert.equal(await move(transfer, stepTo('queued', { nextActionInMs: 1 })), false);
  });

  it('is refused to a process that lost its lease', async () => {
    await openWallet();
    const transfer = await store();
    const moves: Move[] = [
      {
        transfer,
        step: stepTo('in_doubt', { nextActionInMs: 1 }),
        actor: 'late',
        needsLease: true,
        leaseFor: null,
      },
    ];
    const result = await moveTransfers(test.database, {
      moves,
      mover: randomUUID(),
      at: new Date(),
    });
    assert.deepEqual(result, [false]);
    assert.equal((await findTransfer(test.database, transfer))?.state, 'submitting');
  });

  it('has one winner when a cancellation and the dispatcher collide, and the money follows it', async () => {
    await openWallet();
    for (let round = 0; round < 20; round += 1) {
      const transfer = await store({ reserved: false });
      const before = await balances();
      const [cancelled, left] = await Promise.all([
        move(transfer, stepTo('cancelled'), { needsLease: false }),
        move(transfer, stepTo('submitting', { nextActionInMs: 1_000 }), {
          needsLease: false,
          leaseFor: ME,
        }),
      ]);
      assert.notEqual(cancelled, left);
      const after = await balances();
      assert.equal(after.held, cancelled ? before.held - 1_050n : before.held);
    }
  });

  it('throws on a transition that does not exist, before anything is written', async () => {
    await openWallet();
    const transfer = await store();
    await assert.rejects(
      move(transfer, stepTo('cancelled')),
      /cannot go from submitting to cancelled/,
    );
  });

  it('moves many transfers of one wallet in one statement, with one number for each posting', async () => {
    await openWallet();
    const transfers = await Promise.all([store(), store(), store(), store()]);
    const moves = transfers.map(
      (transfer, index): Move => ({
        transfer,
        step: stepTo(index % 2 === 0 ? 'succeeded' : 'failed'),
        actor: 'test',
        needsLease: true,
        leaseFor: null,
      }),
    );
    await moveTransfers(test.database, { moves, mover: ME, at: new Date() });
    const { available, held, kinds } = await balances();
    assert.equal(available, FUNDED - 2n * 1_050n);
    assert.equal(held, 0n);
    assert.equal(kinds.length, 1 + 4 + 2 * 2 + 2);
  });

  it('does not let a posting or an event be changed', async () => {
    await openWallet();
    await store();
    const change = (text: string) => test.database.query({ name: '', text });
    await assert.rejects(change('update postings set amount_minor = 1'), /append-only/);
    await assert.rejects(change('delete from postings'), /append-only/);
    await assert.rejects(change('update events set cause = $$x$$'), /append-only/);
  });
});
