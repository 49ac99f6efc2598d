import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { startServer, type TestServer } from '../../../test/http-server.ts';

const RIGHT = '/callbacks/mtn-zm/right-token';
const WRONG = '/callbacks/mtn-zm/wrong-token';

describe('callbacks', () => {
  let served: TestServer;
  let stored: number[] = [];
  let nowMs = 0;
  let payouts = 10;
  before(async () => {
    served = await startServer([], {
      monotonicMs: () => nowMs,
      limits: { lingerMs: 100 },
      callbacks: {
        isToken: ({ token }) => token === 'right-token',
        payoutsPerSecond: () => payouts,
        store: async ({ raw }) => {
          stored.push(raw.body.length);
          return { acknowledgement: null };
        },
      },
    });
  });
  after(() => served.stop());

  const post = (path: string, body = '{}') => served.send({ method: 'POST', path, body });

  it('have their token checked before any of the body is read', async () => {
    const socket = connect(served.port, '127.0.0.1');
    socket.write(`POST ${WRONG} HTTP/1.1\r\nhost: x\r\ncontent-length: 60000\r\n\r\n`);
    const [answer] = await once(socket, 'data');
    assert.match(String(answer), /^HTTP\/1\.1 404 /, 'answered although no byte of the body came');
    assert.match(String(answer), /connection: close/i);
    socket.destroy();
  });

  it('with wrong tokens are limited by address, and do not block those with the right one', async () => {
    nowMs += 1_000_000;
    const statuses: number[] = [];
    for (let count = 0; count < 40; count += 1) statuses.push((await post(WRONG)).status);
    assert.equal(statuses.filter((status) => status === 404).length, 30);
    const refused = await post(WRONG);
    assert.equal(refused.status, 429);
    assert.equal(refused.headers['retry-after'], '1');
    assert.equal((await post(RIGHT)).status, 200);
  });

  it('of one route are limited by their bytes', async () => {
    nowMs += 1_000_000;
    stored = [];
    const body = 'x'.repeat(65_000);
    let refusals = 0;
    for (let count = 0; count < 70; count += 1) {
      const { status } = await post(RIGHT, body);
      if (status === 429) refusals += 1;
      else assert.equal(status, 200);
    }
    assert.equal(stored.length, Math.floor((4 * 1_024 * 1_024) / 65_000));
    assert.equal(refusals, 70 - stored.length);
    nowMs += 1_000;
    assert.equal((await post(RIGHT, body)).status, 200, 'a second later there is room again');
  });

  it('of a route that pays out much may be more, and have more bytes', async () => {
    nowMs += 1_000_000;
    payouts = 1_500;
    assert.equal((await post(RIGHT)).status, 200);
    nowMs += 2_000;
    const body = 'x'.repeat(65_000);
    for (let count = 0; count < 70; count += 1) assert.equal((await post(RIGHT, body)).status, 200);
    // Other routes may send 2,000 at once.
    for (let count = 0; count < 2_000; count += 1) assert.equal((await post(RIGHT)).status, 200);
    payouts = 10;
  });

  it('get 100 Continue if they wait for it', async () => {
    nowMs += 1_000_000;
    const head = (path: string) =>
      `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\nexpect: 100-continue\r\n\r\n`;
    assert.match(await served.exchange(head(WRONG)), /^HTTP\/1\.1 404 /);
    const socket = connect(served.port, '127.0.0.1');
    socket.write(head(RIGHT));
    const [first] = await once(socket, 'data');
    assert.equal(String(first), 'HTTP/1.1 100 Continue\r\n\r\n');
    socket.write('{}');
    const [second] = await once(socket, 'data');
    assert.match(String(second), /^HTTP\/1\.1 200 /);
    socket.destroy();
  });

  it('that announce too large a body are refused before it is read', async () => {
    const head = `POST ${RIGHT} HTTP/1.1\r\nhost: x\r\ncontent-length: 65537\r\n\r\n`;
    assert.match(await served.exchange(head), /^HTTP\/1\.1 413 /);
  });
});
