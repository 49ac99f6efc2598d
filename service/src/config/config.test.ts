import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { it } from 'node:test';
import { VARIABLES } from '../environment/variables.ts';
import { BadConfig, readConfig } from './config.ts';

it('needs nothing to be set', () => {
  assert.deepEqual(readConfig({}), {
    host: '127.0.0.1',
    port: 3_000,
    hasConsole: true,
    consolePort: undefined,
    trustedProxies: [],
    dataDir: resolve('data'),
    runAs: undefined,
    databaseUrl: undefined,
    allowUnsafeDatabase: false,
    migrationDatabaseUrl: undefined,
    routesFile: undefined,
    sandboxDelayMs: 1_000,
    rateLimitPerSecond: 1_000,
    resolveLimitPerDay: 10_000,
    webhookKeysLost: [],
    metricsToken: undefined,
    consoleOrigin: undefined,
    issuer: undefined,
    mail: undefined,
    logLevel: 'info',
    webhooksToLoopback: [],
    webhookTimeScale: 1,
  });
});

it('takes a variable that is set to nothing as not set', () => {
  assert.deepEqual(readConfig({ PORT: '', DATABASE_URL: '', HOST: '' }), readConfig({}));
});

it('gives the console a port of its own, any with 0, unless it is that of the API', () => {
  const portOf = (env: Record<string, string>) => readConfig(env).consolePort;
  assert.equal(portOf({ CONSOLE_PORT: '3001' }), 3_001);
  assert.equal(portOf({ CONSOLE_PORT: '3000' }), undefined);
  assert.equal(portOf({ PORT: '4000', CONSOLE_PORT: '4000' }), undefined);
  assert.equal(portOf({ PORT: '0', CONSOLE_PORT: '0' }), 0);
  assert.equal(readConfig({ CONSOLE: 'off' }).hasConsole, false);
});

it('takes addresses and ranges as trusted proxies', () => {
  const { trustedProxies } = readConfig({ TRUSTED_PROXIES: '10.0.0.0/8, ::1,fd00::/8' });
  assert.deepEqual(trustedProxies, ['10.0.0.0/8', '::1', 'fd00::/8']);
  for (const text of ['proxy.example', '10.0.0.0/', '10.0.0.0/8;::1', '10.0.0/8', '::1/129']) {
    assert.throws(() => readConfig({ TRUSTED_PROXIES: text }), BadConfig, text);
  }
});

it('takes the URL of the owner only beside the one that it works with', () => {
  const MIGRATION_DATABASE_URL = 'postgres://owner:secret@localhost/kafue';
  const DATABASE_URL = 'postgres://service:secret@localhost/kafue';
  const { migrationDatabaseUrl } = readConfig({ DATABASE_URL, MIGRATION_DATABASE_URL });
  assert.equal(migrationDatabaseUrl, MIGRATION_DATABASE_URL);
  assert.throws(() => readConfig({ MIGRATION_DATABASE_URL }), /MIGRATION_DATABASE_URL needs/);
});

it('lets webhooks reach this machine only for the books that it is told', () => {
  const modes = (text: string) => readConfig({ WEBHOOKS_TO_LOOPBACK: text }).webhooksToLoopback;
  assert.deepEqual(modes(''), []);
  assert.deepEqual(modes('0'), []);
  assert.deepEqual(modes('1'), ['test']);
  assert.deepEqual(modes('live'), ['test', 'live']);
  for (const text of ['2', 'test', 'constructor']) assert.throws(() => modes(text), BadConfig);
});

it('takes an origin of the console without a path, over https or on this machine', () => {
  const read = (text: string) => readConfig({ CONSOLE_ORIGIN: text }).consoleOrigin;
  for (const text of [
    'https://console.example.com',
    'https://console.example.com:8443',
    'http://localhost:3000',
    'http://127.0.0.1:3000',
  ]) {
    assert.equal(read(text), text);
  }
  for (const text of [
    'console.example.com',
    'https://console.example.com/',
    'https://console.example.com/console',
    'https://user@console.example.com',
    'http://console.example.com',
    'http://localhost.example.com',
    'http://127.evil.example',
    'javascript:alert(1)',
  ]) {
    assert.throws(() => read(text), BadConfig, text);
  }
});

it('takes single sign-on whole or not at all, and repeats no secret', () => {
  const whole = {
    OIDC_ISSUER: 'https://login.example.com/kafue',
    OIDC_CLIENT_ID: 'kafue',
    OIDC_CLIENT_SECRET: 'a-secret-of-the-issuer',
  };
  assert.equal(readConfig(whole).issuer?.issuer.href, whole.OIDC_ISSUER);
  for (const name of Object.keys(whole)) {
    const problemsOf = () => readConfig({ ...whole, [name]: '' });
    assert.throws(problemsOf, (error) => {
      assert.ok(error instanceof BadConfig);
      assert.equal(error.problems.length, 1);
      assert.match(error.message, new RegExp(`${name} must be set too`));
      assert.doesNotMatch(error.message, /a-secret-of-the-issuer/);
      return true;
    });
  }
  for (const issuer of ['http://login.example.com', 'https://login.example.com?a=b', 'login']) {
    assert.throws(() => readConfig({ ...whole, OIDC_ISSUER: issuer }), BadConfig, issuer);
  }
  assert.ok(readConfig({ ...whole, OIDC_ISSUER: 'http://127.0.0.1:4000' }).issuer);
});

it('names all bad variables at once and repeats no value', () => {
  const fine = { OIDC_CLIENT_ID: 'kafue', OIDC_CLIENT_SECRET: 'a-secret-of-the-issuer' };
  const bad = {
    HOST: 'a b',
    PORT: '65536',
    CONSOLE: 'hidden',
    CONSOLE_PORT: '70000',
    TRUSTED_PROXIES: '10.0.0.0/8, 10.0.0.1/33',
    DATA_DIR: '  ',
    DATABASE_URL: 'postgres-secret',
    ALLOW_UNSAFE_DATABASE: 'true',
    SANDBOX_DELAY_MS: '1e3',
    RATE_LIMIT_PER_SECOND: '-5',
    RESOLVE_LIMIT_PER_DAY: '1.5',
    WEBHOOK_KEYS_LOST: 'k1:secret',
    METRICS_TOKEN: 'tiny',
    CONSOLE_ORIGIN: 'http://console.example.com',
    OIDC_ISSUER: 'http://login.example.com',
    LOG_LEVEL: 'verbose',
    WEBHOOKS_TO_LOOPBACK: 'yes',
    WEBHOOK_TIME_SCALE: '-0.5',
  };
  assert.throws(
    () => readConfig({ ...fine, ...bad }),
    (error) => {
      assert.ok(error instanceof BadConfig);
      assert.equal(error.problems.length, Object.keys(bad).length);
      for (const [name, value] of Object.entries(bad)) {
        assert.ok(error.problems.some((problem) => problem.startsWith(name)));
        assert.ok(!error.message.includes(value.trim() || '\0'), `${name} is repeated`);
      }
      return true;
    },
  );
});

it('refuses a way to encrypt that there is not, without the password', () => {
  for (const [parameters, wanted] of [
    ['sslmode=verify_full', /DATABASE_URL: sslmode must be one of disable/],
    ['sslrootcert=/not/there.pem', /DATABASE_URL: sslrootcert names \/not\/there\.pem/],
  ] as const) {
    const databaseUrl = `postgres://kafue:hunter2@db.example/kafue?${parameters}`;
    assert.throws(
      () => readConfig({ DATABASE_URL: databaseUrl }),
      (error) =>
        error instanceof BadConfig &&
        wanted.test(error.message) &&
        !error.message.includes('hunter2'),
    );
  }
});

it('lists every variable that it reads, and the README explains them', () => {
  const read = new Set<string>();
  const env = new Proxy<Record<string, string | undefined>>(
    {},
    {
      get(_, name) {
        if (typeof name === 'string') read.add(name);
        return undefined;
      },
    },
  );
  readConfig(env);
  assert.deepEqual(
    [...read].filter((name) => !VARIABLES.includes(name)),
    [],
  );
  const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8');
  const explained = [...readme.matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, name = '']) => name);
  assert.deepEqual(
    explained.filter((name) => !VARIABLES.includes(name)),
    [],
  );
  // For tests alone.
  const unexplained = VARIABLES.filter((name) => !explained.includes(name));
  assert.deepEqual(unexplained, ['WEBHOOK_TIME_SCALE', 'FAILPOINTS']);
});

it('cannot be changed afterwards', () => {
  assert.ok(Object.isFrozen(readConfig({})));
});
