import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { it, type TestContext } from 'node:test';
import { createEventReader, followStream, type StreamState, waitBefore } from './event-stream.ts';
import type { Change } from './types.ts';

type Answer = (response: ServerResponse) => void;
/** Longer than any answer takes on a busy machine: a silence is not what is tested. */
const LONG_MS = 20_000;

/** Follows a server whose answers come in turn; the last one repeats. */
async function follow(t: TestContext, answers: readonly Answer[], silenceMs = LONG_MS) {
  let requests = 0;
  const server = createServer((_request, response) => {
    answers[Math.min(requests, answers.length - 1)]?.(response);
    requests += 1;
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const states: StreamState[] = [];
  const changes: Change[] = [];
  const opened: number[] = [];
  const waiting = new Set<() => void>();
  const wake = () => {
    for (const one of waiting) one();
  };
  const stream = followStream({
    open: (signal) => fetch(`http://127.0.0.1:${port}/`, { signal }),
    onChange: (change) => {
      changes.push(change);
      wake();
    },
    onOpen: () => opened.push(changes.length),
    onState: (state) => {
      states.push(state);
      wake();
    },
    now: () => new Date(),
    jitter: () => 0,
    silenceMs,
    waitMinMs: 5,
    waitMaxMs: 20,
  });
  t.after(() => {
    stream.stop();
    server.closeAllConnections();
    server.close();
  });
  const until = async (holds: () => boolean) => {
    while (!holds()) {
      await new Promise<void>((resolve) => {
        waiting.add(resolve);
      });
    }
  };
  return { states, changes, opened, until, requests: () => requests };
}

const begin = (response: ServerResponse) =>
  response.writeHead(200, { 'content-type': 'text/event-stream' });
const changed = (id: string) =>
  `event: changed\ndata: ${JSON.stringify({ what: 'transfer', id, state: 'succeeded' })}\n\n`;

it('opens the stream again when it ends, and goes on telling changes', async (t) => {
  const { changes, states, opened, until } = await follow(t, [
    (response) => begin(response).end(changed('a')),
    (response) => response.destroy(),
    (response) => void begin(response).write(changed('b')),
  ]);
  await until(() => changes.length === 2);
  assert.deepEqual(
    changes.map(({ id }) => id),
    ['a', 'b'],
  );
  assert.ok(!states.some(({ kind }) => kind === 'lost'), 'a short break is not shown');
  assert.deepEqual(
    opened,
    [0, 1],
    'what changed before and between was not told: it must be asked',
  );
});

it('counts a silent connection as lost, and heals by itself', async (t) => {
  const { states, until } = await follow(
    t,
    [
      (response) => void begin(response).write(': beat\n\n'),
      (response) => void response.writeHead(503).end(),
      (response) => void response.writeHead(503).end(),
      (response) => void begin(response).write(': beat\n\n'),
    ],
    60,
  );
  await until(() => states.some(({ kind }) => kind === 'lost'));
  const lostAt = states.findIndex(({ kind }) => kind === 'lost');
  await until(() => states.slice(lostAt).some(({ kind }) => kind === 'current'));
});

it('does not call it a lost connection when the person has too many streams, and tries again', async (t) => {
  const { states, until } = await follow(t, [
    (response) => void response.writeHead(429).end(),
    (response) => void response.writeHead(429).end(),
    (response) => void begin(response).write(': beat\n\n'),
  ]);
  await until(() => states.at(-1)?.kind === 'current');
  assert.deepEqual(
    states.map(({ kind }) => kind),
    ['connecting', 'too many', 'too many', 'current', 'current'].slice(0, states.length),
  );
});

it('stops asking when the session has ended or there is no stream', async (t) => {
  for (const [status, kind] of [
    [401, 'signed out'],
    [404, 'none'],
  ] as const) {
    const { states, until, requests } = await follow(t, [
      (response) => void response.writeHead(status).end(),
    ]);
    await until(() => states.at(-1)?.kind === kind);
    assert.equal(requests(), 1);
  }
});

it('reads events in any pieces and drops what is no change', () => {
  const changes: Change[] = [];
  const read = createEventReader((change) => changes.push(change));
  const text = `: beat\n\n${changed('a')}event: other\ndata: {"what":"x","id":"y"}\n\nevent: changed\ndata: {oops\n\n${changed('b')}`;
  for (const letter of text) read(letter);
  assert.deepEqual(
    changes.map(({ id }) => id),
    ['a', 'b'],
  );
});

it('waits longer after each failed attempt, up to a maximum', () => {
  const deps = { waitMinMs: 500, waitMaxMs: 8_000, jitter: () => 0 };
  assert.deepEqual(
    [0, 1, 2, 3, 4, 5, 60].map((attempt) => waitBefore(attempt, deps)),
    [500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000],
  );
  assert.equal(waitBefore(0, { ...deps, jitter: () => 1 }), 250);
});
