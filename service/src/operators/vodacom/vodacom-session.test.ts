import assert from 'node:assert/strict';
import { beforeEach, it } from 'node:test';
import type { FetchedSession } from './fetch-session.ts';
import { createVodacomSession, type VodacomSession } from './vodacom-session.ts';

let nowMs = 0;
let fetches = 0;
let answer: () => Promise<FetchedSession>;

beforeEach(() => {
  nowMs = 0;
  fetches = 0;
  answer = async () => ({ kind: 'fetched', sessionId: `session-${fetches}` });
});

function createSession(overlap = true): VodacomSession {
  return createVodacomSession({
    fetch: () => {
      fetches += 1;
      return answer();
    },
    lifetimeMs: 3_600_000,
    activationMs: 30_000,
    overlap,
    monotonicMs: () => nowMs,
  });
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

it('warms up for its activation time and then serves', async () => {
  const session = createSession();
  assert.deepEqual(await session.take(), { kind: 'warming', liveInMs: 30_000 });
  nowMs = 29_999;
  assert.deepEqual(await session.take(), { kind: 'warming', liveInMs: 1 });
  nowMs = 30_000;
  assert.deepEqual(await session.take(), { kind: 'live', sessionId: 'session-1' });
  assert.equal(fetches, 1);
});

it('fetches the next one while the present one still serves, and changes over when it is live', async () => {
  const session = createSession();
  await session.take();
  // An hour less the margins of expiry, activation and renewal.
  nowMs = 3_600_000 - 5_000 - 30_000 - 60_000 - 1;
  await session.take();
  await settled();
  assert.equal(fetches, 1);
  nowMs += 1;
  assert.deepEqual(await session.take(), { kind: 'live', sessionId: 'session-1' });
  await settled();
  assert.equal(fetches, 2);
  nowMs += 29_999;
  assert.deepEqual(await session.take(), { kind: 'live', sessionId: 'session-1' });
  nowMs += 1;
  assert.deepEqual(await session.take(), { kind: 'live', sessionId: 'session-2' });
  assert.equal(fetches, 2);
});

it('waits for the end of the present one where two cannot overlap', async () => {
  const session = createSession(false);
  await session.take();
  nowMs = 3_594_999;
  assert.deepEqual(await session.take(), { kind: 'live', sessionId: 'session-1' });
  nowMs = 3_595_000;
  assert.deepEqual(await session.take(), { kind: 'warming', liveInMs: 30_000 });
  assert.equal(fetches, 2);
});

it('goes on with the present one while a renewal fails, and tries again only after a pause', async () => {
  const session = createSession();
  await session.take();
  nowMs = 3_510_000;
  answer = async () => ({ kind: 'failed', cause: 'down' });
  for (let count = 0; count < 10; count += 1) {
    assert.deepEqual(await session.take(), { kind: 'live', sessionId: 'session-1' });
    await settled();
  }
  assert.equal(fetches, 2);
  nowMs += 5_000;
  await session.take();
  assert.equal(fetches, 3);
  await settled();
  nowMs = 3_600_000;
  assert.deepEqual(await session.take(), { kind: 'failed', cause: 'down' });
});

it('takes a session that never worked for one that is not live yet', async () => {
  const session = createSession();
  await session.take();
  nowMs = 30_000;
  session.refused('session-1');
  assert.deepEqual(await session.take(), { kind: 'warming', liveInMs: 2_000 });
  assert.equal(fetches, 1);
  nowMs = 32_000;
  assert.deepEqual(await session.take(), { kind: 'live', sessionId: 'session-1' });
  // A minute past its activation nobody believes in it any more.
  nowMs = 90_000;
  session.refused('session-1');
  assert.deepEqual(await session.take(), { kind: 'warming', liveInMs: 30_000 });
  assert.equal(fetches, 2);
});

it('gives up a session that worked as soon as it is refused, but not for a late refusal of another', async () => {
  const session = createSession();
  await session.take();
  nowMs = 30_000;
  session.accepted('session-1');
  session.refused('session-0');
  assert.equal((await session.take()).kind, 'live');
  session.refused('session-1');
  assert.equal((await session.take()).kind, 'warming');
  session.refused('session-1');
  assert.equal((await session.take()).kind, 'warming');
  assert.equal(fetches, 2);
});

it('shares one fetch between all who ask meanwhile, failed or not', async () => {
  const session = createSession();
  answer = async () => ({ kind: 'failed', cause: 'down' });
  const failures = await Promise.all(Array.from({ length: 50 }, () => session.take()));
  assert.ok(failures.every(({ kind }) => kind === 'failed'));
  assert.equal(fetches, 1);
  answer = async () => ({ kind: 'fetched', sessionId: 'session-2' });
  const taken = await Promise.all(Array.from({ length: 50 }, () => session.take()));
  assert.ok(taken.every(({ kind }) => kind === 'warming'));
  assert.equal(fetches, 2);
  assert.deepEqual(session.secrets(), ['session-2']);
});
