import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Payout } from '../contract/connector.ts';
import { createSandboxConnector } from './sandbox-connector.ts';

const DELAY_MS = 1_000;
const SLOW_MS = 10 * DELAY_MS;
const HOUR_MS = 3_600_000;
const CREATED_AT = new Date('2026-01-02T03:04:05Z');
const SLOW: Payout = {
  operatorReference: '019b7e1c-0000-4000-8000-000000000001',
  phone: '+260977433931',
  operator: 'airtel',
  country: 'zm',
  currency: 'ZMW',
  amountMinor: 100n,
  narration: null,
  createdAt: CREATED_AT,
};

async function askWhenAged(ageMs: number) {
  const connector = createSandboxConnector({
    delayMs: DELAY_MS,
    now: () => new Date(CREATED_AT.getTime() + ageMs),
    wait: () => Promise.resolve(),
  });
  const { outcome } = await connector.inquire(SLOW, { checks: 0 });
  return outcome;
}

it('reports a slow number as pending for its whole duration', async () => {
  assert.deepEqual(await askWhenAged(0), { kind: 'pending', inquireInMs: SLOW_MS });
  assert.deepEqual(await askWhenAged(SLOW_MS - 1), { kind: 'pending', inquireInMs: 1 });
  assert.equal((await askWhenAged(SLOW_MS)).kind, 'paid');
});

it('does not lengthen waits if the clock was set back', async () => {
  assert.deepEqual(await askWhenAged(-HOUR_MS), { kind: 'pending', inquireInMs: SLOW_MS });
});
