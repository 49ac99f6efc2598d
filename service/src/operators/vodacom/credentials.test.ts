import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { beforeEach, it } from 'node:test';
import type { CredentialCache } from '../credentials/credential-cache.ts';
import { NOTHING_KEPT } from '../credentials/credential-store.ts';
import { readExactJson } from '../wire/exact-json.ts';
import type { WireAnswer } from '../wire/operator-wire.ts';
import { createVodacomSession } from './credentials.ts';

const RECORD = { request: 'GET /getSession/', httpStatus: 200, answer: '', elapsedMs: 1 };

let nowMs = 0;
let fetches = 0;
beforeEach(() => {
  nowMs = 0;
  fetches = 0;
});

function answered(status: number, body: unknown): WireAnswer {
  const text = JSON.stringify(body);
  return { kind: 'answered', status, headers: {}, text, json: readExactJson(text), record: RECORD };
}

const given = (count: number): WireAnswer =>
  answered(200, { output_ResponseCode: 'INS-0', output_SessionID: `session-${count}` });

function createSession(sessionsOverlap = true, answer = given): CredentialCache {
  return createVodacomSession({
    options: {
      apiKey: 'key',
      sessionLifetimeMs: 3_600_000,
      sessionActivationMs: 30_000,
      sessionsOverlap,
    },
    fetch: async () => answer(++fetches),
    credentials: NOTHING_KEPT,
    monotonicMs: () => nowMs,
    newUuid: randomUUID,
  });
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

async function taken(session: CredentialCache): Promise<string | number> {
  const answer = await session.take();
  if (answer.kind === 'failed') return answer.cause;
  return answer.kind === 'ready' ? answer.value : answer.readyInMs;
}

it('warms up for its activation time and is then used', async () => {
  const session = createSession();
  assert.equal(await taken(session), 30_000);
  nowMs = 29_999;
  assert.equal(await taken(session), 1);
  nowMs = 30_000;
  assert.equal(await taken(session), 'session-1');
  assert.equal(fetches, 1);
});

it('is followed by one that is live before it ends', async () => {
  const session = createSession();
  await session.take();
  // An hour less the margins of expiry, activation and renewal.
  nowMs = 3_600_000 - 5_000 - 30_000 - 60_000 - 1;
  await session.take();
  await settled();
  assert.equal(fetches, 1);
  nowMs += 1;
  assert.equal(await taken(session), 'session-1');
  await settled();
  assert.equal(fetches, 2);
  nowMs += 29_999;
  assert.equal(await taken(session), 'session-1');
  nowMs += 1;
  assert.equal(await taken(session), 'session-2');
  assert.equal(fetches, 2);
});

it('is used to its end if two cannot overlap', async () => {
  const session = createSession(false);
  await session.take();
  nowMs = 3_594_999;
  assert.equal(await taken(session), 'session-1');
  nowMs = 3_595_000;
  assert.equal(await taken(session), 30_000);
  assert.equal(fetches, 2);
});

it('is dropped a minute after it should be live, if it never was', async () => {
  const session = createSession();
  await session.take();
  nowMs = 89_999;
  session.refused('session-1');
  assert.equal(await taken(session), 2_000);
  nowMs = 91_999;
  session.refused('session-1');
  assert.equal(await taken(session), 30_000);
  assert.equal(fetches, 2);
});

const NO_SESSIONS: readonly (readonly [WireAnswer, string])[] = [
  [answered(400, { output_ResponseCode: 'INS-989' }), 'INS-989'],
  [answered(503, {}), 'HTTP 503'],
  [
    answered(200, { output_ResponseCode: 'INS-0', output_SessionID: 'a b' }),
    'the answer has no output_SessionID that can be used',
  ],
  [{ kind: 'notSent', cause: 'ECONNREFUSED', record: RECORD }, 'ECONNREFUSED'],
];

for (const [answer, cause] of NO_SESSIONS) {
  it(`is missing if the operator says ${cause}`, async () => {
    assert.equal(await taken(createSession(true, () => answer)), `no session: ${cause}`);
  });
}
