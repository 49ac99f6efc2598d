import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import * as fc from 'fast-check';
import {
  httpAnswer,
  type RawScript,
  type RawServer,
  startRawServer,
} from '../../../test/fakes/raw-server.ts';
import { LOCALHOST_TLS } from '../../../test/localhost-tls.ts';
import { pollUntil } from '../../../test/poll.ts';
import {
  createOperatorWire,
  type OperatorWire,
  type WireAnswer,
  type WireRequest,
} from './operator-wire.ts';

const PAYOUT: WireRequest = {
  method: 'POST',
  path: '/payout?pin=1234',
  headers: { 'content-type': 'application/json' },
  body: '{"amount":"150.00"}',
  timeoutMs: 20_000,
};
const ANSWER_BYTES_MAX = 262_144;

type Line = Readonly<{ server: RawServer; wire: OperatorWire }>;

async function lineTo(
  t: TestContext,
  script: RawScript,
  options: Parameters<typeof startRawServer>[1] & { basePath?: string; keeps?: boolean } = {},
): Promise<Line> {
  const server = await startRawServer(script, options);
  const wire = createOperatorWire({
    baseUrl: server.baseUrl + (options.basePath ?? ''),
    connectionsMax: 2,
    keepsConnections: options.keeps ?? true,
    secrets: () => ['s3cret/key='],
    monotonicMs: () => performance.now(),
  });
  t.after(async () => {
    wire.close();
    await server.close();
  });
  return { server, wire };
}

function lostCause(answer: WireAnswer): string {
  assert.equal(answer.kind, 'lost', JSON.stringify(answer));
  assert.equal(answer.record.httpStatus, null);
  return answer.kind === 'lost' ? answer.cause : '';
}

it('returns the whole answer, and records it without the query and the secrets', async (t) => {
  const body = '{"amount":150.00,"key":"s3cret/key=","url":"?p=s3cret%2fkey%3d"}';
  const { server, wire } = await lineTo(
    t,
    (socket) => socket.write(httpAnswer(202, body, { 'X-Two': 'a', 'x-two': 'b' })),
    { basePath: '/api/' },
  );
  const answer = await wire.send(PAYOUT);
  assert.equal(answer.kind, 'answered');
  if (answer.kind !== 'answered') return;
  assert.equal(answer.status, 202);
  assert.equal(answer.text, body);
  assert.deepEqual(answer.json, {
    amount: '150.00',
    key: 's3cret/key=',
    url: '?p=s3cret%2fkey%3d',
  });
  assert.equal(answer.headers['x-two'], 'a, b');
  assert.equal(answer.record.request, 'POST /payout');
  assert.equal(answer.record.httpStatus, 202);
  assert.equal(answer.record.answer, '{"amount":150.00,"key":"[removed]","url":"?p=[removed]"}');
  assert.match(server.received(), /^POST \/api\/payout\?pin=1234 HTTP\/1\.1\r\n/);
});

it('gives a POST a length even without a body, and a GET none', async (t) => {
  const { server, wire } = await lineTo(t, (socket) => socket.write(httpAnswer(200, '')));
  await wire.send({ ...PAYOUT, path: '/empty', body: null });
  assert.match(server.received(), /content-length: 0\r\n/);
  await wire.send({ ...PAYOUT, method: 'GET', path: '/question', headers: {}, body: null });
  const question = server.received().slice(server.received().indexOf('GET /question'));
  assert.doesNotMatch(question, /content-length|transfer-encoding/i);
});

it('returns an answer that is not JSON as text', async (t) => {
  const page = '<html>Request Rejected</html>';
  const { wire } = await lineTo(t, (socket) => socket.write(httpAnswer(200, page)));
  const answer = await wire.send(PAYOUT);
  assert.ok(answer.kind === 'answered' && answer.json === undefined && answer.text === page);
});

it('does not follow a redirect', async (t) => {
  const { server, wire } = await lineTo(t, (socket) =>
    socket.write(httpAnswer(307, '', { Location: '/elsewhere' })),
  );
  const answer = await wire.send(PAYOUT);
  assert.equal(answer.kind === 'answered' && answer.status, 307);
  assert.doesNotMatch(server.received(), /elsewhere/);
});

it('connects to an IPv6 address', async (t) => {
  const { server, wire } = await lineTo(t, (socket) => socket.write(httpAnswer(200, '{}')), {
    host: '::1',
  });
  assert.equal((await wire.send(PAYOUT)).kind, 'answered');
  assert.match(server.received(), /\r\nhost: \[::1\]:[0-9]+\r\n/i);
});

it('speaks TLS to a certificate that is trusted and names the host', async (t) => {
  const before = getCACertificates('default');
  setDefaultCACertificates([...before, LOCALHOST_TLS.cert]);
  t.after(() => setDefaultCACertificates(before));
  const { server, wire } = await lineTo(t, (socket) => socket.write(httpAnswer(200, '{}')), {
    tls: LOCALHOST_TLS,
  });
  assert.equal((await wire.send(PAYOUT)).kind, 'answered');
  const byNumber = createOperatorWire({
    baseUrl: server.baseUrl.replace('localhost', '127.0.0.1'),
    connectionsMax: 1,
    secrets: () => [],
    monotonicMs: () => performance.now(),
  });
  const received = server.received();
  const answer = await byNumber.send(PAYOUT);
  assert.equal(answer.kind, 'notSent');
  assert.equal(answer.record.answer, 'ERR_TLS_CERT_ALTNAME_INVALID');
  await pollUntil('the connection to end', () => server.ended() === 1);
  assert.equal(server.received(), received);
});

it('reports "lost" for a request that was sent and not answered in time', async (t) => {
  const { server, wire } = await lineTo(t, () => undefined);
  const answer = await wire.send({ ...PAYOUT, timeoutMs: 1_500 });
  assert.equal(lostCause(answer), 'no answer within 1500 ms');
  assert.match(server.received(), /150\.00/);
  await pollUntil('the connection to end', () => server.ended() === 1);
});

it('reports "lost" for a request whose answer stops half way', async (t) => {
  const { wire } = await lineTo(t, (socket) =>
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{'),
  );
  assert.equal(
    lostCause(await wire.send({ ...PAYOUT, timeoutMs: 1_500 })),
    'no answer within 1500 ms',
  );
});

const BROKEN: Readonly<Record<string, RawScript>> = {
  'the connection is reset before the answer': (socket) => socket.resetAndDestroy(),
  'the connection is closed before the answer': (socket) => socket.end(),
  'the connection is reset after the head': (socket) =>
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n', () => socket.resetAndDestroy()),
  'a body with a length is cut off': (socket) =>
    socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{"a":'),
  'a body in chunks is cut off': (socket) =>
    socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n{"a"\r\n'),
  'the chunks have no number': (socket) =>
    socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n{"a"\r\nzz\r\n'),
  'the answer is no HTTP': (socket) => socket.end('220 mail.example ready\r\n'),
  'the answer has no status': (socket) => socket.write(httpAnswer(0, '{}')),
  'the protocol is to be changed': (socket) =>
    socket.write('HTTP/1.1 101 X\r\nConnection: upgrade\r\nUpgrade: other\r\n\r\n'),
};

for (const [what, script] of Object.entries(BROKEN)) {
  it(`reports "lost" if ${what}`, async (t) => {
    const { wire } = await lineTo(t, script);
    assert.doesNotMatch(lostCause(await wire.send(PAYOUT)), /within/);
  });
}

it('reads an answer up to its limit, and no longer one', async (t) => {
  const sizes = [ANSWER_BYTES_MAX, ANSWER_BYTES_MAX + 1];
  const { wire } = await lineTo(t, (socket, { nth }) =>
    socket.end(httpAnswer(200, 'x'.repeat(sizes[nth - 1] ?? 0), { Connection: 'close' })),
  );
  const whole = await wire.send(PAYOUT);
  assert.equal(whole.kind === 'answered' && whole.text.length, ANSWER_BYTES_MAX);
  assert.equal(lostCause(await wire.send(PAYOUT)), `the answer is over ${ANSWER_BYTES_MAX} bytes`);
});

it('stops reading an answer that has no end', async (t) => {
  const { server, wire } = await lineTo(t, (socket) => {
    socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
    const pour = (): void => {
      while (!socket.destroyed && socket.write(`10000\r\n${'x'.repeat(0x10000)}\r\n`));
    };
    socket.on('drain', pour);
    pour();
  });
  assert.match(lostCause(await wire.send(PAYOUT)), /is over/);
  await pollUntil('the connection to end', () => server.ended() === 1);
});

it('keeps a connection for the next request', async (t) => {
  const { server, wire } = await lineTo(t, (socket) => socket.write(httpAnswer(200, '{}')));
  for (let sent = 0; sent < 3; sent += 1) assert.equal((await wire.send(PAYOUT)).kind, 'answered');
  assert.equal(server.connections(), 1);
  wire.close();
  await pollUntil('the kept connection to end', () => server.ended() === 1);
});

it('opens a new connection if the server has closed the kept one', async (t) => {
  const { server, wire } = await lineTo(t, (socket) => socket.end(httpAnswer(200, '{}')));
  assert.equal((await wire.send(PAYOUT)).kind, 'answered');
  await pollUntil('the kept connection to end', () => server.ended() === 1);
  assert.equal((await wire.send(PAYOUT)).kind, 'answered');
  assert.equal(server.connections(), 2);
});

it('opens a connection for each request if configured, also for waiting ones', async (t) => {
  const script: RawScript = (socket) => socket.write(httpAnswer(200, '{}'));
  const { server, wire } = await lineTo(t, script, { keeps: false });
  const answers = await Promise.all(Array.from({ length: 6 }, () => wire.send(PAYOUT)));
  assert.deepEqual(new Set(answers.map(({ kind }) => kind)), new Set(['answered']));
  assert.equal(server.connections(), 6);
  assert.match(server.received(), /\r\nconnection: close\r\n/i);
  await pollUntil('all connections to end', () => server.ended() === 6);
});

it('reports "lost" for a request on a kept connection that breaks', async (t) => {
  const { server, wire } = await lineTo(t, (socket, { nth }) => {
    if (nth === 1) socket.write(httpAnswer(200, '{}'));
    else socket.resetAndDestroy();
  });
  assert.equal((await wire.send(PAYOUT)).kind, 'answered');
  assert.match(lostCause(await wire.send(PAYOUT)), /ECONNRESET|EPIPE|ended/);
  assert.equal(server.connections(), 1);
  // It was sent once: the wire never repeats a request by itself.
  assert.equal(server.received().split('POST /payout').length - 1, 2);
});

it('never throws and never says "not sent" once the bytes were received', async (t) => {
  let answer = new Uint8Array();
  const { server, wire } = await lineTo(t, (socket) => socket.end(answer), { keeps: false });
  const head = fc.constantFrom(
    '',
    'HTTP/1.1 200 OK\r\n\r\n',
    'HTTP/1.1 500 X\r\nContent-Length: 3\r\n\r\n',
  );
  const noise = fc.uint8Array({ maxLength: 200 });
  await fc.assert(
    fc.asyncProperty(head, noise, async (start, rest) => {
      answer = Buffer.concat([Buffer.from(start), rest]);
      const before = server.received().length;
      const { kind } = await wire.send(PAYOUT);
      assert.ok(server.received().length > before);
      assert.notEqual(kind, 'notSent');
    }),
    { numRuns: 60 },
  );
});

it('reads Retry-After only with 429 and 503', async (t) => {
  const waits: (number | undefined)[] = [];
  for (const status of [429, 503, 200, 404, 500]) {
    const answer = httpAnswer(status, '{}', { 'Retry-After': '7' });
    const { wire } = await lineTo(t, (socket) => socket.write(answer));
    const got = await wire.send(PAYOUT);
    waits.push(got.kind === 'answered' ? got.retryInMs : -1);
  }
  assert.deepEqual(waits, [7_000, 7_000, undefined, undefined, undefined]);
});

it('reads a date in Retry-After against the date of the answer', async (t) => {
  const headers = {
    Date: 'Sun, 15 Nov 2026 10:00:00 GMT',
    'Retry-After': 'Sun, 15 Nov 2026 10:01:30 GMT',
  };
  const { wire } = await lineTo(t, (socket) => socket.write(httpAnswer(503, '', headers)));
  const got = await wire.send(PAYOUT);
  assert.equal(got.kind === 'answered' ? got.retryInMs : -1, 90_000);
});
