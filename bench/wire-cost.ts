import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createOperatorWire } from '../service/src/operators/wire/operator-wire.ts';
import { createSafePoster } from '../service/src/webhooks/safe-post/post-safely.ts';
import { median } from './load/latencies.ts';

/**
 * Measures what one POST to an operator and one webhook cost this process: CPU time, which other programs on the
 * machine disturb less than the clock time. The receiver is a process of its own and answers each request at once.
 *
 *     node scripts/run.mjs bench/wire-cost.ts [--posts 10000] [--at-once 16] [--rounds 5]
 */
const { values } = parseArgs({
  options: {
    posts: { type: 'string', default: '10000' },
    'at-once': { type: 'string', default: '16' },
    rounds: { type: 'string', default: '5' },
    serve: { type: 'boolean', default: false },
  },
});

const ANSWER = Buffer.from(
  'HTTP/1.1 202 Accepted\r\nContent-Type: application/json\r\nDate: Mon, 16 Nov 2026 10:00:00 GMT\r\n' +
    'Content-Length: 33\r\n\r\n{"status":"PENDING","reason":"-"}',
);
const BODY = JSON.stringify({
  amount: '150.00',
  currency: 'ZMW',
  externalId: '0b0f4d6f-6f2f-4f0e-9c55-6a7a3f0f1b1e',
  payee: { partyIdType: 'MSISDN', partyId: '260966123456' },
  payerMessage: 'salary',
  payeeNote: 'salary',
});
const HEADERS = {
  'content-type': 'application/json',
  authorization: `Bearer ${'t'.repeat(200)}`,
  'x-reference-id': '0b0f4d6f-6f2f-4f0e-9c55-6a7a3f0f1b1e',
  'x-target-environment': 'mtnzambia',
};
const SIGNED = {
  'webhook-id': 'evt_0b0f4d6f',
  'webhook-timestamp': '1700000000',
  'webhook-signature': `v1,${'s'.repeat(44)}`,
};

if (values.serve) serve();
else await measure();

/** Each request arrives whole: it is far smaller than a segment of loopback. */
function serve(): void {
  const server = createServer((socket) => {
    socket.on('error', () => undefined).on('data', () => socket.write(ANSWER));
  });
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    process.send?.(typeof address === 'object' ? address?.port : undefined);
  });
  process.once('disconnect', () => process.exit());
}

async function measure(): Promise<void> {
  const receiver = fork(fileURLToPath(import.meta.url), ['--serve']);
  const [port] = await once(receiver, 'message');
  const clock = { now: () => new Date(), monotonicMs: () => performance.now() };
  const atOnce = Number(values['at-once']);
  const wire = createOperatorWire({
    ...clock,
    baseUrl: `http://127.0.0.1:${port}`,
    connectionsMax: atOnce,
    secrets: () => [],
  });
  const poster = createSafePoster({
    ...clock,
    resolve: async () => ['127.0.0.1'],
    isOwn: () => false,
  });
  const request = {
    method: 'POST',
    path: '/disbursement/v1_0/transfer',
    timeoutMs: 20_000,
  } as const;
  const message = {
    url: `http://localhost:${port}/hooks`,
    rules: { mode: 'test', toLoopback: ['test'] },
    headers: SIGNED,
    body: BODY,
  } as const;
  await compare(atOnce, {
    operator: () => wire.send({ ...request, headers: HEADERS, body: BODY }),
    webhook: () => poster.post(message),
  });
  wire.close();
  poster.close();
  receiver.disconnect();
}

type Post = () => Promise<Readonly<{ kind: string }>>;

async function compare(atOnce: number, kinds: Readonly<Record<string, Post>>): Promise<void> {
  const taken = new Map<string, number[]>(Object.keys(kinds).map((name) => [name, []]));
  // The first round is for the compiler.
  for (let round = 0; round <= Number(values.rounds); round += 1) {
    for (const [name, post] of Object.entries(kinds)) {
      const costUs = await costOf(post, atOnce);
      if (round > 0) taken.get(name)?.push(costUs);
    }
  }
  for (const [name, costs] of taken) {
    const low = Math.min(...costs).toFixed(1);
    process.stdout.write(`${name}: ${median(costs).toFixed(1)} µs of CPU a POST, at best ${low}\n`);
  }
}

async function costOf(post: Post, atOnce: number): Promise<number> {
  const posts = Number(values.posts);
  let left = posts;
  const before = process.cpuUsage();
  const loop = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const { kind } = await post();
      if (kind !== 'answered') throw new Error(`a POST was ${kind}`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, loop));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / posts;
}
