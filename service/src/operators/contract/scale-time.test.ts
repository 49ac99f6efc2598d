import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Outcome } from '../../domain/outcome.ts';
import type { Connector, Payout } from './connector.ts';
import { scaleTime } from './scale-time.ts';

const NOW = new Date('2026-07-01T10:00:00Z');
const PAYOUT: Payout = {
  operatorReference: 'reference',
  phone: '+260966123456',
  operator: 'mtn',
  country: 'zm',
  currency: 'ZMW',
  amountMinor: 1n,
  narration: null,
  createdAt: new Date(NOW.getTime() - 600),
};

/** Inquires again after half the age of a payout, as connectors do. */
function halving(outcome?: Outcome): Connector {
  const reply = async ({ createdAt }: Payout) => {
    const inquireInMs = (NOW.getTime() - createdAt.getTime()) / 2;
    return { outcome: outcome ?? ({ kind: 'pending', inquireInMs } as const), wire: null };
  };
  return {
    abilities: {
      deduplicates: true,
      referenceMemoryMs: 0,
      inquires: true,
      notFoundIsFinal: true,
      unconfirmedSuccessWaitMs: null,
      resolvesNames: false,
      reportsBalance: false,
      signedCallbacksAreFinal: false,
    },
    submit: reply,
    inquire: reply,
    resolveName: async () => ({ kind: 'noAccount' }),
  };
}

const scaled = (timeScale: number, outcome?: Outcome) =>
  scaleTime(halving(outcome), { timeScale, now: () => NOW });

it('shows the connector a scaled age, and shortens its waits', async () => {
  const seen: number[] = [];
  const connector: Connector = {
    ...halving(),
    async inquire({ createdAt }) {
      seen.push(NOW.getTime() - createdAt.getTime());
      return { outcome: { kind: 'pending', inquireInMs: 5_000 }, wire: null };
    },
  };
  const fast = scaleTime(connector, { timeScale: 0.01, now: () => NOW });
  const { outcome } = await fast.inquire(PAYOUT, { checks: 0 });
  assert.deepEqual(seen, [60_000], 'a hundred times as old');
  assert.deepEqual(outcome, { kind: 'pending', inquireInMs: 50 });
});

it('does not change a wait that is a share of the age', async () => {
  for (const timeScale of [1, 0.5, 0.01]) {
    const connector = scaled(timeScale);
    for (const { outcome } of [
      await connector.submit(PAYOUT),
      await connector.inquire(PAYOUT, { checks: 0 }),
    ]) {
      assert.equal(outcome.kind === 'pending' ? Math.round(outcome.inquireInMs) : 0, 300);
    }
  }
});

it("does not shorten the operator's own Retry-After", async () => {
  const unanswered: Outcome = { kind: 'unanswered', cause: 'HTTP 429', retryInMs: 2_000 };
  const asked = await scaled(0.01, unanswered).inquire(PAYOUT, { checks: 0 });
  assert.deepEqual(asked.outcome, unanswered);
  const throttled: Outcome = { kind: 'throttled', cause: 'HTTP 429', retryInMs: 2_000 };
  assert.deepEqual((await scaled(0.01, throttled).submit(PAYOUT)).outcome, throttled);
});
