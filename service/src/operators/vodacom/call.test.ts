import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  COMPLETED_ANSWER,
  openConnector as open,
  PAID_ANSWER,
  PAYOUT,
  type Scripted,
} from '../../../test/fakes/fake-vodacom.ts';
import type { CredentialStore, KeptCredential } from '../credentials/credential-store.ts';

const ok = (body: unknown, status = 201): Scripted => ({ status, body });
const REFUSED_SESSION: Scripted = { status: 401, body: { output_error: 'Unauthorized' } };

const sessionNamed = (output_SessionID: string): Scripted =>
  ok({ output_ResponseCode: 'INS-0', output_SessionID }, 200);

describe('the session', () => {
  it('is fetched once for fifty payouts at once', async () => {
    using line = await open((request) => {
      const { input_ThirdPartyConversationID: id } = JSON.parse(request.body);
      return ok({ ...PAID_ANSWER, output_ThirdPartyConversationID: id });
    });
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, index) => {
        const end = String(index).padStart(12, '0');
        const operatorReference = `7c9b7a46-2a6f-4f7f-9d0b-${end}`;
        return line.connector.submit({ ...PAYOUT, operatorReference });
      }),
    );
    assert.ok(replies.every(({ outcome }) => outcome.kind === 'paid'));
    assert.equal(line.server.sessionsSeen.length, 1);
    assert.equal(line.server.seen.length, 50);
  });

  it('that cannot be fetched leaves the payout unsent, and its exchange is not recorded', async () => {
    const refusals: readonly Scripted[] = [
      { status: 400, body: { output_ResponseCode: 'INS-989' } },
      { status: 503, body: '<html>' },
      { status: 200, body: { output_ResponseCode: 'INS-0' } },
      { status: 200, body: { output_ResponseCode: 'INS-0', output_SessionID: 'x'.repeat(300) } },
      'reset',
    ];
    for (const refusal of refusals) {
      using line = await open(() => ok(PAID_ANSWER), { session: () => refusal });
      const { outcome, wire } = await line.connector.submit(PAYOUT);
      assert.equal(outcome.kind, 'notSent');
      assert.equal(outcome.kind === 'notSent' && outcome.retryInMs, 5_000);
      assert.equal(wire, null);
      assert.equal(line.server.seen.length, 0);
    }
  });

  it('that is not live yet leaves the payout unsent until it is', async () => {
    let nowMs = 0;
    using line = await open(() => ok(PAID_ANSWER), {
      settings: { sessionActivationMs: 30_000 },
      deps: { monotonicMs: () => nowMs },
    });
    assert.deepEqual((await line.connector.submit(PAYOUT)).outcome, {
      kind: 'notSent',
      cause: 'the session is not live yet',
      retryInMs: 30_000,
    });
    assert.equal(line.server.seen.length, 0);
    nowMs = 30_000;
    assert.equal((await line.connector.submit(PAYOUT)).outcome.kind, 'paid');
    assert.equal(line.server.sessionsSeen.length, 1);
  });

  it('becomes live by the time scale of the route, and so does the reported wait', async () => {
    let nowMs = 0;
    using line = await open(() => ok(PAID_ANSWER), {
      settings: { sessionActivationMs: 30_000 },
      deps: { monotonicMs: () => nowMs, timeScale: 0.5 },
    });
    const { outcome } = await line.connector.submit(PAYOUT);
    // The route multiplies it by the time scale again.
    assert.equal(outcome.kind === 'notSent' && outcome.retryInMs, 30_000);
    const asked = await line.connector.inquire(PAYOUT, { checks: 0 });
    assert.deepEqual(asked.outcome, {
      kind: 'unanswered',
      cause: 'the session is not live yet',
      retryInMs: 15_000,
    });
    nowMs = 15_000;
    assert.equal((await line.connector.submit(PAYOUT)).outcome.kind, 'paid');
  });

  it('is waited for if it becomes live within the token timeout', async () => {
    const waits: number[] = [];
    let nowMs = 0;
    using line = await open(() => ok(PAID_ANSWER), {
      settings: { sessionActivationMs: 3_999 },
      deps: {
        monotonicMs: () => nowMs,
        wait: async (ms) => {
          waits.push(ms);
          nowMs += ms;
        },
      },
    });
    assert.equal((await line.connector.submit(PAYOUT)).outcome.kind, 'paid');
    assert.deepEqual(waits, [4_000]);
  });

  it('that was stored is tried with an inquiry before a payout, which a refusal would leave in doubt', async () => {
    const kept: KeptCredential[] = [];
    const credentials: CredentialStore = {
      load: async () => kept,
      keep: async (credential) => void kept.push({ ...credential, readyInMs: -1_000 }),
      remove: async (id) => void kept.splice(kept.findIndex((each) => each.id === id)),
    };
    const settings = { sessionActivationMs: 0 };
    const deps = { credentials };
    {
      using before = await open(() => ok(PAID_ANSWER), { settings, deps });
      await before.connector.submit(PAYOUT);
      assert.deepEqual(
        before.server.seen.map(({ method }) => method),
        ['POST'],
      );
    }
    const ended: Scripted = { status: 400, body: { output_error: 'Bad Request' } };
    using line = await open(
      (request) => {
        if (request.bearer !== 'session-2') return ended;
        return request.method === 'POST' ? ok(PAID_ANSWER) : ok(COMPLETED_ANSWER, 200);
      },
      { settings, deps, session: (count) => sessionNamed(`session-${count + 1}`) },
    );
    assert.equal((await line.connector.submit(PAYOUT)).outcome.kind, 'paid');
    assert.deepEqual(
      line.server.seen.map(({ method, bearer }) => `${method} ${bearer}`),
      ['GET session-1', 'POST session-2'],
    );
    using lost = await open(() => 'reset', { settings, deps });
    assert.equal((await lost.connector.submit(PAYOUT)).outcome.kind, 'notSent');
    assert.ok(lost.server.seen.every(({ method }) => method === 'GET'));
  });

  it('that ended is renewed, and the payout is sent again under the same reference', async () => {
    let ended = false;
    using line = await open((request) =>
      ended && request.bearer === 'session-1' ? REFUSED_SESSION : ok(PAID_ANSWER),
    );
    await line.connector.submit(PAYOUT);
    ended = true;
    const { outcome } = await line.connector.submit(PAYOUT);
    assert.equal(outcome.kind, 'paid');
    const [, refused, sentAgain] = line.server.seen;
    assert.equal(refused?.bearer, 'session-1');
    assert.equal(sentAgain?.bearer, 'session-2');
    assert.equal(sentAgain?.body, refused?.body);
  });

  it('that ended for fifty payouts at once is renewed once', async () => {
    let ended = false;
    using line = await open((request) => {
      if (ended && request.bearer === 'session-1') return REFUSED_SESSION;
      const { input_ThirdPartyConversationID: id } = JSON.parse(request.body);
      return ok({ ...PAID_ANSWER, output_ThirdPartyConversationID: id });
    });
    await line.connector.submit(PAYOUT);
    ended = true;
    const payouts = Array.from({ length: 50 }, () => line.connector.submit(PAYOUT));
    const kinds = (await Promise.all(payouts)).map(({ outcome }) => outcome.kind);
    assert.deepEqual([...new Set(kinds)], ['paid']);
    assert.equal(line.server.sessionsSeen.length, 2);
  });

  it('refused twice leaves the payout unknown, after two requests', async () => {
    let ended = false;
    using line = await open(() => (ended ? REFUSED_SESSION : ok(PAID_ANSWER)));
    await line.connector.submit(PAYOUT);
    ended = true;
    const { outcome, wire } = await line.connector.submit(PAYOUT);
    assert.deepEqual(outcome, { kind: 'unknown', cause: 'HTTP 401' });
    assert.equal(wire?.httpStatus, 401);
    assert.equal(line.server.seen.length, 3);
  });

  it('refused before the connection is refused leaves the payout unknown, since the first request was sent', async () => {
    let ended = false;
    const goodbye = { connection: 'close' };
    const line = await open(
      () => (ended ? { status: 401, body: {}, headers: goodbye } : { ...paid(), headers: goodbye }),
      {
        session: (count) => {
          if (count === 2) line.server.refuse();
          const body = { output_ResponseCode: 'INS-0', output_SessionID: `session-${count}` };
          return { status: 200, body, headers: goodbye };
        },
      },
    );
    await line.connector.submit(PAYOUT);
    ended = true;
    const { outcome } = await line.connector.submit(PAYOUT);
    line.close();
    assert.deepEqual(outcome, { kind: 'unknown', cause: 'ECONNREFUSED' });
    assert.equal(line.server.seen.length, 2);
  });

  it('does not send a payout again after a 400, because it may have been executed', async () => {
    const answers: Scripted[] = [
      { status: 400, body: { output_error: 'Bad Request' } },
      ok({ output_ResponseCode: 'INS-2006' }, 422),
    ];
    let broken = false;
    using line = await open(() => (broken ? (answers.shift() ?? 'reset') : ok(PAID_ANSWER)));
    await line.connector.submit(PAYOUT);
    broken = true;
    const { outcome } = await line.connector.submit(PAYOUT);
    assert.deepEqual(outcome, { kind: 'unknown', cause: 'HTTP 400' });
    assert.equal(line.server.seen.length, 2, 'one payout before, and one now');
  });

  it('repeats an inquiry under a new session after a 400 without a code', async () => {
    using line = await open((request) =>
      request.path.includes('queryTransactionStatus') && request.bearer === 'session-1'
        ? { status: 400, body: { output_error: 'Bad Request' } }
        : ok(request.path.includes('query') ? COMPLETED_ANSWER : PAID_ANSWER, 200),
    );
    await line.connector.submit(PAYOUT);
    const { outcome } = await line.connector.inquire(PAYOUT, { checks: 0 });
    assert.equal(outcome.kind, 'paid');
    assert.equal(line.server.sessionsSeen.length, 2);
  });

  it('that ended makes the refusal of a payout sent again unproven, and both exchanges are recorded', async () => {
    let ended = false;
    using line = await open((request) => {
      if (!ended) return ok(PAID_ANSWER);
      const isOld = request.bearer === 'session-1';
      return isOld ? REFUSED_SESSION : ok({ output_ResponseCode: 'INS-2006' }, 422);
    });
    await line.connector.submit(PAYOUT);
    ended = true;
    const { outcome, wire, earlier } = await line.connector.submit(PAYOUT);
    assert.equal(outcome.kind, 'unknown');
    assert.equal(wire?.httpStatus, 422);
    assert.deepEqual(
      earlier?.map(({ httpStatus }) => httpStatus),
      [401],
    );
  });

  it('is not renewed after the HTML page of a proxy', async () => {
    let broken = false;
    using line = await open(() =>
      broken ? { status: 400, body: '<html>Bad Request</html>' } : ok(PAID_ANSWER),
    );
    await line.connector.submit(PAYOUT);
    broken = true;
    assert.equal((await line.connector.submit(PAYOUT)).outcome.kind, 'unknown');
    assert.equal(line.server.sessionsSeen.length, 1);
  });

  it('is not renewed for a submission whose time is nearly over', async () => {
    let nowMs = 0;
    let ended = false;
    using line = await open(
      (request) => {
        if (!ended) return ok(PAID_ANSWER);
        nowMs += 4_800;
        return request.bearer === 'session-1' ? REFUSED_SESSION : ok(PAID_ANSWER);
      },
      { deps: { monotonicMs: () => nowMs } },
    );
    await line.connector.submit(PAYOUT);
    ended = true;
    assert.equal((await line.connector.submit(PAYOUT)).outcome.kind, 'unknown');
    assert.equal(line.server.seen.length, 2);
    assert.equal(line.server.sessionsSeen.length, 1);
  });

  it('is kept live by reading conditions', async () => {
    using line = await open(() => ok(PAID_ANSWER));
    assert.deepEqual(await line.connector.readConditions?.(), {
      kind: 'known',
      open: true,
      bounds: null,
    });
    assert.equal(line.server.sessionsSeen.length, 1);
    using closed = await open(() => ok(PAID_ANSWER), {
      session: () => ({ status: 503, body: '' }),
    });
    assert.deepEqual(await closed.connector.readConditions?.(), {
      kind: 'unreachable',
      cause: 'no session: HTTP 503',
    });
  });
});

function paid() {
  return { status: 201, body: PAID_ANSWER };
}
