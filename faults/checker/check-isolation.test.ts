import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkIsolation, type Isolation } from './check-isolation.ts';
import type { Exchange } from './read-journals.ts';
import type { TransferRow } from './snapshot.ts';
import type { Found } from './violation.ts';

const NORMAL_FROM_MS = Date.UTC(2026, 0, 1);
const AWAY_FROM_MS = NORMAL_FROM_MS + 10_000;
const ORDERS = 20;
const at = (ms: number) => new Date(ms).toISOString();
const windowAt = (kind: 'nothing broken' | 'server away', fromMs: number) =>
  ({ kind, from: at(fromMs), to: at(fromMs + 3_000), walletId: null }) as const;

type Waits = Readonly<{
  answerMs?: number;
  submissionMs?: number;
  endMs?: number;
  status?: number;
}>;

/** The violations of a run in which one order in the window, or all, waited as given. */
function check(waits: Waits, { all = false, idleMs = 5 } = {}): readonly string[] {
  const steady: Exchange[] = [];
  const transfers: Partial<TransferRow>[] = [];
  for (const fromMs of [NORMAL_FROM_MS, AWAY_FROM_MS]) {
    for (let order = 0; order < ORDERS; order += 1) {
      const isSlow = fromMs === AWAY_FROM_MS && (all || order === 3);
      const { answerMs = 20, submissionMs = 15, endMs = 100, status = 201 } = isSlow ? waits : {};
      const sentMs = fromMs + order * 100;
      const reference = `${fromMs}.${order}`;
      const request = { at: at(sentMs), reference } as Exchange['request'];
      const answered = { at: at(sentMs + answerMs), status } as Exchange['answered'];
      steady.push({ place: `near #${steady.length}`, request, answered });
      transfers.push({
        reference,
        firstSubmittedAt: at(sentMs + submissionMs),
        // The clock of the services is an hour ahead.
        createdAt: at(sentMs + 3_600_000),
        completedAt: at(sentMs + 3_600_000 + endMs),
      });
    }
  }
  const found: Found = [];
  const facts = { steady: [{ name: 'near', isFar: false }] } as unknown as Isolation['facts'];
  checkIsolation(
    { at: at(AWAY_FROM_MS + 60_000), transfers: transfers as TransferRow[] },
    {
      facts,
      steady,
      windows: [windowAt('nothing broken', NORMAL_FROM_MS), windowAt('server away', AWAY_FROM_MS)],
      idleCalls: [{ at: at(AWAY_FROM_MS + 500), ms: idleMs }],
    },
    found,
  );
  return found.map(({ invariant, says }) => `${invariant} ${says}`);
}

describe('while the server of other cells is away', () => {
  it('a run in which no order waits longer is right', () => {
    assert.deepEqual(check({}), []);
    assert.deepEqual(check({ answerMs: 300, endMs: 400 }), [], 'one order within the tolerance');
  });

  for (const [stage, waits] of [
    ['answer', { answerMs: 700 }],
    ['submission', { submissionMs: 700 }],
    ['end', { endMs: 800 }],
  ] as const) {
    it(`one order that waits longer for its ${stage} is reported`, () => {
      const [only, ...others] = check(waits);
      assert.match(only ?? '', new RegExp(`^I36 .*the longest ${stage}$`));
      assert.deepEqual(others, []);
    });

    it(`orders that all wait a little longer for their ${stage} are reported`, () => {
      const little = { answerMs: 250, submissionMs: 250, endMs: 500 }[`${stage}Ms`];
      const found = check({ [`${stage}Ms`]: little }, { all: true });
      assert.match(found.join(), new RegExp(`the usual ${stage}`));
    });
  }

  it('an order that is refused is reported', () => {
    assert.match(check({ status: 503 }).join(), /^I36 an order was not accepted/);
  });

  it('waits that the machine explains are not reported', () => {
    assert.deepEqual(check({ answerMs: 900 }, { idleMs: 150 }), []);
  });
});
