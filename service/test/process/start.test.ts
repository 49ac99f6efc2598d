import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFile, stat } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { DemoFile } from '../../src/demo.ts';
import { totpCodeAt } from '../../src/people/totp.ts';
import { findPostmaster } from '../../src/postgres/embedded/find-postmaster.ts';
import { agreeOnSealingKeys } from '../../src/webhooks/agree-on-keys.ts';
import { createDataDir, removeDataDir } from '../data-dir.ts';
import { pollUntil } from '../poll.ts';
import {
  type RunningService,
  ServiceEnded,
  startService,
  startWithoutOutput,
} from '../running-service.ts';
import { createTestDatabase } from '../test-database.ts';

const run = promisify(execFile);
/** A signal to the process group arrives twice. */
const ECHO_AFTER_MS = 5;
let dataDir: string;
let service: RunningService;

before(async () => {
  dataDir = await createDataDir();
  service = await startService({ dataDir });
});
after(async () => {
  await service.end('SIGKILL');
  await removeDataDir(dataDir);
});

type SignedIn = Readonly<{
  person?: Readonly<{ email: string }>;
  staffRoles: readonly string[];
  memberships: readonly Readonly<{ merchant: { name: string }; roles: readonly string[] }>[];
}>;
const rolesIn = ({ merchant, roles }: SignedIn['memberships'][number]) =>
  roles.map((role) => `${role} of ${merchant.name}`);

const demoPath = () => join(dataDir, 'demo.json');
const readDemo = async () => JSON.parse(await readFile(demoPath(), 'utf8')) as DemoFile;

async function refusedStart(env: Record<string, string>): Promise<ServiceEnded> {
  return startService({ dataDir, env }).then(
    async (unexpected) => {
      await unexpected.end('SIGKILL');
      throw new Error('the service started');
    },
    (error: unknown) => {
      assert.ok(error instanceof ServiceEnded, String(error));
      return error;
    },
  );
}

async function readWallet(key: string, id: string): Promise<{ available: string; held: string }> {
  const response = await fetch(`${service.baseUrl}/api/v1/payments/wallets/${id}`, {
    headers: { 'x-api-key': key },
  });
  return ((await response.json()) as { data: { available: string; held: string } }).data;
}

describe('the first start on the embedded database', () => {
  it('writes demo.json for the owner only, with funded test wallets and empty live ones', async () => {
    const demo = await readDemo();
    assert.equal((await stat(demoPath())).mode & 0o777, 0o600);
    assert.equal(demo.baseUrl, service.baseUrl);
    for (const currency of ['ZMW', 'NGN'] as const) {
      const test = await readWallet(demo.testKey, demo.wallets.test[currency]);
      assert.deepEqual(test, { ...test, available: '1000000.00', held: '0.00' });
      const live = await readWallet(demo.liveKey, demo.wallets.live[currency]);
      assert.equal(live.available, '0.00');
    }
  });

  it('writes people of every role who can sign in, and prints how', async () => {
    const { people } = await readDemo();
    const signedIn = people.map(async ({ email, password, totpSecret }) => {
      const { code } = totpCodeAt(totpSecret, new Date());
      const response = await fetch(`${service.baseUrl}/api/v1/session`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email, password, code }),
      });
      const { data } = (await response.json()) as { data: SignedIn };
      return [data.person?.email, ...data.staffRoles, ...data.memberships.flatMap(rolesIn)];
    });
    assert.deepEqual(
      await Promise.all(signedIn),
      people.map(({ email, merchant, roles }) => [
        email,
        ...roles.map((role) => (merchant === null ? role : `${role} of ${merchant}`)),
      ]),
    );
    assert.ok(service.output().includes(`Console: http://localhost:${service.port}/console`));
    const { password = '' } = people[0] ?? {};
    assert.match(service.output(), new RegExp(`owner@demo\\.test .*${password}.* people code`));
  });

  it('prints a curl line that makes a payout when pasted', async () => {
    const line = service.output().match(/^curl .*$/m)?.[0];
    assert.ok(line !== undefined, service.output());
    const { stdout } = await run('bash', ['-c', line]);
    const { status, data } = JSON.parse(stdout) as { status: boolean; data: { id: string } };
    assert.equal(status, true);
    const { testKey } = await readDemo();
    await pollUntil('the transfer to be paid', async () => {
      const response = await fetch(`${service.baseUrl}/api/v1/payments/transfers/${data.id}`, {
        headers: { 'x-api-key': testKey },
      });
      const body = (await response.json()) as { data: { status: string } };
      return body.data.status === 'successful';
    });
  });
});

describe('a start that is refused', () => {
  it('is refused on a data folder in use, naming the service that runs there', async () => {
    const { code, output } = await refusedStart({});
    assert.equal(code, 1);
    assert.ok(output.includes(`pid ${service.pid}`), output);
  });

  it('names every bad variable at once and ends with 78', async () => {
    const { code, output } = await refusedStart({
      PORT: 'abc',
      SANDBOX_DELAY_MS: '-1',
      RATE_LIMIT_PER_SECOND: '1.5',
      DATABASE_URL: 'mysql://root:hunter2@localhost/x',
      METRICS_TOKEN: 'short',
      LOG_LEVEL: 'loud',
      SMTP_URL: 'ftp://user:hunter2@mail.example',
      MAIL_FROM: 'no address',
      CONSOLE_ORIGIN: 'console.example',
      // An address that is kept for examples, so no machine has it.
      HOST: '192.0.2.1',
      ROUTES_FILE: join(dataDir, 'no-such-routes.json'),
      WEBHOOK_SECRET_KEYS: 'k1:c2VjcmV0',
      // Below a file nothing can be written.
      DATA_DIR: join(demoPath(), 'data'),
    });
    assert.equal(code, 78);
    assert.match(output, /^ +HOST must be/m);
    assert.match(output, /^ +The route file .*no-such-routes\.json is not valid:$/m);
    assert.match(output, /^ +Key 1 of WEBHOOK_SECRET_KEYS must be/m);
    assert.match(output, /^ +DATA_DIR must be/m);
    assert.ok(!output.includes('c2VjcmV0'), 'a key was printed');
    for (const name of ['PORT', 'SANDBOX_DELAY_MS', 'RATE_LIMIT_PER_SECOND', 'DATABASE_URL']) {
      assert.ok(output.includes(name), `${name} is not named:\n${output}`);
    }
    for (const name of ['METRICS_TOKEN', 'LOG_LEVEL', 'SMTP_URL', 'MAIL_FROM', 'CONSOLE_ORIGIN']) {
      assert.ok(output.includes(name), `${name} is not named:\n${output}`);
    }
    assert.ok(!output.includes('hunter2'), 'a password was printed');
  });

  it('ends with 78 for a mistake that only the machine knows of', async () => {
    for (const [env, said] of [
      [{ HOST: '192.0.2.1' }, /HOST must be an address of this machine/],
      [{ HOST: 'no-such-host.invalid' }, /HOST must be an address of this machine/],
      [{ DATA_DIR: join(demoPath(), 'data') }, /DATA_DIR must be a folder/],
    ] as const) {
      const { code, output } = await refusedStart(env);
      assert.equal(code, 78, output);
      assert.match(output, said);
    }
  });

  it('names variables that are misspelt', async () => {
    const { output } = await refusedStart({ DATABSE_URL: 'postgres://u:hunter2@h/x', PORT: 'x' });
    assert.match(output, /DATABSE_URL is not read. Did you mean DATABASE_URL\?/);
    assert.ok(!output.includes('hunter2'));
  });

  it('says what to do when the database of DATABASE_URL is down, without the password', async () => {
    const { code, output } = await refusedStart({
      DATABASE_URL: 'postgres://kafue:hunter2@127.0.0.1:1/kafue',
    });
    assert.equal(code, 1);
    assert.match(output, /127\.0\.0\.1:1 cannot be used/);
    assert.ok(!output.includes('hunter2'));
  });

  it('ends with 78 where another process of the database has other webhook keys', async (t) => {
    const test = await createTestDatabase();
    t.after(() => test.drop());
    const keys = [{ id: 'theirs', key: randomBytes(32) }];
    const deps = { database: test.database, env: {}, now: () => new Date() };
    await agreeOnSealingKeys(deps, { keys, lost: [] });
    const { code, output } = await refusedStart({ DATABASE_URL: test.serviceUrl });
    assert.equal(code, 78);
    assert.match(output, /the key "theirs"[^]*Add it to the end of WEBHOOK_SECRET_KEYS/);
    const started = await startService({
      databaseUrl: test.serviceUrl,
      env: { WEBHOOK_KEYS_LOST: 'theirs' },
    });
    assert.equal(await started.end('SIGTERM'), 0);
  });

  it('says so when the port is taken', async () => {
    const databaseUrl = process.env.KAFUE_TEST_POSTGRES ?? '';
    const { code, output } = await refusedStart({
      DATABASE_URL: databaseUrl,
      PORT: String(service.port),
    });
    assert.equal(code, 1);
    assert.match(output, new RegExp(`Port ${service.port} is taken`));
  });
});

describe('a later start on the same folder', () => {
  it('comes after a clean end of service and database, also where SIGTERM reached it twice at once', async () => {
    const ended = service.end('SIGTERM');
    await pause(ECHO_AFTER_MS);
    process.kill(service.pid, 'SIGTERM');
    assert.equal(await ended, 0);
    assert.equal(await findPostmaster(join(dataDir, 'postgres')), undefined);
  });

  it('keeps keys, wallets and transfers, and needs no reader of its output', async () => {
    const before = await readDemo();
    service = await startWithoutOutput(dataDir);
    const { baseUrl: _, ...access } = before;
    const { baseUrl, ...accessNow } = await readDemo();
    assert.deepEqual(accessNow, access);
    assert.equal(baseUrl, service.baseUrl);
    const wallet = await readWallet(before.testKey, before.wallets.test.ZMW);
    assert.equal(wallet.available, '999974.50');
  });

  it('recovers by itself after the database server is killed', async () => {
    const { testKey, wallets } = await readDemo();
    const pidFile = await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8');
    const postmaster = Number(pidFile.split('\n')[0]);
    assert.ok(postmaster > 1);
    process.kill(postmaster, 'SIGKILL');
    await pollUntil('the service to be ready again', async () => {
      const response = await fetch(`${service.baseUrl}/health/ready`);
      if (!response.ok) return false;
      const wallet = await readWallet(testKey, wallets.test.ZMW).catch(() => undefined);
      return wallet?.available === '999974.50';
    });
  });
});

describe('a second signal', () => {
  /** Long enough that the signal is not taken for an echo of the first. */
  const SECOND_SIGNAL_AFTER_MS = 1_200;
  const DRIP_EVERY_MS = 100;

  /** A request that stays under way: its body comes too fast to be refused as slow, and does not end. */
  async function dripBody(): Promise<Socket> {
    const { testKey } = await readDemo();
    const socket = connect(service.port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(
      'POST /api/v1/payments/transfers/mobile-money/bulk HTTP/1.1\r\nhost: kafue\r\n' +
        `x-api-key: ${testKey}\r\ncontent-type: application/json\r\n` +
        'expect: 100-continue\r\ncontent-length: 1000000\r\n\r\n',
    );
    await once(socket, 'data');
    const drip = setInterval(() => socket.write(' '.repeat(1_000)), DRIP_EVERY_MS);
    socket.once('close', () => clearInterval(drip));
    return socket;
  }

  it('gives up what is under way, and still stops the database', async (t) => {
    const socket = await dripBody();
    t.after(() => socket.destroy());
    let hasEnded = false;
    const ended = service.end('SIGINT').finally(() => {
      hasEnded = true;
    });
    await pause(SECOND_SIGNAL_AFTER_MS);
    assert.equal(hasEnded, false);
    process.kill(service.pid, 'SIGINT');
    await pause(ECHO_AFTER_MS);
    if (!hasEnded) process.kill(service.pid, 'SIGINT');
    assert.equal(await ended, 1);
    assert.equal(await findPostmaster(join(dataDir, 'postgres')), undefined);
  });
});
