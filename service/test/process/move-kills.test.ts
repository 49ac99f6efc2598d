import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { volume } from '../../../scripts/test-volume.ts';
import { verifyLedger } from '../../src/ledger/verify-ledger.ts';
import type { Database } from '../../src/postgres/database.ts';
import { type MovingWorld, openMovingWorld } from '../moving-world.ts';
import { type Asked, startPayoutLoad } from '../payout-load.ts';
import { pollUntil } from '../poll.ts';

const CLIENTS = 8;
/**
 * Each move copies all that the merchant has. At full speed eight clients would pay so much between fifty moves that the
 * last of them took minutes; so they pay 25 payouts a second at most, and the merchant has some thousand in the end.
 */
const PAUSE_MS = 320;

/** One move: where its processes are killed, one after the other, and how it goes on after the last kill. */
type Plan = Readonly<{
  kills: readonly string[];
  /** Whether the service is killed then, while nothing of the merchant is under way. */
  crashes?: boolean;
  /** Taken back, and killed there; then taken back again, or continued after all. */
  undo?: Readonly<{ kills: readonly string[]; end: 'undo' | 'move' }>;
  /** Where the commands are killed that delete the old rows. */
  forgetKills?: readonly string[];
}>;
/** Together they are killed at every step. */
const PLANS: readonly Plan[] = [
  { kills: ['move-began', 'move-closing', 'move-closed'], forgetKills: ['move-forgetting'] },
  {
    kills: ['move-copying', 'move-copied'],
    undo: { kills: ['move-undoing', 'move-reopened'], end: 'undo' },
  },
  {
    kills: ['move-verified'],
    crashes: volume({ usual: true, full: false }),
    undo: { kills: ['move-forgetting', 'move-uncopied'], end: 'move' },
    forgetKills: ['move-forgotten'],
  },
  { kills: ['move-switched', 'move-opened', 'move-leaving', 'move-left'] },
];
/** Points that a process passes once for each table: so it dies at any of them. */
const PASSED_OFTEN = ['move-copying', 'move-forgetting'];
const PASSED_OFTEN_PROBABILITY = 0.15;
const MOVES = PLANS.length * volume({ usual: 1, full: 13 });
/**
 * At full volume the service is killed at every fifth move while payouts are being sent. Their leases last half a minute,
 * for which the move waits: too long for every run of the tests.
 */
const CRASH_EVERY = volume({ usual: Number.POSITIVE_INFINITY, full: 5 });
const CRASH_WITHIN_MS = 1_500;
/**
 * Fifty-two moves are three hundred processes, one after the other, and ten waits of half a minute: some ten minutes, and
 * two to three times that on a machine that is busy with other things.
 */
const TIMEOUT_MS = volume({ usual: 240_000, full: 2_400_000 });
const SERVED_WITHIN_MS = 60_000;
const ENDED_WITHIN_MS = 120_000;
/** The first of these moves is within a server, the other two are between servers. */
const ROUND = ['main', 'second', 'far'] as const;

let world: MovingWorld;
before(async () => {
  world = await openMovingWorld();
});
after(() => world.close());

type Stored = { id: string; reference: string; operatorReference: string; state: string };
const readTransfers = (database: Database) =>
  database.query<Stored>(
    {
      name: '',
      text: `select id, reference, replace(operator_reference::text, '-', '') as "operatorReference", state
             from transfers where book_id = $1`,
    },
    [world.merchant.books.live],
  );

function startLoad() {
  const { merchant } = world;
  const target = {
    baseUrl: () => world.service().baseUrl,
    key: merchant.keys.live,
    walletId: merchant.wallets.live.ZMW,
    recipient: { operator: 'mtn', phone: '0961000000' },
  };
  const load = startPayoutLoad(target, { clients: CLIENTS, prefix: 'move', pauseMs: PAUSE_MS });
  const acknowledged = () => load.asked.filter((one) => one.acknowledged !== undefined).length;
  return {
    ...load,
    /** Resolves once as many payouts as there are clients were accepted. */
    async served() {
      const before = acknowledged();
      const isServed = () => acknowledged() >= before + CLIENTS;
      await pollUntil('every client to be served', isServed, SERVED_WITHIN_MS);
    },
  };
}

/** Runs a command that is killed, and counts how often one was at each point. */
function countKills(seed: number, kills: Map<string, number>): Killing {
  return async (verb, failpoint) => {
    const isPassedOften = PASSED_OFTEN.includes(failpoint);
    const probability = isPassedOften ? PASSED_OFTEN_PROBABILITY : 1;
    const isKilled = await world.run(verb, { failpoint, probability, seed });
    assert.ok(isKilled || isPassedOften, `${verb} was not killed at ${failpoint}`);
    const name = verb === 'undo' || verb === 'forget' ? `${verb} ${failpoint}` : failpoint;
    if (isKilled) kills.set(name, (kills.get(name) ?? 0) + 1);
  };
}

type Killing = (verb: string, failpoint: string) => Promise<void>;

/** Says whether the merchant is in the other cell then. */
async function move(plan: Plan, to: string, kill: Killing): Promise<boolean> {
  for (const failpoint of plan.kills) await kill(to, failpoint);
  if (plan.crashes === true) await world.crashService();
  for (const failpoint of plan.undo?.kills ?? []) await kill('undo', failpoint);
  const verb = plan.undo?.end === 'undo' ? 'undo' : to;
  await world.run(verb);
  return verb === to;
}

/** The longest time around the move in which no payout was accepted, as the clients saw it. */
function pauseOf(asked: readonly Asked[], beganMs: number, endedMs: number): number {
  const times = asked.flatMap(({ acknowledgedMs: ms }) => (ms === undefined ? [] : [ms]));
  times.sort((a, b) => a - b);
  let longest = 0;
  for (const [index, ms] of times.entries()) {
    const before = times[index - 1] ?? ms;
    if (ms >= beganMs && before <= endedMs) longest = Math.max(longest, ms - before);
  }
  return longest;
}

/** What our state of a transfer says and the operator's book does not. */
function findDisagreements(rows: readonly Stored[], paid: ReadonlyMap<string, number>) {
  return rows.flatMap(({ reference, operatorReference, state }) => {
    const times = paid.get(operatorReference) ?? 0;
    const agrees = (state === 'succeeded' && times === 1) || (state === 'failed' && times === 0);
    return agrees ? [] : [`${reference} is ${state} and was paid ${times} times`];
  });
}

async function countPaid(): Promise<ReadonlyMap<string, number>> {
  const paid = new Map<string, number>();
  for (const { ourReference } of await world.readBook()) {
    const reference = ourReference.replaceAll('-', '').toLowerCase();
    paid.set(reference, (paid.get(reference) ?? 0) + 1);
  }
  return paid;
}

const databaseOf = (cell: (typeof ROUND)[number]): Database => world.cells[cell].database;

async function checkAll(here: (typeof ROUND)[number], asked: readonly Asked[]): Promise<string> {
  await pollUntil(
    'every transfer to come to its end',
    async () =>
      (await readTransfers(databaseOf(here))).every(({ state }) =>
        ['succeeded', 'failed'].includes(state),
      ),
    ENDED_WITHIN_MS,
  );
  const rows = await readTransfers(databaseOf(here));
  const paid = await countPaid();
  assert.deepEqual(findDisagreements(rows, paid), []);
  const ours = new Set(rows.map(({ operatorReference }) => operatorReference));
  const strange = [...paid.keys()].filter((reference) => !ours.has(reference));
  assert.deepEqual(strange, [], 'payments without a transfer');
  assert.deepEqual(await world.readViolations(), []);
  const stored = new Map(rows.map(({ reference, id }) => [reference, id]));
  assert.equal(stored.size, rows.length, 'a reference was stored twice');
  const lost = asked.filter(
    ({ reference, acknowledged: id }) => id !== undefined && stored.get(reference) !== id,
  );
  assert.deepEqual(lost, []);
  for (const cell of ROUND) {
    assert.deepEqual((await verifyLedger(databaseOf(cell))).problems, [], cell);
    if (cell !== here) assert.deepEqual(await readTransfers(databaseOf(cell)), [], cell);
  }
  const answers = asked.flatMap(({ answers }) => answers);
  assert.deepEqual(
    answers.filter((status) => ![201, 409, 503].includes(status)),
    [],
  );
  const failed = rows.filter(({ state }) => state === 'failed').length;
  return `${asked.length} asked, ${rows.length} stored, ${paid.size} paid, ${failed} failed`;
}

describe(`${MOVES} moves of a merchant that pays, within a server and between two, killed at every step`, () => {
  it('lose no payout, pay none twice by the book of the operator, and end in one cell with a right ledger', {
    timeout: TIMEOUT_MS,
  }, async (t) => {
    const load = startLoad();
    t.after(() => load.stop());
    let place = 0;
    let crashes = 0;
    const moves = { within: 0, between: 0, undone: 0 };
    const kills = new Map<string, number>();
    const spans: (readonly [number, number])[] = [];
    for (let number = 0; number < MOVES; number += 1) {
      await load.served();
      const here = ROUND[place % ROUND.length];
      const there = ROUND[(place + 1) % ROUND.length] ?? 'main';
      const plan = PLANS[number % PLANS.length] ?? { kills: [] };
      const kill = countKills(number, kills);
      const beganMs = performance.now();
      const isCrash = number % CRASH_EVERY === CRASH_EVERY - 1;
      const crash = isCrash ? crashWithin(Math.random() * CRASH_WITHIN_MS) : undefined;
      const isMoved = await move(plan, there, kill);
      await crash;
      crashes += (isCrash ? 1 : 0) + (plan.crashes === true ? 1 : 0);
      await load.served();
      spans.push([beganMs, performance.now()]);
      if (!isMoved) {
        moves.undone += 1;
        continue;
      }
      moves[here === 'far' || there === 'far' ? 'between' : 'within'] += 1;
      place += 1;
      for (const failpoint of plan.forgetKills ?? []) await kill('forget', failpoint);
      await world.run('forget');
    }
    await load.stop();
    const here = ROUND[place % ROUND.length] ?? 'main';
    t.diagnostic(`${await checkAll(here, load.asked)}; the service was killed ${crashes} times`);
    t.diagnostic(`moved ${JSON.stringify(moves)}; killed ${JSON.stringify([...kills])}`);
    const pauses = spans
      .map(([beganMs, endedMs]) => Math.round(pauseOf(load.asked, beganMs, endedMs)))
      .sort((a, b) => a - b);
    t.diagnostic(`pauses ${pauses.join(', ')} ms`);
  });
});

async function crashWithin(ms: number): Promise<void> {
  await pause(ms);
  await world.crashService();
}
