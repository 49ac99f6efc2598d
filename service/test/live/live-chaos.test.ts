import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { OperatorName } from '../../../emulators/start-operators.ts';
import { volume } from '../../../scripts/test-volume.ts';
import { verifyLedger } from '../../src/ledger/verify-ledger.ts';
import { pollUntil } from '../poll.ts';
import { type LiveWorld, openLiveWorld } from './live-world.ts';

/** What the suite has time for; LIVE_TRANSFERS=2000 LIVE_KILLS=10 is the whole of it. */
const TRANSFERS = Number(process.env['LIVE_TRANSFERS'] ?? volume({ usual: 60, full: 120 }));
const KILLS = Number(process.env['LIVE_KILLS'] ?? volume({ usual: 1, full: 2 }));
const TIME_SCALE = 0.01;
const CLIENTS = 16;
const KILL_EVERY_MS = 3_000;
const RETRY_MS = 100;
/**
 * Leases of killed processes last half a minute, and a lost payout gets inquiries for fifteen minutes, in the routes'
 * time scale, before each resubmission.
 */
const SETTLE_TIMEOUT_MS = 240_000;

/** Every misbehaviour of an operator except false reports: all of it ends without a person. */
const MIX = {
  ok: 40,
  reject: 8,
  'pay-no-answer': 5,
  'pay-then-500': 5,
  'pay-then-400': 4,
  'pay-then-html': 4,
  'pay-then-reset': 4,
  'pay-then-reset-mid-body': 4,
  lost: 3,
  'execute-late': 4,
  'pending-then-ok': 5,
  'pending-then-failed': 4,
  'rate-limited': 2,
  'rate-limited-until-date': 1,
  'rate-limited-but-paid': 2,
  'unavailable-for-now': 1,
  'unavailable-until-date': 1,
  'token-expired': 2,
  'callback-none': 2,
  'callback-twice': 2,
  'callback-early': 2,
  'callback-late': 2,
  'callback-contradictory': 2,
  'callback-forged': 2,
  'callback-out-of-order': 2,
};

const WAYS = [
  { emulator: 'mtn', operator: 'mtn', country: 'zm', prefix: '0961' },
  { emulator: 'airtel', operator: 'airtel', country: 'zm', prefix: '0971' },
  { emulator: 'vodacom', operator: 'vodacom', country: 'zm', prefix: '0972' },
  { emulator: 'zamtel', operator: 'zamtel', country: 'zm', prefix: '0951' },
  { emulator: 'pawapay', operator: 'mtn', country: 'ng', prefix: '08031' },
] as const;
const OPERATORS: readonly OperatorName[] = WAYS.map(({ emulator }) => emulator);

let world: LiveWorld;
before(async () => {
  world = await openLiveWorld({ operators: OPERATORS, timeScale: TIME_SCALE });
  for (const [index, name] of OPERATORS.entries()) {
    await world.control(name, 'PUT seed', { seed: 7 + index, mix: MIX });
  }
});
let ended = false;
after(async () => {
  ended = true;
  await world.close();
});

it('agrees with the books of misbehaving operators after repeated kill -9', async (t) => {
  const paying = payAll();
  for (let kill = 0; kill < KILLS; kill += 1) {
    await pause(KILL_EVERY_MS);
    await world.service().end('SIGKILL');
    await world.restartService();
  }
  await paying;
  await pollUntil('every end or doubt', async () => (await countMoving()) === 0, SETTLE_TIMEOUT_MS);
  for (const name of OPERATORS) await world.control(name, 'POST flush');
  const transfers = await readTransfers();
  const executed = await readExecutions();
  assert.equal(transfers.length, TRANSFERS);
  assert.deepEqual(findDisagreements(transfers, executed), []);
  const references = new Set(transfers.map(({ operatorReference }) => operatorReference));
  const unexpected = [...executed.keys()].filter((reference) => !references.has(reference));
  assert.deepEqual(unexpected, [], 'payments without a transfer');
  for (const name of OPERATORS) {
    const { violations } = (await world.control(name, 'GET violations')) as {
      violations: readonly unknown[];
    };
    assert.deepEqual(violations, [], `references that came to ${name} as something else`);
  }
  assert.equal((await verifyLedger(world.database, { onProgress: () => undefined })).ok, true);
  t.diagnostic(JSON.stringify(countStates(transfers)));
  const doubts = await readDoubts();
  for (const { emulator } of WAYS) {
    const kinds = doubts.filter((doubt) => doubt.emulator === emulator);
    const count = kinds.reduce((sum, doubt) => sum + doubt.count, 0);
    t.diagnostic(`${emulator}: ${count} with a person ${JSON.stringify(kinds)}`);
  }
  const resolvable = doubts.filter(({ emulator }) => emulator !== 'zamtel');
  assert.deepEqual(resolvable, [], 'ended with a person at an operator that supports inquiries');
});

async function payAll(): Promise<void> {
  let next = 0;
  const runClient = async (): Promise<void> => {
    for (let n = next++; n < TRANSFERS; n = next++) await payUntilAnswered(n);
  };
  await Promise.all(Array.from({ length: CLIENTS }, runClient));
}

/** As a merchant should: repeats the same request until there is an answer. */
async function payUntilAnswered(n: number): Promise<void> {
  const way = WAYS[n % WAYS.length] ?? WAYS[0];
  const { operator, country, prefix } = way;
  const digits = String(n).padStart(6, '0');
  const { wallets } = world.merchant;
  const order = {
    amount: Number(`1.${String(n % 100).padStart(2, '0')}`),
    reference: `chaos-${n}`,
    phone: prefix + digits,
    operator,
    country,
    walletId: country === 'zm' ? wallets.live.ZMW : wallets.live.NGN,
  };
  while (!ended) {
    const status = await world
      .api()
      .post('transfers/mobile-money', order)
      .then((answer) => answer.status)
      .catch(() => 0);
    if (status === 201 || status === 409) return;
    assert.ok(status === 0 || status === 503, `an order was refused with ${status}`);
    await pause(RETRY_MS);
  }
}

type Row = Readonly<{ operatorReference: string; state: string; visible: boolean }>;

async function readTransfers(): Promise<readonly Row[]> {
  const rows = await world.database.query<{ ref: string; state: string; visible: boolean }>({
    name: '',
    text: `select replace(operator_reference::text, '-', '') as ref, state,
                  next_action_at is not null or flagged_at is not null as visible
           from transfers`,
  });
  return rows.map(({ ref, state, visible }) => ({ operatorReference: ref, state, visible }));
}

/** Why transfers ended with a person, by operator: the last exchange about each. */
async function readDoubts() {
  const rows = await world.database.query<{ route: string; last: string; count: number }>({
    name: '',
    text: `select t.route, coalesce(a.purpose || ' ' || a.outcome, 'nothing') as last,
                  count(*)::integer as count
           from transfers t
           left join lateral (
             select purpose, outcome from attempts a
             where a.book_id = t.book_id and a.transfer_id = t.id
             order by a.ended_at desc limit 1
           ) a on true
           where t.state = 'in_doubt'
           group by 1, 2 order by 1, 2`,
  });
  return rows.map(({ route, last, count }) => {
    const emulator = OPERATORS.find((name) => route.startsWith(name)) ?? route;
    return { emulator, last, count };
  });
}

/** Transfers that are neither finished nor in a doubt that is flagged for a person. */
async function countMoving(): Promise<number> {
  const [row] = await world.database.query<{ moving: number }>({
    name: '',
    text: `select count(*)::integer as moving from transfers
           where state in ('queued', 'submitting', 'submitted')
              or (state = 'in_doubt' and flagged_at is null)`,
  });
  return row?.moving ?? 0;
}

/** How often each of our references was paid. */
async function readExecutions(): Promise<ReadonlyMap<string, number>> {
  const executed = new Map<string, number>();
  for (const name of OPERATORS) {
    for (const { ourReference } of await world.book(name)) {
      const reference = ourReference.replaceAll('-', '').toLowerCase();
      executed.set(reference, (executed.get(reference) ?? 0) + 1);
    }
  }
  return executed;
}

function findDisagreements(transfers: readonly Row[], executed: ReadonlyMap<string, number>) {
  return transfers.flatMap(({ operatorReference, state, visible }) => {
    const times = executed.get(operatorReference) ?? 0;
    const agrees =
      (state === 'succeeded' && times === 1) ||
      (state === 'failed' && times === 0) ||
      (state === 'in_doubt' && times <= 1 && visible);
    return agrees ? [] : [`${operatorReference} is ${state} and was paid ${times} times`];
  });
}

function countStates(transfers: readonly Row[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { state } of transfers) counts[state] = (counts[state] ?? 0) + 1;
  return counts;
}
