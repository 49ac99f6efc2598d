import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { keysOf, routeOf, startServer, TEST_KEY, VALID_KEY } from '../../../test/http-server.ts';
import { pollUntil } from '../../../test/poll.ts';
import type { AuthenticatedKey } from '../../merchants/authenticated-key.ts';
import type { ApiOperation } from './api-operation.ts';
import { PAGES } from './call-queue.ts';

type Options = Parameters<typeof startServer>[1];

/** Starts a server whose calls last until the test releases them. */
async function startSlow(
  requestsUnderWayMax: number,
  { readsPage, ...options }: Options & Pick<Partial<ApiOperation>, 'readsPage'> = {},
) {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  let working = 0;
  const turn = readsPage === undefined ? {} : { readsPage };
  const slow = routeOf({ path: '/slow', operationId: 'slow', ...turn }, async () => {
    working += 1;
    await released;
    return { status: 200, message: 'Done', data: { word: 'done' } };
  });
  const served = await startServer([slow], { requestsUnderWayMax, ...options });
  const call = (key = VALID_KEY) =>
    served.send({ path: '/api/v1/payments/slow', headers: { 'x-api-key': key } });
  /** A call whose client can leave. */
  const callAndLeave = () => {
    const socket = connect(served.port, '127.0.0.1');
    socket.write(
      `GET /api/v1/payments/slow HTTP/1.1\r\nhost: a\r\nx-api-key: ${VALID_KEY}\r\n\r\n`,
    );
    return socket;
  };
  const left = () => served.logLines.filter((line) => line.includes('"status":499')).length;
  return { served, call, callAndLeave, left, release, working: () => working };
}

describe('ConcurrencyLimit', () => {
  it('refuses calls past the limit on arrival, with Retry-After', async () => {
    const { served, call, release, working } = await startSlow(2);
    try {
      const inside = [call(), call()];
      await pollUntil('two are worked on', () => working() === 2);
      const refusals = [await call(), await call(), await call()];
      for (const { status, headers, text } of refusals) {
        assert.equal(status, 503);
        const { data, ...rest } = JSON.parse(text);
        assert.equal(rest.status, false);
        assert.equal(data.error.code, 'UNAVAILABLE');
        assert.equal(data.error.requestId, headers['x-request-id']);
        assert.equal(headers['x-should-retry'], 'true');
      }
      const seconds = refusals.map(({ headers }) => headers['retry-after']);
      assert.equal(new Set(seconds).size, 3, 'Retry-After is spread');
      const request = `GET /api/v1/payments/slow HTTP/1.1\r\nhost: a\r\nx-api-key: ${VALID_KEY}\r\n`;
      const both = await served.exchange(`${request}\r\n${request}connection: close\r\n\r\n`);
      assert.equal(both.match(/HTTP\/1\.1 503 /g)?.length, 2, 'the connection stays open');
      assert.equal(working(), 2);
      release();
      for (const answer of inside) assert.equal((await answer).status, 200);
      assert.equal((await call()).status, 200);
    } finally {
      release();
      await served.stop();
    }
  });

  it('gives each merchant a share, and refuses more', async () => {
    const { served, call, release, working } = await startSlow(100, { requestsOfOwnerMax: 2 });
    try {
      const inside = [call(), call()];
      await pollUntil('two are worked on', () => working() === 2);
      const { status, headers } = await call();
      assert.equal(status, 429);
      assert.equal(headers['retry-after'], '1');
      assert.ok(headers['ratelimit-limit'] !== undefined);
      release();
      for (const answer of inside) assert.equal((await answer).status, 200);
      assert.equal((await call()).status, 200);
    } finally {
      release();
      await served.stop();
    }
  });

  it('counts all keys of a merchant together, and those of another apart', async () => {
    const book = { ...TEST_KEY.book, merchantId: '01890a5d-ac96-774b-bcce-00000000000a' };
    const keys = {
      one: TEST_KEY,
      two: { ...TEST_KEY, id: '01890a5d-ac96-774b-bcce-00000000000b' },
      other: { ...TEST_KEY, id: '01890a5d-ac96-774b-bcce-00000000000c', book },
    };
    const options = { authenticator: keysOf(keys), requestsOfOwnerMax: 2 };
    const { served, call, release, working } = await startSlow(100, options);
    try {
      const inside = [call('one'), call('two')];
      await pollUntil('two are worked on', () => working() === 2);
      assert.deepEqual([(await call('one')).status, (await call('two')).status], [429, 429]);
      inside.push(call('other'));
      await pollUntil('a third is worked on', () => working() === 3);
      release();
      for (const answer of inside) assert.equal((await answer).status, 200);
    } finally {
      release();
      await served.stop();
    }
  });

  it('does not refuse health and metrics', async () => {
    const { served, call, release, working } = await startSlow(1);
    try {
      const inside = call();
      await pollUntil('one is worked on', () => working() === 1);
      assert.equal((await served.send({ path: '/health/live' })).status, 200);
      assert.match((await served.send({ path: '/metrics' })).text, /kafue_http_requests_total/);
      release();
      assert.equal((await inside).status, 200);
    } finally {
      release();
      await served.stop();
    }
  });

  it('does not count clients that send slowly', async () => {
    const { served, call, release } = await startSlow(1);
    const sockets = Array.from({ length: 5 }, () => connect(served.port, '127.0.0.1'));
    try {
      for (const socket of sockets) {
        socket.write(
          `GET /api/v1/payments/slow HTTP/1.1\r\nhost: a\r\nx-api-key: ${VALID_KEY}\r\n`,
        );
      }
      release();
      assert.equal((await call()).status, 200);
    } finally {
      release();
      for (const socket of sockets) socket.destroy();
      await served.stop();
    }
  });

  it('counts a call whose client disconnected until its work ends', async () => {
    const { served, call, callAndLeave, left, release, working } = await startSlow(2);
    try {
      const gone = [callAndLeave(), callAndLeave()];
      await pollUntil('two are worked on', () => working() === 2);
      for (const socket of gone) socket.destroy();
      await pollUntil('the server has noticed', () => left() === 2);
      assert.equal((await call()).status, 503);
      release();
      await nextTurn();
      assert.equal((await call()).status, 200);
    } finally {
      release();
      await served.stop();
    }
  });

  it('does not count a call whose client disconnected before its turn came', async () => {
    const { ofOwnerMax } = PAGES;
    const { served, call, callAndLeave, left, release, working } = await startSlow(ofOwnerMax + 1, {
      readsPage: true,
    });
    try {
      const inside = Array.from({ length: ofOwnerMax }, () => call());
      await pollUntil('all turns are taken', () => working() === ofOwnerMax);
      const gone = callAndLeave();
      // Without a key it is refused in another way while there is a place.
      await pollUntil('it waits', async () => {
        const { status } = await served.send({ path: '/api/v1/payments/slow' });
        return status === 503;
      });
      gone.destroy();
      await pollUntil('the server has noticed', () => left() === 1);
      inside.push(call());
      release();
      for (const answer of inside) assert.equal((await answer).status, 200);
      assert.equal(working(), ofOwnerMax + 1, 'the call that was left did not begin');
    } finally {
      release();
      await served.stop();
    }
  });

  it('does not count a client that disconnected while its key was looked up', async () => {
    const { promise: found, resolve: find } = Promise.withResolvers<AuthenticatedKey>();
    let lookups = 0;
    const authenticator = {
      authenticate() {
        lookups += 1;
        return lookups === 1 ? found : TEST_KEY;
      },
    };
    const word = routeOf({}, async () => ({ status: 200, message: 'Said', data: { word: 'yes' } }));
    const limits = { requestsUnderWayMax: 1, requestsOfOwnerMax: 1 };
    const served = await startServer([word], { authenticator, ...limits });
    const call = `GET /api/v1/payments/things HTTP/1.1\r\nhost: a\r\nx-api-key: ${VALID_KEY}\r\n\r\n`;
    const gone = connect(served.port, '127.0.0.1');
    gone.write(call);
    await pollUntil('its key is looked up', () => lookups === 1);
    gone.destroy();
    await pollUntil('the server has noticed', () =>
      served.logLines.some((line) => line.includes('"status":499')),
    );
    find(TEST_KEY);
    await nextTurn();
    const headers = { 'x-api-key': VALID_KEY };
    assert.equal((await served.send({ path: '/api/v1/payments/things', headers })).status, 200);
    await served.stop();
  });
});
