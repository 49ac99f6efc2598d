import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, it } from 'node:test';
import * as fc from 'fast-check';
import { createControlSnapshots } from '../../service/src/controls/control-snapshots.ts';
import { commitTransfers } from '../../service/src/transfers/accept/commit-transfers.ts';
import { firstBook } from '../../service/src/transfers/move/claim-walk.ts';
import { keepContradictions } from '../../service/src/transfers/move/keep-contradictions.ts';
import { LEASE_MS } from '../../service/src/transfers/move/lease.ts';
import { type Move, moveTransfers } from '../../service/src/transfers/move/move-transfers.ts';
import { findTransfer } from '../../service/src/transfers/read/find-transfer.ts';
import { ANY_AMOUNT, claimDue } from '../../service/test/claim-due.ts';
import { prepareTransfer } from '../../service/test/stored-transfer.ts';
import { createTestBook, createTestWallet } from '../../service/test/test-book.ts';
import { createTestDatabase, type TestDatabase } from '../../service/test/test-database.ts';
import { acceptOrder } from './accept-order.ts';
import type { ControlsPlan } from './controls-plan.ts';
import { createDatabaseModel, type DatabaseModel } from './database-model.ts';
import {
  type Book,
  mayMove,
  REPORTED_FIELDS,
  type Transfer,
  type TransferState,
} from './service-core.ts';

const FUNDED_MINOR = 1_000n;
const FAR_MS = 3_600_000;
const DAY_MS = 24 * FAR_MS;
const OWNERS = [randomUUID(), randomUUID()] as const;
const DAY_ONE_MS = Date.UTC(2026, 0, 5);
const RUNS = 40;
/** Late for both clocks, and to come for both. */
const LONG_AGO = new Date(DAY_ONE_MS - 2 * DAY_MS);
const FAR_AHEAD = new Date(Date.UTC(2999, 0, 1));
const LATE_AFTER_A_DAY: ControlsPlan = {
  sendAtMs: new Map(),
  asked: new Set(),
  denials: new Map(),
  lateWithinMs: DAY_MS,
  visitsMs: [],
  approvedPerMille: 0,
};

let test: TestDatabase;
before(async () => {
  test = await createTestDatabase();
});
after(() => test.drop());

/** The real tables and the model of them. */
type Pair = Readonly<{
  model: DatabaseModel;
  book: Book;
  walletId: string;
  routes: readonly string[];
  /** Transfers as read at some time; moves start from any of these, so also from stale ones. */
  seen: Transfer[];
  /** Advances the model's time. */
  tick: () => Date;
  passDay: () => void;
  nowMs: () => number;
}>;

async function createPair(): Promise<Pair> {
  const book = await createTestBook(test.database);
  const wallet = { bookId: book.id, fundedMinor: FUNDED_MINOR };
  const walletId = await createTestWallet(test.database, wallet);
  let nowMs = 0;
  const model = createDatabaseModel({
    nowMs: () => nowMs,
    faults: {},
    onDue: () => undefined,
    note: () => undefined,
    toMs: (date) => date.getTime() - DAY_ONE_MS,
    controls: LATE_AFTER_A_DAY,
  });
  model.ledger.open({ ...wallet, id: walletId });
  const tick = () => {
    nowMs += 1;
    return new Date(DAY_ONE_MS + nowMs);
  };
  const passDay = () => {
    nowMs += DAY_MS;
  };
  const routes = [`a-${walletId}`, `b-${walletId}`];
  return { model, book, walletId, routes, seen: [], tick, passDay, nowMs: () => nowMs };
}

type Command = (pair: Pair) => Promise<void>;
const OWNER = fc.constantFrom(...OWNERS);
const ROUTE = fc.nat({ max: 1 });

const STORE: fc.Arbitrary<Command> = fc
  .record({
    owner: OWNER,
    reserved: fc.boolean(),
    route: ROUTE,
    amount: fc.integer({ min: 1, max: 400 }),
    fee: fc.constantFrom(0n, 7n),
    name: fc.nat({ max: 12 }),
    key: fc.option(fc.nat({ max: 3 })),
    sendAt: fc.constantFrom(null, null, LONG_AGO, FAR_AHEAD),
  })
  .map(({ owner, reserved, route, amount, fee, name, key, sendAt }) => async (pair) => {
    const { book, walletId, model } = pair;
    const prepared = prepareTransfer(book, {
      walletId,
      reserved,
      route: pair.routes[route] ?? '',
      amountMinor: BigInt(amount),
      feeMinor: fee,
      reference: `order-${name}`,
      idempotencyKey: key === null ? null : `key-${key}`,
      sendAt,
    });
    const at = pair.tick();
    const controls = createControlSnapshots(test);
    const deps = { database: test.database, leaseOwner: owner, now: () => at, controls };
    const [real] = await commitTransfers(deps, [prepared]);
    const simulated = acceptOrder(model, { prepared, leaseOwner: owner, at, isAsked: false });
    const code = (decision: typeof real) =>
      decision?.kind === 'refused' ? decision.refusal.code : decision?.kind;
    assert.equal(code(simulated), code(real));
    if (real?.kind !== 'accepted') return;
    pair.seen.push(real.transfer);
  });

const TARGETS = [
  'queued',
  'submitting',
  'submitted',
  'in_doubt',
  'succeeded',
  'failed',
  'cancelled',
  'reversed',
] as const satisfies readonly TransferState[];

const MOVE: fc.Arbitrary<Command> = fc
  .record({
    which: fc.nat(),
    isFresh: fc.boolean(),
    target: fc.nat(),
    mover: OWNER,
    needsLease: fc.boolean(),
    leaseFor: fc.option(OWNER),
    nextActionInMs: fc.constantFrom(null, 0, FAR_MS),
    needsPerson: fc.boolean(),
    route: fc.option(ROUTE),
    anyRoute: fc.boolean(),
    checks: fc.nat({ max: 9 }),
    notFoundProof: fc.option(
      fc.record({
        answersMin: fc.integer({ min: 1, max: 6 }),
        doubtMinMs: fc.constantFrom(0, FAR_MS),
      }),
      { nil: undefined },
    ),
    throttled: fc.boolean(),
    resubmission: fc.option(fc.record({ withinMs: fc.constantFrom(FAR_MS, 10 * DAY_MS) }), {
      nil: undefined,
    }),
  })
  .map((drawn) => async (pair) => {
    const known = pair.seen[drawn.which % Math.max(1, pair.seen.length)];
    if (known === undefined) return;
    const transfer = drawn.isFresh ? await findTransfer(test.database, known) : known;
    if (transfer === undefined) throw new Error('a stored transfer is missing');
    const { state } = transfer;
    const ways = TARGETS.filter((to) => to === state || mayMove(state, to));
    const to = ways[drawn.target % ways.length] ?? state;
    const route = drawn.route === null ? undefined : pair.routes[drawn.route];
    const move: Move = {
      transfer,
      step: {
        to,
        cause: 'drawn',
        failure: to === 'failed' ? 'OPERATOR_REJECTED' : to === 'cancelled' ? 'CANCELLED' : null,
        operatorTransactionId: null,
        nextActionInMs: drawn.nextActionInMs,
        checks: drawn.checks,
        notFoundAnswers: drawn.checks,
        unconfirmedSuccesses: drawn.checks,
        needsPerson: to === 'in_doubt' && drawn.needsPerson,
        ...(mayRestOnProof(to) && drawn.notFoundProof !== undefined
          ? { notFoundProof: drawn.notFoundProof }
          : {}),
        ...(to === 'in_doubt' && drawn.throttled ? { throttled: true as const } : {}),
        ...(to === 'in_doubt' && state === 'in_doubt' && drawn.resubmission !== undefined
          ? { resubmission: drawn.resubmission }
          : {}),
      },
      actor: 'test',
      needsLease: drawn.needsLease,
      anyRoute: drawn.anyRoute,
      leaseFor: drawn.leaseFor,
      ...(route === undefined ? {} : { route }),
    };
    const by = { mover: drawn.mover, at: pair.tick() };
    const [real] = await moveTransfers(test.database, { moves: [move], ...by });
    assert.equal(pair.model.move(move, by), real);
    if (drawn.isFresh) pair.seen.push(transfer);
    // The model's clock does not advance by itself, so on a busy machine real answers must not lapse earlier.
    await test.database.query(LAPSE_LATER, [pair.book.id, transfer.id]);
    await test.database.query(INQUIRE_LATER, [pair.book.id, transfer.id]);
  });

function mayRestOnProof(to: TransferState): boolean {
  return to === 'failed' || to === 'in_doubt';
}

const LAPSE_LATER = {
  name: '',
  text: `
    update transfers set answers_lapse_at = now() + interval '12 h'
    where book_id = $1 and id = $2 and answers_lapse_at < now() + interval '11 h'
      and answers_lapse_at > now() - interval '1 h'`,
};

/** The inquiry after a recall comes no earlier either. */
const INQUIRE_LATER = {
  name: '',
  text: `
    update transfers set next_action_at = now() + interval '10 min'
    where book_id = $1 and id = $2 and recalls > 0 and state = 'succeeded'
      and next_action_at > now() and next_action_at < now() + interval '10 s'`,
};

/** Counts a recall, as the command of an administrator does before it asks the operator. */
const RECALL: fc.Arbitrary<Command> = fc.nat().map((which) => async (pair) => {
  const known = pair.seen[which % Math.max(1, pair.seen.length)];
  if (known === undefined) return;
  const text = `
    update transfers set recalls = recalls + 1
    where book_id = $1 and id = $2 and state in ('submitted', 'in_doubt', 'succeeded') returning id`;
  const real = await test.database.query({ name: '', text }, [pair.book.id, known.id]);
  const row = pair.model.find(known.id);
  if (row === undefined || real.length === 0) return;
  row.transfer = { ...row.transfer, recalls: row.transfer.recalls + 1 };
});

/** Advances by a day: all next actions are due, leases have expired and answers have lapsed. */
const WAIT: fc.Arbitrary<Command> = fc.constant(async (pair: Pair) => {
  pair.passDay();
  const text = `
    update transfers
    set next_action_at = next_action_at - interval '1 day',
        doubt_began_at = doubt_began_at - interval '1 day',
        first_submitted_at = first_submitted_at - interval '1 day',
        answers_lapse_at = answers_lapse_at - interval '1 day',
        answers_count_from = answers_count_from - interval '1 day'
    where book_id = $1`;
  await test.database.query({ name: '', text }, [pair.book.id]);
});

/** Stores a callback that is not handled yet. */
const CALL: fc.Arbitrary<Command> = fc
  .record({ which: fc.nat(), reading: fc.constantFrom('read', 'read', 'forged') })
  .map(({ which, reading }) => async (pair) => {
    const known = pair.seen[which % Math.max(1, pair.seen.length)];
    if (known === undefined) return;
    const { operatorReference, route } = known;
    const text = `
      insert into callbacks (id, route, method, headers, body, reading, operator_reference, verified, received_at)
      values (gen_random_uuid(), $1, 'POST', '{}', '', $2, $3, false, now())`;
    await test.database.query({ name: '', text }, [route, reading, operatorReference]);
    const row = pair.model.findByOperatorReference(operatorReference);
    if (row !== undefined && reading === 'read') row.calledAbout = true;
  });

/** Keeps what an answer contradicts, without a lease. */
const CONTRADICT: fc.Arbitrary<Command> = fc
  .record({ which: fc.nat(), subjects: fc.subarray([...REPORTED_FIELDS], { minLength: 1 }) })
  .map(({ which, subjects }) => async (pair) => {
    const known = pair.seen[which % Math.max(1, pair.seen.length)];
    if (known === undefined) return;
    const real = await keepContradictions(test.database, known, subjects);
    assert.equal(pair.model.keepContradictions(known.id, subjects), real);
  });

/** All that is due: which of two comes first is a matter of milliseconds, and a busy machine loses some of them. */
const CLAIMED_AT_ONCE = 100;

const CLAIM: fc.Arbitrary<Command> = fc
  .record({
    leaseOwner: OWNER,
    route: ROUTE,
    due: fc.constantFrom('inquiry' as const, 'submission' as const),
    bounds: fc.constantFrom(
      ANY_AMOUNT,
      { ...ANY_AMOUNT, maxMinor: 100n },
      { ...ANY_AMOUNT, decimals: 0 },
    ),
  })
  .map(({ leaseOwner, route, due, bounds }) => async (pair) => {
    pair.tick();
    const wanted = { leaseOwner, due, max: CLAIMED_AT_ONCE, route: pair.routes[route] ?? '' };
    const at = new Date();
    const by = { name: wanted.route, account: null, bounds };
    const real = await claimDue(test.database, { ...wanted, at, bounds, afterBook: firstBook() });
    const leased = { ...wanted, leaseMs: LEASE_MS };
    const simulated =
      due === 'inquiry' ? pair.model.claim(leased) : pair.model.claimToSend(leased, by, at);
    assert.deepEqual(
      simulated.map((row) => row.transfer.id).sort(),
      real.transfers.map(({ id }) => id).sort(),
    );
    assert.deepEqual(
      simulated
        .filter((row) => due === 'submission' && pair.model.isLate(row))
        .map((row) => row.transfer.id)
        .sort(),
      [...real.heldBack.keys()].sort(),
    );
    pair.seen.push(...real.transfers);
  });

/** The stored state in a form that both sides can produce. */
async function readReal({ book, walletId }: Pair): Promise<unknown> {
  const select = (text: string, values: readonly unknown[]) =>
    test.database.query({ name: '', text }, values);
  return {
    transfers: await select(
      `select id, state, route, lease_owner, checks, not_found_answers, unconfirmed_successes, contradictions, failure_code,
              flagged_at is not null as flagged, in_doubt_since is not null as in_doubt,
              resubmissions, recalls, throttled, first_submitted_at is not null as was_submitted,
              first_doubt_at is not null as was_in_doubt, first_pending_at is not null as was_pending, last_checked_at, completed_at,
              updated_at,
              case when next_action_at is null then 'never'
                   when next_action_at <= now() then 'now'
                   when next_action_at > now() + interval '30 min' then 'far' else 'leased' end as next
       from transfers where book_id = $1 order by id`,
      [book.id],
    ),
    wallet: await select('select available_minor, held_minor from wallets where id = $1', [
      walletId,
    ]),
    postings: await select(
      `select seq, kind, amount_minor, transfer_id, available_after_minor, held_after_minor
       from postings where wallet_id = $1 order by seq`,
      [walletId],
    ),
    history: await select(
      `select subject_id, from_state, to_state, cause, actor
       from events where book_id = $1 and to_state is not null order by subject_id, seq`,
      [book.id],
    ),
  };
}

function readModel({ model, walletId, nowMs }: Pair): unknown {
  const nextOf = (atMs: number | null) => {
    if (atMs === null) return 'never';
    if (atMs <= nowMs()) return 'now';
    return atMs > nowMs() + FAR_MS / 2 ? 'far' : 'leased';
  };
  const byId = <T extends { id: string }>(rows: T[]) =>
    rows.sort((one, other) => (one.id < other.id ? -1 : 1));
  const wallet = model.ledger.wallet(walletId);
  return {
    transfers: byId(
      model.all().map(({ transfer, leaseOwner, nextActionAtMs, doubt, firstTimes, flagged }) => ({
        id: transfer.id,
        state: transfer.state,
        route: transfer.route,
        lease_owner: leaseOwner,
        checks: transfer.checks,
        not_found_answers: transfer.notFoundAnswers,
        unconfirmed_successes: transfer.unconfirmedSuccesses,
        contradictions: transfer.contradictions,
        failure_code: transfer.failureCode,
        flagged,
        in_doubt: doubt.beganMs !== null,
        resubmissions: transfer.resubmissions,
        recalls: transfer.recalls,
        throttled: transfer.throttled,
        was_submitted: firstTimes.submittedMs !== null,
        was_in_doubt: firstTimes.doubtMs !== null,
        was_pending: firstTimes.pendingMs !== null,
        last_checked_at: transfer.lastCheckedAt,
        completed_at: transfer.completedAt,
        updated_at: transfer.updatedAt,
        next: nextOf(nextActionAtMs),
      })),
    ),
    wallet: [{ available_minor: wallet?.availableMinor, held_minor: wallet?.heldMinor }],
    postings: model.ledger.postings().map((posting) => ({
      seq: BigInt(posting.seq),
      kind: posting.kind,
      amount_minor: posting.amountMinor,
      transfer_id: posting.transferId,
      available_after_minor: posting.availableAfterMinor,
      held_after_minor: posting.heldAfterMinor,
    })),
    history: byId(
      model.history().map((entry) => ({
        id: entry.transferId,
        from_state: entry.from,
        to_state: entry.to,
        cause: entry.cause,
        actor: entry.actor,
      })),
    ).map(({ id, ...entry }) => ({ subject_id: id, ...entry })),
  };
}

it('the model stores the same as the statements for any sequence of commands', async () => {
  const commands = fc.array(
    fc.oneof(STORE, MOVE, MOVE, MOVE, CLAIM, CALL, CONTRADICT, RECALL, WAIT),
    {
      minLength: 10,
      maxLength: 60,
      size: 'max',
    },
  );
  await fc.assert(
    fc.asyncProperty(commands, async (drawn) => {
      const pair = await createPair();
      for (const command of drawn) await command(pair);
      assert.deepEqual(readModel(pair), await readReal(pair));
    }),
    { numRuns: RUNS },
  );
});
