import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fakeKafue, transferOf } from '../../test/fake-kafue.ts';
import type { LineOutcome } from './line-outcome.ts';
import { watchTransfers } from './watch-transfers.ts';

const WATCH_MS = 60_000;

function pending(name: string): LineOutcome {
  const createdAt = '2026-11-15T08:00:00.000Z';
  const transfer = { id: name, reference: name, feeMinor: 0n, failure: null, createdAt };
  return { kind: 'accepted', transfer: { ...transfer, status: 'pending', state: 'submitting' } };
}

function list(references: readonly string[], show: (name: string) => object) {
  const items = references.map((name) => show(name));
  return { status: 200, data: { items, nextCursor: null } };
}

/** Time passes only while the watcher pauses. */
async function watch(
  { kafue }: ReturnType<typeof fakeKafue>,
  sent: readonly LineOutcome[],
  stop = new AbortController(),
) {
  let nowMs = 0;
  const pauses: number[] = [];
  const deps = {
    kafue,
    now: () => nowMs,
    pause: async (ms: number) => {
      nowMs += ms;
      pauses.push(ms);
    },
    stop: stop.signal,
    onRound: () => undefined,
  };
  const { outcomes, endedBy } = await watchTransfers(deps, sent, { watchMs: WATCH_MS });
  const statuses = outcomes.map((one) => ('transfer' in one ? one.transfer.status : one.kind));
  return { statuses, endedBy, pauses };
}

describe('watchTransfers', () => {
  it('asks for what is pending until it is final, and for nothing else', async () => {
    const asked: string[] = [];
    const service = fakeKafue(({ references }) => {
      asked.push(...references);
      return list(references, (name) => {
        const isFinal = name === 'a' || asked.filter((one) => one === name).length === 3;
        return transferOf(name, { status: isFinal ? 'successful' : 'pending' });
      });
    });
    const refused: LineOutcome = { kind: 'refused', code: 'X', message: '' };
    const { statuses } = await watch(service, [pending('a'), refused, pending('b')]);
    assert.deepEqual(statuses, ['successful', 'refused', 'successful']);
    assert.deepEqual(asked.sort(), ['a', 'b', 'b', 'b']);
  });

  it('gives up when the time is up, asking less and less often', async () => {
    const service = fakeKafue(({ references }) => list(references, transferOf));
    const { statuses, pauses } = await watch(service, [pending('a')]);
    assert.deepEqual(statuses, ['pending']);
    assert.ok(pauses.length < 20 && pauses.at(-1) === 10_000, pauses.join(' '));
  });

  it('keeps what it knows when the service goes away', async () => {
    const service = fakeKafue(() => {
      throw new Error('reset');
    });
    const { statuses, endedBy } = await watch(service, [pending('a')]);
    assert.deepEqual([statuses, endedBy?.code], [['pending'], 'CONNECTION_FAILED']);
  });

  it('ends at once when it is asked to', async () => {
    const stop = new AbortController();
    stop.abort();
    const service = fakeKafue(({ references }) => list(references, transferOf));
    assert.deepEqual((await watch(service, [pending('a')], stop)).statuses, ['pending']);
    assert.equal(service.calls(), 0);
  });
});
