import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { decideRetry, type FailedAttempt, type RetrySituation } from './decide-retry.ts';

const NO_ANSWER: FailedAttempt = {
  status: null,
  shouldRetry: null,
  retryAfterSeconds: null,
  neverSent: false,
  wasAborted: false,
};
const SITUATION: RetrySituation = { attempts: 1, retriesMax: 3, isRepeatable: true, jitter: 0 };

function retries(failed: Partial<FailedAttempt>, situation: Partial<RetrySituation> = {}): boolean {
  return decideRetry({ ...NO_ANSWER, ...failed }, { ...SITUATION, ...situation }).retry;
}

function delayMs(failed: Partial<FailedAttempt>, situation: Partial<RetrySituation> = {}): number {
  const decision = decideRetry({ ...NO_ANSWER, ...failed }, { ...SITUATION, ...situation });
  return decision.retry ? decision.afterMs : Number.NaN;
}

describe('decideRetry', () => {
  it('tries again after no answer and after passing statuses, and after nothing else', () => {
    assert.ok(retries({}));
    for (const status of [408, 429, 500, 502, 503, 504])
      assert.ok(retries({ status }), `${status}`);
    for (const status of [0, 200, 302, 400, 401, 404, 409, 413, 422, 501]) {
      assert.ok(!retries({ status }), `${status}`);
    }
  });

  it("follows the service's advice against its own guess", () => {
    assert.ok(!retries({ status: 503, shouldRetry: false }));
    assert.ok(retries({ status: 409, shouldRetry: true }));
  });

  it('repeats what must not happen twice only when it provably did not happen', () => {
    const once = { isRepeatable: false };
    assert.ok(!retries({}, once));
    assert.ok(!retries({ status: 500, shouldRetry: true }, once));
    assert.ok(!retries({ status: 503, shouldRetry: true }, once));
    assert.ok(retries({ neverSent: true }, once));
    assert.ok(retries({ status: 429, shouldRetry: true }, once));
    assert.ok(retries({ status: 408 }, once));
  });

  it('waits as long as Retry-After says, and gives up when that is longer than a minute', () => {
    assert.equal(delayMs({ status: 429, retryAfterSeconds: 7 }), 7_000);
    assert.equal(delayMs({ status: 429, retryAfterSeconds: 60 }), 60_000);
    assert.ok(!retries({ status: 429, shouldRetry: true, retryAfterSeconds: 61 }));
  });

  it('waits twice as long each time, up to a bound', () => {
    const waits = [1, 2, 3, 4, 5, 6, 7].map((attempts) => delayMs({}, { attempts, retriesMax: 9 }));
    assert.deepEqual(waits, [250, 500, 1_000, 2_000, 4_000, 4_000, 4_000]);
    assert.equal(delayMs({}, { jitter: 1 }), 500);
  });

  it('never exceeds the retries, never ignores an abort, never comes too early or too late', () => {
    const failed = fc.record<FailedAttempt>({
      status: fc.option(fc.integer({ min: 100, max: 599 })),
      shouldRetry: fc.option(fc.boolean()),
      retryAfterSeconds: fc.option(fc.nat(200)),
      neverSent: fc.boolean(),
      wasAborted: fc.boolean(),
    });
    const situation = fc.record<RetrySituation>({
      attempts: fc.integer({ min: 1, max: 12 }),
      retriesMax: fc.nat(10),
      isRepeatable: fc.boolean(),
      jitter: fc.double({ min: 0, max: 1, noNaN: true }),
    });
    fc.assert(
      fc.property(failed, situation, (failed, situation) => {
        const decision = decideRetry(failed, situation);
        if (!decision.retry) return;
        assert.ok(situation.attempts <= situation.retriesMax);
        assert.ok(!failed.wasAborted && failed.shouldRetry !== false);
        assert.ok(decision.afterMs >= (failed.retryAfterSeconds ?? 0) * 1_000);
        assert.ok(decision.afterMs >= 250 && decision.afterMs <= 64_000);
      }),
    );
  });
});
