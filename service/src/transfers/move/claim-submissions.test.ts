import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import * as fc from 'fast-check';
import { ANY_AMOUNT } from '../../../test/claim-due.ts';
import { type PreparedOptions, storeTestTransfer } from '../../../test/stored-transfer.ts';
import { createTestBook, createTestWallet } from '../../../test/test-book.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts';
import { actorCode } from '../../domain/actor.ts';
import { causeOf } from '../../domain/cause.ts';
import { retryReference } from '../../domain/retry-reference.ts';
import type { Transfer } from '../../domain/transfer.ts';
import { fitsBounds } from '../../operators/routes/choose-route.ts';
import { isPaidAgain, mayPayAgainSql } from '../read/find-may-be-paid.ts';
import { claimSubmissions, type SendingRoute } from './claim-submissions.ts';
import { firstBook } from './claim-walk.ts';
import { LEASE_MS } from './lease.ts';
import { moveTransfers } from './move-transfers.ts';

const AT = new Date('2026-05-06T07:08:09.010Z');

let test: TestDatabase;
before(async () => {
  test = await createTestDatabase();
});
after(() => test.drop());

const ask = (text: string, values: readonly unknown[] = []) =>
  test.database.query({ name: '', text }, values);

/** A queue of its own, so that nothing else is in it. */
async function openQueue() {
  const route = `queue-${randomUUID()}`;
  const book = await createTestBook(test.database);
  const walletId = await createTestWallet(test.database, { bookId: book.id, fundedMinor: 10_000n });
  const store = (order: Omit<PreparedOptions, 'walletId'> = {}) => {
    const queued = { walletId, route, reserved: false, reference: randomUUID(), ...order };
    return storeTestTransfer(test.database, { book, leaseOwner: randomUUID(), ...queued });
  };
  return { book, route, store };
}

const claimBy = (
  route: string,
  by: Partial<SendingRoute> = {},
  leaseOwner: string = randomUUID(),
) =>
  claimSubmissions(test.database, {
    route,
    leaseOwner,
    afterBook: firstBook(),
    max: 100,
    by: { name: route, account: null, bounds: ANY_AMOUNT, ...by },
    at: AT,
  });

const READ = `
  select (to_jsonb(t) - array['book_id', 'id', 'wallet_id', 'reference', 'operator_reference', 'route',
                              'created_at', 'lease_owner', 'next_action_at', 'first_submitted_at'])
         || jsonb_build_object(
           'leased', t.lease_owner = $3,
           'lease_ms', round(extract(epoch from t.next_action_at - t.first_submitted_at) * 1000),
           'by', replace(t.route, $4, 'own'),
           'events', (
             select jsonb_agg(to_jsonb(e) - array['book_id', 'subject_id', 'xid'] order by e.seq)
             from events e
             where e.book_id = t.book_id and e.subject_id = t.id and e.seq > 1
           )
         ) as row
  from transfers t
  where t.book_id = $1 and t.id = $2`;

const LEFT_OVERS = `
  checks = 3, not_found_answers = 2, unconfirmed_successes = 1, throttled = true, flagged_at = now(),
  contradictions = '{amount}', first_doubt_at = now(), first_pending_at = now()`;

describe('a queued transfer that is claimed to be sent', () => {
  const cases: readonly (readonly [string, string, Partial<SendingRoute>])[] = [
    ['as it was stored', 'checks = checks', {}],
    ['by another route, with an account', 'checks = checks', { name: 'beside', account: 'acc-2' }],
    ['with the account of its last try', "route_account = 'acc-1'", {}],
    ['under another account', "route_account = 'acc-1'", { account: 'acc-2' }],
    ['with what is left of earlier answers', LEFT_OVERS, {}],
  ];
  for (const [what, change, by] of cases) {
    it(`is stored as if it was moved, ${what}`, async () => {
      const rows = await Promise.all(
        [claimOne, moveOne].map(async (leave) => {
          const { book, route, store } = await openQueue();
          const { id } = await store();
          await ask(`update transfers set ${change} where id = $1`, [id]);
          const leaseOwner = randomUUID();
          await leave({ route, by, leaseOwner });
          const [{ row } = { row: null }] = await ask(READ, [book.id, id, leaseOwner, route]);
          return row;
        }),
      );
      assert.deepEqual(rows[0], rows[1]);
      assert.equal((rows[0] as { state: string }).state, 'submitting');
    });
  }

  type Leaving = Readonly<{ route: string; by: Partial<SendingRoute>; leaseOwner: string }>;

  async function claimOne({ route, by, leaseOwner }: Leaving): Promise<void> {
    const { leaving, staying } = await claimBy(route, by, leaseOwner);
    assert.deepEqual([leaving.length, staying.length], [1, 0]);
  }

  /** No amount fits, so it is only leased, and then moved as the scanner moves what it had to look at. */
  async function moveOne({ route, by, leaseOwner }: Leaving): Promise<void> {
    const bounds = { ...ANY_AMOUNT, maxMinor: 1n };
    const { staying } = await claimBy(route, { ...by, bounds }, leaseOwner);
    const [transfer] = staying.map((claimed) => claimed.transfer);
    if (transfer === undefined) throw new Error('nothing was claimed');
    assert.equal(transfer.state, 'queued');
    const step = {
      to: 'submitting',
      cause: causeOf('ROUTE_HAS_ROOM'),
      failure: null,
      operatorTransactionId: null,
      nextActionInMs: LEASE_MS,
      checks: transfer.checks,
      notFoundAnswers: 0,
      needsPerson: false,
    } as const;
    const actor = actorCode({ kind: 'system', part: 'dispatcher' });
    const { name, account } = { name: route, account: null, ...by };
    const move = { transfer, step, actor, needsLease: true, leaseFor: leaseOwner, route: name };
    const moves = [account === null ? move : { ...move, routeAccount: account }];
    const moved = await moveTransfers(test.database, { moves, mover: leaseOwner, at: AT });
    assert.deepEqual(moved, [true]);
  }

  it('is returned as it is stored then', async () => {
    const { book, route, store } = await openQueue();
    const { id } = await store();
    const [left] = (await claimBy(route, { account: 'acc' })).leaving;
    const [row] = await ask('select event_seq from transfers where id = $1', [id]);
    assert.deepEqual(
      [left?.bookId, left?.id, left?.state, left?.route, left?.routeAccount, left?.eventSeq],
      [book.id, id, 'submitting', route, 'acc', row?.['event_seq']],
    );
  });

  it('is not told to the merchant: its event is only part of its history', async () => {
    const { book, route, store } = await openQueue();
    await store();
    await ask('delete from feed_pending where $1 = any (book_ids)', [book.id]);
    assert.equal((await claimBy(route)).leaving.length, 1);
    assert.deepEqual(
      await ask('select 1 from feed_pending where $1 = any (book_ids)', [book.id]),
      [],
    );
  });
});

describe('a queued transfer that its process must look at first', () => {
  const states = (transfers: readonly Pick<Transfer, 'state'>[]) =>
    transfers.map(({ state }) => state);

  it('is only leased when it is late, while others leave', async () => {
    const { route, store } = await openQueue();
    const late = await store();
    await ask(`update transfers set send_at = now() - interval '25 h' where id = $1`, [late.id]);
    const onTime = await store({ sendAt: null });
    const { leaving, staying } = await claimBy(route);
    assert.deepEqual(
      leaving.map(({ id }) => id),
      [onTime.id],
    );
    assert.deepEqual(
      staying.map(({ transfer, row }) => [transfer.id, transfer.state, row.is_late]),
      [[late.id, 'queued', true]],
    );
  });

  it('is only leased when its number is denied', async () => {
    const { book, route, store } = await openQueue();
    await store();
    await ask('update books set controls_version = 1 where id = $1', [book.id]);
    await ask(DENY, [book.id, '+260977433571']);
    const { leaving, staying } = await claimBy(route);
    assert.deepEqual([states(leaving), staying.map(({ row }) => row.is_denied)], [[], [true]]);
  });

  const REFERENCES = fc.oneof(
    fc.constantFrom('a.retry-1', 'retry-', `retry-${'0'.repeat(64)}`, 'a.Retry-1', 'retry', '%'),
    fc.string({ minLength: 1, maxLength: 100 }).map(retryReference),
    fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
      .filter((text) => !text.includes('\0')),
  );

  it('is so wherever it may pay something again', async () => {
    const property = fc.asyncProperty(REFERENCES, fc.boolean(), async (reference, isReplacing) => {
      const replaces = isReplacing ? randomUUID() : null;
      const [row] = await ask(
        `select ${mayPayAgainSql('t')} as may from (select $1::text as reference, $2::uuid as replaces) t`,
        [reference, replaces],
      );
      if (isPaidAgain({ reference, replaces })) assert.equal(row?.['may'], true);
    });
    await fc.assert(property, { numRuns: 200 });
    const { route, store } = await openQueue();
    await store({ reference: 'a.retry-1' });
    const replacing = await store();
    await ask('update transfers set replaces = $2 where id = $1', [replacing.id, replacing.id]);
    const { leaving, staying } = await claimBy(route);
    assert.deepEqual([leaving.length, staying.length], [0, 2]);
  });

  it('is so just when the route does not take its amount', async () => {
    const bounds = { minMinor: 100n, maxMinor: 300n };
    for (const decimals of [0, 2]) {
      const { route, store } = await openQueue();
      const amounts = [99n, 100n, 150n, 200n, 300n, 301n];
      for (const amountMinor of amounts) await store({ amountMinor });
      const { leaving, staying } = await claimBy(route, { bounds: { ...bounds, decimals } });
      const fits = (amountMinor: bigint) => fitsBounds(amountMinor, { ...bounds, decimals });
      const sorted = (of: readonly Transfer[]) =>
        of.map(({ amountMinor }) => Number(amountMinor)).toSorted((a, b) => a - b);
      assert.deepEqual(sorted(leaving), amounts.filter(fits).map(Number));
      assert.equal(leaving.length + staying.length, amounts.length);
    }
  });
});

const DENY = `
  insert into list_entries (book_id, id, list, phone, reason, created_by, created_by_name, created_at)
  values ($1, gen_random_uuid(), 'deny', $2, 'a test', gen_random_uuid(), 'Test', now())`;
