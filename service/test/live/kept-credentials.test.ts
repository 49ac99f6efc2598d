import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, it } from 'node:test';
import type { OperatorName } from '../../../emulators/start-operators.ts';
import { createCredentialKeepers } from '../../src/operator-credentials/keep-credentials.ts';
import type { CredentialOwner } from '../../src/operators/credentials/credential-store.ts';
import { createSealer, deriveSealingKeys } from '../../src/webhooks/seal-secret.ts';
import { readTransfer } from '../contract/api-client.ts';
import { pollUntil } from '../poll.ts';
import { TEST_SEALING_KEY } from '../running-service.ts';
import { type LiveWorld, openLiveWorld } from './live-world.ts';

const PAID_WITHIN_MS = 5_000;
/** A start that has to wait for a new session exceeds the limit of the test. */
const SESSION_ACTIVATION_MS = 8_000;
/** The longest time of the very first start, on a busy machine. */
const FIRST_START_MS = 60_000;

type Recipient = Readonly<{
  operator: string;
  country: 'zm' | 'ng';
  phone: string;
  /** The path where its token or session is fetched; null: it has none. */
  accessPath: string | null;
}>;

const RECIPIENTS: Readonly<Record<OperatorName, Recipient>> = {
  mtn: {
    operator: 'mtn',
    country: 'zm',
    phone: '0961234567',
    accessPath: '/disbursement/token/',
  },
  airtel: {
    operator: 'airtel',
    country: 'zm',
    phone: '0971234567',
    accessPath: '/auth/oauth2/token',
  },
  vodacom: { operator: 'vodacom', country: 'zm', phone: '0961234567', accessPath: '/getSession/' },
  zamtel: { operator: 'zamtel', country: 'zm', phone: '0951234567', accessPath: null },
  pawapay: { operator: 'mtn', country: 'ng', phone: '08031234567', accessPath: null },
};
const NAMES = Object.keys(RECIPIENTS) as OperatorName[];

let world: LiveWorld;
let outputBeforeKill = '';
before(async () => {
  world = await openLiveWorld({
    operators: NAMES,
    timeScale: 0.05,
    sessionActivationMs: SESSION_ACTIVATION_MS,
  });
});
after(() => world.close());

/** Resolves when the money has arrived and is recorded, with the time at which that was seen. */
async function pay(name: OperatorName, timeoutMs: number): Promise<number> {
  const { operator, country, phone } = RECIPIENTS[name];
  const answer = await world.api().post('transfers/mobile-money', {
    amount: 1,
    reference: randomUUID(),
    phone,
    operator,
    country,
    walletId: world.merchant.wallets.live[country === 'zm' ? 'ZMW' : 'NGN'],
  });
  assert.equal(answer.status, 201, JSON.stringify(answer));
  const { id } = readTransfer(answer.data);
  const state = async () => readTransfer((await world.api().get(`transfers/${id}`)).data).state;
  await pollUntil(`${name} pays`, async () => (await state()) === 'succeeded', timeoutMs);
  return performance.now();
}

async function accessRequests(name: OperatorName): Promise<number> {
  const { accessPath } = RECIPIENTS[name];
  const { requests } = (await world.control(name, 'GET journal')) as {
    requests: { path: string }[];
  };
  return requests.filter(({ path }) => accessPath !== null && path.endsWith(accessPath)).length;
}

const countAll = async () =>
  Object.fromEntries(
    await Promise.all(NAMES.map(async (name) => [name, await accessRequests(name)] as const)),
  );

/** The tokens and sessions in the database, decrypted with the key of the service. */
async function openKept(): Promise<readonly string[]> {
  const keys = deriveSealingKeys([TEST_SEALING_KEY], 'operator credentials');
  const keeperOf = createCredentialKeepers({
    directory: world.database,
    sealer: createSealer(keys),
    wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms).unref()),
    logger: { warn: (_, message) => assert.fail(message) },
  });
  const owners = await world.database.query<CredentialOwner>({
    name: '',
    text: 'select distinct route, account from operator_credentials order by route',
  });
  assert.deepEqual(
    owners.map(({ route }) => route),
    ['airtel-zm', 'mtn-zm', 'vodacom-zm'],
  );
  const kept = await Promise.all(owners.map((owner) => keeperOf(owner).load()));
  return kept.flat().map(({ value }) => value);
}

it('pays at each operator within 5 seconds of a restart, with its stored tokens', async () => {
  await Promise.all(NAMES.map((name) => pay(name, FIRST_START_MS)));
  const asked = await countAll();
  assert.deepEqual(asked, { mtn: 1, airtel: 1, vodacom: 1, zamtel: 0, pawapay: 0 });

  outputBeforeKill = world.service().output();
  await world.service().end('SIGKILL');
  await world.restartService();
  // Measured from when it listens: the time to load a process depends on the machine, not on operators.
  const startedMs = performance.now();
  const paidAtMs = await Promise.all(NAMES.map((name) => pay(name, FIRST_START_MS)));
  const tookMs = Object.fromEntries(
    NAMES.map((name, index) => [name, Math.round((paidAtMs[index] ?? Infinity) - startedMs)]),
  );
  assert.deepEqual(await countAll(), asked);
  for (const name of NAMES) {
    assert.ok((tookMs[name] ?? Infinity) < PAID_WITHIN_MS, `took ${JSON.stringify(tookMs)} ms`);
  }
});

it('shows its stored tokens in no log, record or metric', async () => {
  const tokens = await openKept();
  assert.equal(tokens.length, 3);
  const attempts = await world.database.query<{ text: string }>({
    name: '',
    text: 'select a::text as text from attempts a',
  });
  assert.ok(attempts.length >= 10);
  const metrics = await (await fetch(`${world.service().baseUrl}/metrics`)).text();
  const outputs = [outputBeforeKill, world.service().output()];
  const shown = [...outputs, metrics, ...attempts.map(({ text }) => text)];
  assert.match(outputBeforeKill, /listening/);
  for (const token of tokens) assert.ok(!shown.some((text) => text.includes(token)));
});
