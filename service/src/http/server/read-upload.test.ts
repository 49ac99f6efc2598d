import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import * as fc from 'fast-check';
import { Type } from 'typebox';
import {
  keysOf,
  routeOf,
  startServer,
  TEST_KEY,
  type TestServer,
  VALID_KEY,
} from '../../../test/http-server.ts';
import { pollUntil } from '../../../test/poll.ts';
import { Refusal } from '../../domain/refusal.ts';
import { WRITES } from './call-queue.ts';
import { parseMultipart } from './parse-multipart.ts';
import type { ReceivedUpload } from './read-upload.ts';

const PATH = '/api/v1/payments/things';
const SECOND_KEY = { ...TEST_KEY, id: '01890a5d-ac96-774b-bcce-000000000008' };
const OTHER_KEY = {
  ...TEST_KEY,
  id: '01890a5d-ac96-774b-bcce-000000000009',
  book: { ...TEST_KEY.book, merchantId: '01890a5d-ac96-774b-bcce-00000000000a' },
};
const LIMITS = {
  bytesMax: 60_000,
  bytesOfOwnerMax: 40_000,
  bodiesMax: 2,
  bodiesOfOwnerMax: 1,
  bytesPerSecondMin: 1_000,
};

let server: TestServer;
let received: Buffer[] = [];
/** Called when an upload has arrived, before it is answered. */
let onArrival: (upload: ReceivedUpload) => Promise<void> = async () => {};
before(async () => {
  const route = routeOf({ method: 'POST', uploadBytesMax: 30_000 }, async ({ upload, body }) => {
    assert.equal(body, undefined);
    assert.ok(upload !== undefined);
    received.push(upload.bytes);
    await onArrival(upload);
    return { status: 200, message: 'Done', data: { word: String(upload.fileName) } };
  });
  const inTurn = routeOf(
    { method: 'POST', path: '/in-turn', operationId: 'inTurn', uploadBytesMax: 30_000 },
    (request) =>
      request.inTurn('uploads', async () => {
        const { upload } = request;
        assert.ok(upload !== undefined);
        received.push(upload.bytes);
        await onArrival(upload);
        return { status: 200, message: 'Done', data: { word: 'stored' } };
      }),
  );
  const ordinary = routeOf(
    {
      method: 'POST',
      path: '/ordinary',
      operationId: 'ordinary',
      bodyBytesMax: 100_000,
      schema: { body: Type.Object({}), data: { 200: Type.Object({ word: Type.String() }) } },
    },
    async () => ({ status: 200, message: 'Done', data: { word: 'done' } }),
  );
  server = await startServer([route, inTurn, ordinary], {
    authenticator: keysOf({ [VALID_KEY]: TEST_KEY, second: SECOND_KEY, other: OTHER_KEY }),
    bodyBudgets: { uploads: LIMITS },
    limits: {
      checkIntervalMs: 50,
      headersTimeoutMs: 500,
      requestTimeoutMs: 1_000,
      uploadTimeoutMs: 4_000,
    },
  });
});
after(() => server.stop());

/** Sends a head that announces a body, and waits for an answer or for `100 Continue`. */
async function announce(
  bytes: number,
  key = VALID_KEY,
  { path, type } = { path: PATH, type: 'text/csv' },
) {
  const socket = connect(server.port, '127.0.0.1');
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk.toString();
  });
  socket.on('error', () => undefined);
  socket.write(
    `POST ${path} HTTP/1.1\r\nhost: x\r\nx-api-key: ${key}\r\ncontent-type: ${type}\r\n` +
      `content-length: ${bytes}\r\nexpect: 100-continue\r\n\r\n`,
  );
  await pollUntil('an answer', async () => text !== '');
  return { socket, head: () => text.split('\r\n')[0] ?? '', text: () => text };
}

describe('an upload', () => {
  it('is read whole, and as it is', async () => {
    received = [];
    const body = Buffer.from(Array.from({ length: 29_999 }, (_, at) => at % 256));
    const headers = { 'x-api-key': VALID_KEY, 'content-type': 'application/octet-stream' };
    const reply = await server.send({ method: 'POST', path: PATH, headers, body });
    assert.equal(reply.status, 200, reply.text);
    assert.ok(received[0]?.equals(body));
  });

  it('is refused by its head alone where it is too large or no room is left', async () => {
    assert.match((await announce(30_001)).head(), /^HTTP\/1.1 413 /);
    assert.match((await announce(100, 'wrong')).head(), /^HTTP\/1.1 401 /);
    const first = await announce(20_000);
    assert.match(first.head(), /^HTTP\/1.1 100 /);
    first.socket.write(Buffer.alloc(17_000));
    await pollUntil('the first has its share', async () => {
      const { head, socket } = await announce(10);
      socket.destroy();
      return / 429 /.test(head());
    });
    // Another key of the same merchant has no more room.
    const second = await announce(10, 'second');
    assert.match(second.head(), /^HTTP\/1.1 429 /);
    second.socket.destroy();
    // Another merchant has room, until all is taken.
    const other = await announce(29_000, 'other');
    assert.match(other.head(), /^HTTP\/1.1 (100|503) /);
    other.socket.destroy();
    first.socket.destroy();
    await pollUntil('all is free again', async () => {
      const { head, socket } = await announce(10);
      socket.destroy();
      return / 100 /.test(head());
    });
  });

  it('may take longer than other requests, but not come slowly', async () => {
    const { socket, text } = await announce(25_000);
    const beganMs = performance.now();
    const dripping = setInterval(() => socket.write(Buffer.alloc(10, 'x')), 50);
    await pollUntil('it is ended', async () => / 408 /.test(text()));
    clearInterval(dripping);
    // The bound on other requests would have ended it after one second.
    assert.ok(performance.now() - beganMs > 1_500);
  });

  it('has an end also if nothing of it arrives', async () => {
    const { socket, text } = await announce(25_000);
    const beganMs = performance.now();
    await pollUntil('it is ended', async () => / 408 /.test(text()));
    assert.ok(performance.now() - beganMs > 3_000);
    socket.destroy();
  });

  it('gives other requests no more time: their bodies end after their own', async () => {
    const upload = await announce(25_000);
    const sending = setInterval(() => upload.socket.write(Buffer.alloc(200, 'x')), 50);
    const beganMs = performance.now();
    const ordinary = await announce(90_000, 'other', {
      path: '/api/v1/payments/ordinary',
      type: 'application/json',
    });
    // Faster than a body must come at least.
    const alsoSending = setInterval(() => ordinary.socket.write(' '.repeat(200)), 50);
    await pollUntil('it is ended', async () => / 408 /.test(ordinary.text()));
    clearInterval(alsoSending);
    assert.ok(performance.now() - beganMs < 2_500, 'it took the time of an upload');
    assert.doesNotMatch(upload.text(), / 408 /);
    clearInterval(sending);
    upload.socket.destroy();
  });

  it('is counted until it is stored', async () => {
    const headers = { 'x-api-key': VALID_KEY, 'content-type': 'text/csv' };
    const send = () =>
      server.send({ method: 'POST', path: PATH, headers, body: Buffer.alloc(20_000, 'x') });
    const answer = Promise.withResolvers<void>();
    const arrived = Promise.withResolvers<ReceivedUpload>();
    onArrival = (upload) => {
      arrived.resolve(upload);
      return answer.promise;
    };
    const first = send();
    const upload = await arrived.promise;
    onArrival = async () => {};
    assert.equal((await send()).status, 429);
    upload.release();
    assert.equal(upload.bytes.length, 0);
    assert.equal((await send()).status, 200);
    answer.resolve();
    assert.equal((await first).status, 200);
  });

  it('is counted until its work ends where its client leaves before', async () => {
    const headers = { 'x-api-key': VALID_KEY, 'content-type': 'text/csv' };
    const send = () =>
      server.send({ method: 'POST', path: PATH, headers, body: Buffer.alloc(20_000, 'x') });
    const stored = Promise.withResolvers<void>();
    let arrived = 0;
    onArrival = () => {
      arrived += 1;
      return stored.promise;
    };
    const { socket } = await announce(20_000);
    socket.write(Buffer.alloc(20_000, 'x'));
    await pollUntil('it is worked on', () => arrived === 1);
    const left = () => server.logLines.filter((line) => line.includes('"status":499')).length;
    const leftBefore = left();
    socket.destroy();
    await pollUntil('the server has noticed', () => left() > leftBefore);
    onArrival = async () => {};
    assert.equal((await send()).status, 429);
    stored.resolve();
    await pollUntil('its share is free', async () => (await send()).status === 200);
  });

  it('waits for no turn: checks of files take long, and other changes would wait behind them', async () => {
    const headers = { 'x-api-key': VALID_KEY, 'content-type': 'text/csv' };
    const answer = Promise.withResolvers<void>();
    let arrived = 0;
    onArrival = () => {
      arrived += 1;
      return answer.promise;
    };
    const sent = Array.from({ length: WRITES.ofOwnerMax + 1 }, () =>
      server.send({ method: 'POST', path: PATH, headers, body: Buffer.from('a') }),
    );
    try {
      await pollUntil('all are worked on', () => arrived === sent.length);
    } finally {
      onArrival = async () => {};
      answer.resolve();
    }
    for (const { status } of await Promise.all(sent)) assert.equal(status, 200);
  });

  it('gives its memory back at once if its client leaves before its turn comes', async () => {
    const path = '/api/v1/payments/in-turn';
    const headers = { 'x-api-key': VALID_KEY, 'content-type': 'text/csv' };
    const send = (bytes: number) =>
      server.send({ method: 'POST', path, headers, body: Buffer.alloc(bytes, 'x') });
    const stored = Promise.withResolvers<void>();
    received = [];
    onArrival = () => stored.promise;
    const first = send(1);
    await pollUntil('the first has its turn', () => received.length === 1);
    const { socket } = await announce(20_000, VALID_KEY, { path, type: 'text/csv' });
    socket.write(Buffer.alloc(20_000, 'x'));
    await pollUntil('the second waits', async () => {
      const { head, socket: probe } = await announce(10);
      probe.destroy();
      return / 429 /.test(head());
    });
    socket.destroy();
    await pollUntil('its memory is free', async () => {
      const { head, socket: probe } = await announce(10);
      probe.destroy();
      return / 100 /.test(head());
    });
    const third = send(19_999);
    stored.resolve();
    assert.equal((await first).status, 200);
    assert.equal((await third).status, 200);
    onArrival = async () => {};
    assert.deepEqual(
      received.map(({ length }) => length),
      [1, 19_999],
    );
  });

  it('without a length has the same bound', async () => {
    const headers = {
      'x-api-key': VALID_KEY,
      'content-type': 'text/csv',
      'transfer-encoding': 'chunked',
    };
    const send = (bytes: number) =>
      server.send({ method: 'POST', path: PATH, headers, body: Buffer.alloc(bytes, 'x') });
    assert.equal((await send(30_000)).status, 200);
    assert.equal((await send(30_001)).status, 413);
  });
});

describe('a form with a file', () => {
  const parse = (text: string, boundary = 'b') =>
    parseMultipart(Buffer.from(text, 'latin1'), boundary);
  const head = 'Content-Disposition: form-data; name=';

  it('gives the file and the fields', () => {
    const { file, fields } = parse(
      `preamble\r\n--b\r\n${head}"walletId"\r\n\r\nw1\r\n--b\r\n${head}file; filename="a%22b.csv"\r\nContent-Type: text/csv\r\n\r\n1\r\n--2\r\n\r\n--b--\r\nepilogue`,
    );
    assert.equal(file.bytes.toString(), '1\r\n--2\r\n');
    assert.equal(file.name, 'a"b.csv');
    assert.deepEqual([...fields], [['walletId', 'w1']]);
  });

  it('is refused where it is broken, twice there, or has too many parts', () => {
    const file = `--b\r\n${head}"file"\r\n\r\n1\r\n`;
    const field = `--b\r\n${head}"x"\r\n\r\n1\r\n`;
    const broken = [
      '',
      '--b--',
      file,
      `${file}${file}--b--`,
      `${field}${field}${file}--b--`,
      `${field.repeat(11)}${file}--b--`,
      `--b\r\n${head}"x"\r\n\r\n${'y'.repeat(1_025)}\r\n${file}--b--`,
      `--b\r\nContent-Disposition: form-data\r\n\r\n1\r\n--b--`,
      `--b\r\nX: ${'y'.repeat(5_000)}\r\n\r\n1\r\n--b--`,
      `--b\r\n${head}"file"\r\nContent-Transfer-Encoding: base64\r\n\r\nMQ==\r\n--b--`,
    ];
    for (const text of broken) assert.throws(() => parse(text), Refusal, text.slice(0, 80));
  });

  it('of any bytes is read or refused', () => {
    const piece = fc.constantFrom('--b', '\r\n', '--', head, '"file"', '"x"', '\r\n\r\n', ';', 'a');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
        try {
          parse(pieces.join(''));
        } catch (error) {
          assert.ok(error instanceof Refusal, String(error));
        }
      }),
      { numRuns: 500 },
    );
  });
});
