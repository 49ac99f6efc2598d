import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { BookEntry } from '../../../emulators/kernel/behaviour.ts';
import type { CallCount } from '../../../emulators/kernel/call-limiter.ts';
import type { SubmissionRecord } from '../../../emulators/kernel/submission-log.ts';
import type { OperatorName } from '../../../emulators/start-operators.ts';
import { parseDecimal } from '../../src/domain/money.ts';
import { type Country, currencyOf, type Operator } from '../../src/domain/operator.ts';
import { listFloats } from '../../src/floats/list-floats.ts';
import { readExchanges } from '../../src/transfers/read/read-exchanges.ts';
import { readTransfer, type Transfer } from '../contract/api-client.ts';
import { pollUntil } from '../poll.ts';
import {
  CONFORMANCE_CASES,
  type ConformanceCase,
  type End,
  SMALLEST,
} from './conformance-cases.ts';
import { asNewMerchant, type LiveWorld } from './live-world.ts';

/** What never arrives is asked about for fifteen minutes after each of four submissions. */
const SETTLE_TIMEOUT_MS = 120_000;
/** By the operator's clock, which runs faster here. */
const LONG_PENDING_MS = 200_000;
const OPEN_STATES = ['queued', 'submitting', 'submitted', 'in_doubt'];

export type Connection = Readonly<{
  emulator: OperatorName;
  operator: Operator;
  country: Country;
  /** The first digits of a national number; five follow. */
  prefix: string;
  /** Whether the operator supports inquiries. */
  inquires: boolean;
  /** Whether it reports a payout as pending: if not, that is a doubt. */
  tellsPending: boolean;
  resolvesNames: boolean;
  /** Whether the operator reports the balance of our account. */
  reportsBalance: boolean;
  /** Whether "no such reference" proves after a while that no money moved. */
  notFoundIsFinal: boolean;
  /** Whether its answers report what was paid to whom, so that they can be compared. */
  reportsAmounts: boolean;
  smallestAmount: string;
  /** Whether its tokens expire. */
  renewsTokens: boolean;
  /** Whether its routes declare that signed callbacks are final. */
  signedCallbacksAreFinal: boolean;
}>;

/** What every connector promises, against an operator that shares no code with it. */
export function connectorConformance(shared: () => LiveWorld, connection: Connection): void {
  // One after the other: the last one takes the operator away.
  describe(`the ${connection.emulator} connector`, { concurrency: 1 }, () => {
    let world: LiveWorld;
    const transfers = new Map<ConformanceCase, Transfer>();
    before(async () => {
      // One service pays through all connectors; the books are compared for each, so each has a merchant.
      world = await asNewMerchant(shared());
      await world.setRules(connection.emulator, rules());
      for (const one of CONFORMANCE_CASES) transfers.set(one, await pay(world, connection, one));
    });

    for (const one of CONFORMANCE_CASES) {
      it(one.promise, async () => {
        const end = endOf(connection, one);
        const sent = transfers.get(one);
        assert.ok(sent !== undefined, 'it was not accepted');
        let last = sent;
        let arrived: readonly SubmissionRecord[] = [];
        await pollUntil(
          end.states.join(' or '),
          async () => {
            last = await read(world, sent.id);
            arrived = await submissions(world, connection, one);
            const paid = await executions(world, connection, one);
            const isDone = arrived.length >= boundsOf(end).min && paid.length >= end.executed;
            return end.states.some((state) => state === last.state) && isSettled(last) && isDone;
          },
          SETTLE_TIMEOUT_MS,
        ).catch(async (error: unknown) => {
          const exchanges = (await exchangesOf(world, sent.id)).join('\n');
          const came = `it is ${last.state}, and came ${arrived.length} times`;
          assert.fail(`${String(error)}; ${came}\n${exchanges}`);
        });
        checkSubmissions(await submissions(world, connection, one), one, end);
        if (end.failure !== undefined) assert.equal(last.failure?.code, end.failure);
        const executed = await executions(world, connection, one);
        assert.equal(executed.length, end.executed, 'payments in the operator’s book');
        for (const entry of executed) {
          assert.equal(BigInt(entry.amountMinor), minorOf(connection, one));
          assert.equal(entry.currency, currencyOf(connection.country));
        }
      });
    }

    it('sends under a reference only what it sent before', async () => {
      const { violations } = (await world.control(connection.emulator, 'GET violations')) as {
        violations: readonly unknown[];
      };
      assert.deepEqual(violations, []);
    });

    it("leaves the wallet equal to the operator's book", async () => {
      const wallet = walletOf(world, connection);
      const { data } = await world.api().get(`wallets/${wallet}`);
      const all = await Promise.all([...transfers.values()].map(({ id }) => read(world, id)));
      const sum = (wanted: (transfer: Transfer) => boolean) =>
        all
          .filter(wanted)
          .reduce((total, { amount }) => total + BigInt(Math.round(amount * 100)), 0n);
      const { available, held } = data as { available: string; held: string };
      const heldMinor = sum(({ state }) => OPEN_STATES.includes(state));
      assert.equal(parseDecimal(held) ?? 0n, heldMinor);
      const paidMinor = sum(({ state }) => state === 'succeeded');
      assert.equal(parseDecimal(available), 100_000_000n - heldMinor - paidMinor);
    });

    if (connection.resolvesNames) {
      it('resolves a name, and reports a missing account', async () => {
        const { operator, country, prefix } = connection;
        const ask = (digits: string) =>
          world.api().post('resolve/mobile-money', { phone: prefix + digits, operator, country });
        const known = await ask('12345');
        assert.equal(known.status, 200);
        assert.match((known.data as { accountName: string }).accountName, /\w+ \w+/);
        assert.equal((await ask('12901')).status, 422);
      });
    }

    if (connection.reportsBalance) {
      it('reads the balance of our account exactly', async () => {
        await pollUntil(
          'the balance',
          async () => {
            const leftMinor = (await balances(world, connection)).leftMinor;
            const { operatorMinor, error } = await floatOf(world, connection);
            return operatorMinor === leftMinor && error === null;
          },
          SETTLE_TIMEOUT_MS,
        );
      });

      it('takes nothing else for a balance, and keeps the last one', async () => {
        const { emulator } = connection;
        let before: string | null = null;
        for (const fault of ['otherCurrency', 'error', 'html', 'hang'] as const) {
          await world.control(emulator, 'PUT balance', { fault });
          await pollUntil(
            `another error by ${fault}`,
            async () => {
              const { error } = await floatOf(world, connection);
              return error !== null && error !== before;
            },
            SETTLE_TIMEOUT_MS,
          );
          const { operatorMinor, error } = await floatOf(world, connection);
          assert.ok((await balances(world, connection)).everMinor.includes(operatorMinor ?? -1n));
          before = error;
        }
        await world.control(emulator, 'PUT balance', { fault: 'none' });
        await pollUntil(
          'a balance',
          async () => (await floatOf(world, connection)).error === null,
          SETTLE_TIMEOUT_MS,
        );
      });
    } else {
      it('says that the operator reports no balance', async () => {
        await pollUntil(
          'the float',
          async () => (await floatOf(world, connection)).level === 'unknown',
          SETTLE_TIMEOUT_MS,
        );
        const { reportsBalance, operatorMinor } = await floatOf(world, connection);
        assert.deepEqual([reportsBalance, operatorMinor], [false, null]);
      });
    }

    if (connection.tellsPending) {
      it('keeps a payout submitted, not in doubt, while inquiries are refused', async () => {
        const { emulator } = connection;
        // Without a callback, which on a slow machine would come before two inquiries were refused, and pending for so
        // long that a slow answer to the submission does not report success.
        const behaviour = { callback: 'none', pendingMs: LONG_PENDING_MS } as const;
        await world.setRules(emulator, [{ match: {}, preset: 'pending-then-ok', behaviour }]);
        await world.control(emulator, 'PUT throttle', { on: 'inquiry', status: 429 });
        const sent = await pay(world, connection, ASKED_IN_VAIN);
        const throttledBefore = (await calls(world, connection)).inquiry.throttled;
        await pollUntil(
          'two inquiries are refused',
          async () => (await calls(world, connection)).inquiry.throttled >= throttledBefore + 2,
          SETTLE_TIMEOUT_MS,
        );
        const states = await statesOf(world, sent.id);
        assert.deepEqual(
          states,
          ['submitting', 'submitted'],
          JSON.stringify(await calls(world, connection)),
        );
        await world.control(emulator, 'PUT throttle', null);
        await pollUntil(
          'the payout',
          async () => (await read(world, sent.id)).state === 'succeeded',
          SETTLE_TIMEOUT_MS,
        );
        assert.deepEqual(await statesOf(world, sent.id), ['submitting', 'submitted', 'succeeded']);
        assert.equal((await executions(world, connection, ASKED_IN_VAIN)).length, 1);
        await world.setRules(emulator, rules());
      });
    }

    it('keeps payouts queued while the operator is down, and pays them once it is back', async () => {
      await world.stopOperator(connection.emulator);
      const sent = await pay(world, connection, WAITING);
      await pollUntil('the queue', async () => (await read(world, sent.id)).state === 'queued');
      await world.startOperator(connection.emulator);
      await pollUntil(
        'the payout',
        async () => (await read(world, sent.id)).state === 'succeeded',
        SETTLE_TIMEOUT_MS,
      );
      assert.equal((await executions(world, connection, WAITING)).length, 1);
    });
  });

  const rules = () =>
    CONFORMANCE_CASES.map((one) => ({
      match: { msisdnEndsIn: digitsOf(one) },
      preset: one.preset ?? 'ok',
      ...(one.behaviour === undefined ? {} : { behaviour: one.behaviour }),
      ...(one.times === undefined ? {} : { times: one.times }),
    }));
}

/** What every emulated account has at first. */
const OPENING_MINOR = 100_000_000_000n;

/** What the operator's book says that is left, now and after each of its payments. */
async function balances(world: LiveWorld, { emulator, country }: Connection) {
  const everMinor = [OPENING_MINOR];
  for (const { amountMinor, currency } of await world.book(emulator)) {
    if (currency !== currencyOf(country)) continue;
    everMinor.push((everMinor.at(-1) ?? 0n) - BigInt(amountMinor));
  }
  return { everMinor, leftMinor: everMinor.at(-1) ?? OPENING_MINOR };
}

async function floatOf(world: LiveWorld, { emulator, operator, country }: Connection) {
  const floats = await listFloats(world.database);
  const names = [`${emulator}-${country}`, `${emulator}-${operator}-${country}`];
  const found = floats.find(({ route }) => names.includes(route));
  return found ?? { operatorMinor: null, error: null, reportsBalance: null, level: null };
}

const WAITING: ConformanceCase = {
  promise: 'waits',
  asked: { states: ['succeeded'], executed: 1 },
  blind: { states: ['succeeded'], executed: 1 },
};

const ASKED_IN_VAIN: ConformanceCase = { ...WAITING, promise: 'gets no answer to its inquiries' };

/** The last five digits of a case's own number, by which the emulator chooses its behaviour. */
function digitsOf(one: ConformanceCase): string {
  const index = [...CONFORMANCE_CASES, WAITING, ASKED_IN_VAIN].indexOf(one);
  return `7${String(index + 100)}1`;
}

function endOf(connection: Connection, one: ConformanceCase): End {
  if (!connection.inquires) return one.blind;
  if (connection.signedCallbacksAreFinal && one.signed !== undefined) return one.signed;
  if (!connection.notFoundIsFinal && one.unproven !== undefined) return one.unproven;
  if (!connection.reportsAmounts && one.unreported !== undefined) return one.unreported;
  if (!connection.renewsTokens && one.fixedToken !== undefined) return one.fixedToken;
  return one.asked;
}

function phoneOf({ prefix }: Connection, one: ConformanceCase): string {
  return prefix + digitsOf(one);
}

function amountOf({ smallestAmount }: Connection, { amount = '12.34' }: ConformanceCase): string {
  return amount === SMALLEST ? smallestAmount : amount;
}

function minorOf(connection: Connection, one: ConformanceCase): bigint {
  return parseDecimal(amountOf(connection, one)) ?? 0n;
}

function walletOf({ merchant }: LiveWorld, { country }: Connection): string {
  return merchant.wallets.live[currencyOf(country)];
}

async function pay(
  world: LiveWorld,
  connection: Connection,
  one: ConformanceCase,
): Promise<Transfer> {
  const { operator, country } = connection;
  const answer = await world.api().post('transfers/mobile-money', {
    amount: Number(amountOf(connection, one)),
    reference: `case-${digitsOf(one)}`,
    phone: phoneOf(connection, one),
    operator,
    country,
    walletId: walletOf(world, connection),
    ...(one.narration === undefined ? {} : { narration: one.narration }),
  });
  assert.equal(answer.status, 201, JSON.stringify(answer));
  return readTransfer(answer.data);
}

/** What was said about a payout, a line for each exchange. */
async function exchangesOf({ database, merchant }: LiveWorld, id: string) {
  const about = { bookId: merchant.books.live, transferId: id, max: 100 };
  const exchanges = await readExchanges(database, about);
  return exchanges.map(({ at, purpose, httpStatus, outcome, answer, elapsedMs }) => {
    const status = httpStatus ?? 'no status';
    return `${at.toISOString()} ${purpose} ${outcome} ${status} after ${elapsedMs} ms: ${answer}`;
  });
}

const read = async (world: LiveWorld, id: string) =>
  readTransfer((await world.api().get(`transfers/${id}`)).data);

/** A doubt with at least one inquiry, or one that needs a person: not one that has just begun. */
function isSettled({ state, nextCheckAt, lastCheckedAt }: Transfer): boolean {
  return state !== 'in_doubt' || nextCheckAt === null || lastCheckedAt !== null;
}

function boundsOf({ submissions: wanted }: End): Readonly<{ min: number; max: number }> {
  if (wanted === undefined) return { min: 0, max: Number.POSITIVE_INFINITY };
  const [min, max] = typeof wanted === 'number' ? [wanted, wanted] : wanted;
  return { min, max };
}

/** All submissions have one reference, and none arrives before the operator allows it. */
function checkSubmissions(
  arrived: readonly SubmissionRecord[],
  { againAfterMs = 0 }: ConformanceCase,
  end: End,
): void {
  const { min, max } = boundsOf(end);
  assert.ok(arrived.length >= min && arrived.length <= max, `it came ${arrived.length} times`);
  assert.ok(new Set(arrived.map(({ ourReference }) => ourReference)).size <= 1, 'one reference');
  const [first, again] = arrived;
  if (first === undefined || again === undefined) return;
  const waitedMs = Date.parse(again.at) - Date.parse(first.at);
  assert.ok(waitedMs >= againAfterMs, `it came again after ${waitedMs} ms`);
}

async function submissions(
  world: LiveWorld,
  { emulator }: Connection,
  one: ConformanceCase,
): Promise<readonly SubmissionRecord[]> {
  const all = (await world.control(emulator, 'GET submissions')) as {
    submissions: readonly SubmissionRecord[];
  };
  return all.submissions.filter(({ msisdn }) => msisdn.endsWith(digitsOf(one)));
}

async function calls(world: LiveWorld, { emulator }: Connection) {
  return (await world.control(emulator, 'GET calls')) as Readonly<{ inquiry: CallCount }>;
}

/** All its states in order, as merchants see them. */
async function statesOf(world: LiveWorld, id: string): Promise<readonly string[]> {
  const rows = await world.database.query<{ to_state: string }>(
    { name: '', text: 'select to_state from events where subject_id = $1 order by seq' },
    [id],
  );
  return rows.map((row) => row.to_state);
}

async function executions(
  world: LiveWorld,
  connection: Connection,
  one: ConformanceCase,
): Promise<readonly BookEntry[]> {
  const digits = digitsOf(one);
  const book = await world.book(connection.emulator);
  return book.filter(({ msisdn }) => msisdn.endsWith(digits));
}
