import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { programFile } from '../../../scripts/program-file.ts';
import { childEnvironment } from '../child-environment.ts';
import { pollUntil } from '../poll.ts';
import { type RunningService, startService } from '../running-service.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../webhook-receiver.ts';

/** The coordinator of a Citus cluster with at least one other node, as a superuser of all nodes without a password. */
const CITUS_URL = process.env['CITUS_URL'];
const PAYOUTS = 20;

type Node = Readonly<{ cell: string; variable: string; url: string }>;
type Answered = Readonly<{ status: number; data: Readonly<{ id: string; status: string }> }>;

const skip = CITUS_URL === undefined && 'CITUS_URL is not set';

describe('a service with a cell on each node of a Citus cluster', { skip }, () => {
  const name = `kafue_${randomBytes(6).toString('hex')}`;
  const coordinator = withDatabase(CITUS_URL ?? '', name);
  let nodes: readonly Node[];
  let env: Record<string, string>;
  let service: RunningService;
  let receiver: WebhookReceiver;

  before(async () => {
    nodes = (await findNodes()).map((url, index) => ({
      cell: `node_${index + 1}`,
      variable: `NODE_${index + 1}_URL`,
      url: withDatabase(url, name),
    }));
    assert.ok(nodes.length > 0, 'the cluster has no node but the coordinator');
    await createDatabases(name, nodes);
    env = Object.fromEntries(nodes.map(({ variable, url }) => [variable, url]));
    for (const { cell, variable } of nodes) {
      await admin('cells', 'add', cell, '--database-url-env', variable);
    }
    receiver = await startWebhookReceiver();
    const settings = { SANDBOX_DELAY_MS: '0', WEBHOOKS_TO_LOOPBACK: '1', ...env };
    service = await startService({ databaseUrl: coordinator, env: settings });
  });
  after(async () => {
    await service.end('SIGKILL');
    await receiver.close();
    await dropDatabases(name, nodes);
  });

  async function admin(...args: readonly string[]): Promise<Record<string, unknown>> {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [programFile('admin'), ...args, '--json'],
      { env: { ...childEnvironment(), ...env, DATABASE_URL: coordinator } },
    );
    return JSON.parse(stdout) as Record<string, unknown>;
  }

  it('tells on which node each is, and pays from the first payout to the last webhook in all', async () => {
    const { cells } = (await admin('cells', 'check')) as {
      cells: readonly Readonly<{ name: string; place: string; well: boolean }>[];
    };
    for (const { cell, url } of nodes) {
      const checked = cells.find((found) => found.name === cell);
      assert.equal(checked?.well, true);
      assert.ok(checked.place.endsWith(new URL(url).host));
    }
    const merchants = await Promise.all(nodes.map(({ cell }) => makeMerchant(cell)));
    await Promise.all(merchants.map(payAll));
    await pollUntil(
      'all webhooks arrived',
      () => receiver.journal.length >= PAYOUTS * merchants.length,
    );
  });

  it('leaves no table of ours to the planner of Citus, which refuses statements of the money path', async () => {
    for (const url of [coordinator, ...nodes.map((node) => node.url)]) {
      const rows = await query(url, 'select logicalrelid::text from pg_dist_partition');
      assert.deepEqual(rows, []);
    }
  });

  async function makeMerchant(cell: string) {
    await admin('merchants', 'create', cell, '--cell', cell);
    const at = ['--merchant', cell, '--mode', 'test'];
    const wallet = findText(
      await admin('wallets', 'create', ...at, '--currency', 'ZMW'),
      /^[0-9a-f-]{36}$/,
    );
    await admin('wallets', 'fund', wallet, '1000.00', '--reference', 'first');
    const key = findText(await admin('keys', 'create', ...at, '--name', 'test'), /^sk_test_/);
    return { wallet, key };
  }

  async function payAll({ wallet, key }: Readonly<{ wallet: string; key: string }>): Promise<void> {
    const call = async (path: string, body?: object): Promise<Answered> => {
      const response = await fetch(`${service.baseUrl}/api/v1/payments/${path}`, {
        headers: { 'x-api-key': key, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
      });
      const { data } = (await response.json()) as Pick<Answered, 'data'>;
      return { status: response.status, data };
    };
    const endpoint = { url: receiver.url(), events: ['transfer.successful'] };
    assert.equal((await call('webhooks', endpoint)).status, 201);
    for (let number = 1; number <= PAYOUTS; number += 1) {
      const { status, data } = await call('transfers/mobile-money', {
        amount: 1,
        reference: `payout-${number}`,
        phone: '0977433571',
        operator: 'airtel',
        country: 'zm',
        walletId: wallet,
      });
      assert.equal(status, 201);
      await pollUntil('the transfer is paid', async () => {
        return (await call(`transfers/${data.id}`)).data.status === 'successful';
      });
    }
  }
});

async function findNodes(): Promise<readonly string[]> {
  const rows = await query(
    CITUS_URL ?? '',
    `select nodename || ':' || nodeport as host from pg_dist_node
     where isactive and noderole = 'primary' and groupid <> 0 order by nodeid`,
  );
  return rows.map(({ host }) => {
    const url = new URL(CITUS_URL ?? '');
    url.host = String(host);
    return url.href;
  });
}

/** Each node has the extension, and none takes over what is made on another. */
async function createDatabases(name: string, nodes: readonly Node[]): Promise<void> {
  const servers = [withDatabase(CITUS_URL ?? '', name), ...nodes.map(({ url }) => url)];
  for (const url of servers) {
    await query(withDatabase(url, 'postgres'), `create database ${name}`);
    await query(url, 'create extension citus');
    await query(url, `alter database ${name} set citus.enable_ddl_propagation = off`);
  }
  const [first = '', ...others] = servers.map((url) => new URL(url));
  if (first === '') return;
  await query(first.href, `select citus_set_coordinator_host('${first.hostname}', ${first.port})`);
  for (const { hostname, port } of others) {
    await query(first.href, `select citus_add_node('${hostname}', ${port})`);
  }
}

async function dropDatabases(name: string, nodes: readonly Node[]): Promise<void> {
  for (const url of [CITUS_URL ?? '', ...nodes.map((node) => node.url)]) {
    await query(withDatabase(url, 'postgres'), `drop database ${name} with (force)`);
  }
}

async function query(url: string, text: string): Promise<readonly Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}

function withDatabase(url: string, name: string): string {
  if (url === '') return '';
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}

/** The first text anywhere in the answer that looks so. */
function findText(answer: unknown, pattern: RegExp): string {
  if (typeof answer === 'string') return pattern.test(answer) ? answer : '';
  if (typeof answer !== 'object' || answer === null) return '';
  for (const value of Object.values(answer)) {
    const found = findText(value, pattern);
    if (found !== '') return found;
  }
  return '';
}
