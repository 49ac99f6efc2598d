import assert from 'node:assert/strict';
import { hash, randomBytes } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { forgetUsedCodes, storeAccount, type TestAccount, totpCode } from '../test-account.ts';
import { openContract } from './open-contract.ts';

const METRICS_TOKEN = 'a token of this test';
/** The tests are a proxy: each case has a network of its own, so that none slows another down. */
const contract = await openContract({
  TRUSTED_PROXIES: '127.0.0.1',
  METRICS_TOKEN,
});
after(() => contract.close());
const { database, merchant, service } = contract;

const NAME = '__Host-kafue';
const PUBLIC_CALLS_MAX = 60;
const FLOOD = 200;
const FLOOD_BYTES_MAX = 150 * 1024 * 1024;

let networks = 0;
/** A network that no other case uses. */
function newNetwork(): string {
  networks += 1;
  return `198.51.${Math.floor(networks / 250)}.${(networks % 250) + 1}`;
}

type Sent = Readonly<{
  method?: string;
  body?: unknown;
  token?: string | undefined;
  network?: string;
  headers?: Readonly<Record<string, string>>;
}>;

async function call(path: string, sent: Sent = {}) {
  const { method = 'GET', body, token, network = newNetwork(), headers = {} } = sent;
  const response = await fetch(`${service.baseUrl}/api/v1/session${path}`, {
    method,
    headers: {
      'x-forwarded-for': network,
      ...(token === undefined ? {} : { cookie: `${NAME}=${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer = (await response.json()) as { message: string; data: Answered };
  const cookie = response.headers.get('set-cookie') ?? '';
  const newToken = new RegExp(`^${NAME}=([^;]*)`).exec(cookie)?.[1];
  const { data, message } = answer;
  return { status: response.status, code: data?.error?.code, message, data, cookie, newToken };
}

type Answered = Readonly<{
  error?: Readonly<{ code: string; requestId: string; fields?: readonly { code: string }[] }>;
  person: Readonly<{ id: string; email: string }>;
  memberships: readonly unknown[];
  staffRoles: readonly string[];
  steppedUpUntil: string | null;
  hasSecondFactor: boolean;
  until: string;
  items: readonly Readonly<{ id: string; current: boolean; address: string; userAgent: string }>[];
  recoveryCodes: readonly string[];
  recoveryCodesLeft: number;
  totp: object | null;
  secret: string;
  uri: string;
  qr: string;
}>;

const post = (path: string, body: unknown, sent: Sent = {}) =>
  call(path, { ...sent, method: 'POST', body });

const credentials = ({ email, password, totpSecret }: TestAccount) => ({
  email,
  password,
  code: totpCode(totpSecret),
});

const signIn = (account: TestAccount, changes: object = {}, sent: Sent = {}) =>
  post('', { ...credentials(account), ...changes }, sent);

async function signedIn(account: TestAccount, sent: Sent = {}): Promise<string> {
  await forgetUsedCodes(database, account);
  const { status, newToken, message } = await signIn(account, {}, sent);
  assert.equal(status, 200, message);
  return newToken ?? '';
}

/** Shows the second factor again, by the code of the next step. */
const stepUp = (account: TestAccount, token: string, sent: Sent = {}) =>
  post('/step-up', { code: totpCode(account.totpSecret, 1) }, { token, ...sent });

const isOpen = async (token: string) => (await call('', { token })).status === 200;

const statusesOf = (answers: readonly { status: number }[]) =>
  answers.map(({ status }) => status).toSorted((one, other) => one - other);

const run = (text: string, ...values: readonly unknown[]) =>
  database.query({ name: '', text }, values);

describe('signing in', () => {
  it('by password and code begins a session that says who it is', async () => {
    const account = await storeAccount(database, {
      roles: [
        { merchantId: merchant.id, role: 'maker' },
        { merchantId: merchant.id, role: 'maker', bookId: merchant.books.test },
        { merchantId: merchant.id, role: 'developer', bookId: merchant.books.test },
      ],
    });
    const { status, data, cookie, newToken } = await signIn(account, {
      email: ` ${account.email.toUpperCase()} `,
    });
    assert.equal(status, 200);
    assert.match(cookie, /; Secure; Path=\/; HttpOnly; SameSite=Lax$/);
    const { id, name, email } = account;
    const membership = {
      merchant: { id: merchant.id, name: merchant.name },
      roles: ['developer', 'maker'],
      books: [
        { id: merchant.books.live, mode: 'live', roles: ['maker'] },
        { id: merchant.books.test, mode: 'test', roles: ['developer', 'maker'] },
      ],
    };
    assert.deepEqual(data.person, { id, name, email });
    assert.deepEqual(data.memberships, [membership]);
    assert.deepEqual([data.staffRoles, data.steppedUpUntil], [[], null]);
    assert.equal(data.hasSecondFactor, true);
    const again = await call('', { token: newToken });
    assert.deepEqual([again.status, again.data], [200, data]);
  });

  it('has one answer for everything that is wrong', async () => {
    const [account, bare] = await Promise.all([
      storeAccount(database),
      storeAccount(database, { hasTotp: false }),
    ]);
    const removed = await storeAccount(database);
    await run('update people set removed_at = now() where id = $1', removed.id);
    const answers = await Promise.all([
      signIn(account, { email: 'stranger@example.test' }),
      signIn(account, { email: 'no address' }),
      signIn(account, { email: 'a\u0000b@example.test' }),
      signIn(account, { password: 'wrong kettle drizzle ninth' }),
      signIn(account, { password: 'x'.repeat(5_000) }),
      signIn(account, { code: '000000' }),
      signIn(account, { code: undefined }),
      signIn(account, { code: '' }),
      signIn(account, { code: 'x'.repeat(300) }),
      signIn(account, { code: removed.recoveryCodes[0] }),
      signIn(bare, { password: 'wrong kettle drizzle ninth' }),
      signIn(removed),
    ]);
    const bodies = answers.map(({ status, message, data, cookie }) => {
      assert.equal(cookie, '');
      return JSON.stringify([status, message, { ...data.error, requestId: '' }]);
    });
    assert.equal(new Set(bodies).size, 1, bodies.join('\n'));
    assert.match(bodies[0] ?? '', /^\[401,.*SIGN_IN_FAILED/);
    assert.match(service.output(), /sign-in failed/);
    for (const secret of [account.email, account.password, 'stranger@', 'wrong kettle']) {
      assert.ok(!service.output().includes(secret), `the log has ${secret}`);
    }
  });

  it('by a recovery code works once, also for two at once', async () => {
    const account = await storeAccount(database);
    const [first = '', second = ''] = account.recoveryCodes;
    const typed = first.replaceAll('-', ' ').toUpperCase();
    assert.equal((await signIn(account, { code: typed })).status, 200);
    assert.equal((await signIn(account, { code: first })).status, 401);
    const both = await Promise.all([1, 2].map(() => signIn(account, { code: second })));
    assert.deepEqual(statusesOf(both), [200, 401]);
  });

  it('by a code that was used is refused within its time, also for two at once', async () => {
    const account = await storeAccount(database);
    const code = totpCode(account.totpSecret);
    const both = await Promise.all([1, 2].map(() => signIn(account, { code })));
    assert.deepEqual(statusesOf(both), [200, 401]);
    assert.equal((await signIn(account, { code })).status, 401);
    const earlier = totpCode(account.totpSecret, -1);
    assert.equal((await signIn(account, { code: earlier })).status, 401);
    assert.equal((await signIn(account, { code: totpCode(account.totpSecret, 1) })).status, 200);
    assert.equal((await signIn(account, { code: totpCode(account.totpSecret, 3) })).status, 401);
  });

  it('never keeps a cookie from before, and ends its session', async () => {
    const [account, thief] = await Promise.all([storeAccount(database), storeAccount(database)]);
    const planted = await signedIn(thief);
    const { newToken } = await signIn(account, {}, { token: planted });
    assert.notEqual(newToken, planted);
    assert.equal(await isOpen(planted), false);
    const invented = 'A'.repeat(43);
    const other = await storeAccount(database);
    assert.notEqual((await signIn(other, {}, { token: invented })).newToken, invented);
    assert.equal(await isOpen(invented), false);
  });

  it('is refused from a page of another origin', async () => {
    const account = await storeAccount(database);
    for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.test' }]) {
      const { status, code, cookie } = await signIn(account, {}, { headers });
      assert.deepEqual([status, code, cookie], [403, 'FORBIDDEN', '']);
    }
    const token = await signedIn(account);
    const headers = { 'sec-fetch-site': 'same-site' };
    assert.equal((await call('', { method: 'DELETE', token, headers })).status, 403);
    assert.equal(await isOpen(token), true);
  });

  it('tells which fields are missing', async () => {
    const { status, code, data } = await post('', { email: 7, extra: true });
    assert.deepEqual([status, code, data.error?.fields?.length], [400, 'VALIDATION_ERROR', 3]);
  });

  it('is offered by password', async () => {
    const { status, data } = await call('/methods');
    const methods = { password: true, passkey: true, singleSignOn: false, demo: false };
    assert.deepEqual([status, data], [200, methods]);
  });
});

describe('too many attempts', () => {
  it('make a person wait, with the same answer for the right password, and the wait ends', async () => {
    const account = await storeAccount(database);
    const network = newNetwork();
    const wrong = { password: 'wrong kettle drizzle ninth' };
    for (let attempt = 0; attempt < 5; attempt += 1) await signIn(account, wrong, { network });
    const waiting = await signIn(account, {}, { network });
    assert.deepEqual([waiting.status, waiting.code], [401, 'SIGN_IN_FAILED']);
    assert.equal((await signIn(account)).status, 200, 'another network waited, too');
    await forgetUsedCodes(database, account);
    await run(`update sign_in_attempts set waits_until = now() where waits_until > now()`);
    assert.equal((await signIn(account, {}, { network })).status, 200);
    await forgetUsedCodes(database, account);
    await signIn(account, wrong, { network });
    assert.equal((await signIn(account, {}, { network })).status, 200, 'success did not forget');
  });

  it('at once are no way around the wait', async () => {
    const account = await storeAccount(database);
    const network = newNetwork();
    const wrong = { password: 'wrong kettle drizzle ninth' };
    await Promise.all(Array.from({ length: 12 }, () => signIn(account, wrong, { network })));
    const [counted] = await database.query<{ failures: number }>({
      name: '',
      text: 'select failures from sign_in_attempts order by failed_at desc, failures limit 1',
    });
    assert.equal(counted?.failures, 5, 'more than 5 were looked at');
    assert.equal((await signIn(account, {}, { network })).status, 401);
  });

  it('from many networks do not keep a person out of the one they use', async () => {
    const account = await storeAccount(database);
    const network = newNetwork();
    await signedIn(account, { network });
    const wrong = { password: 'wrong kettle drizzle ninth' };
    await Promise.all(Array.from({ length: 20 }, () => signIn(account, wrong)));
    // The first wait has 5 seconds, which a busy machine needs for the attempts themselves.
    await run(`update sign_in_attempts set waits_until = waits_until + interval '1 minute'`);
    await forgetUsedCodes(database, account);
    assert.equal((await signIn(account)).status, 401, 'a new network need not wait');
    assert.equal((await signIn(account, {}, { network })).status, 200);
  });

  it('with wrong codes make the person wait in all new networks', async () => {
    const account = await storeAccount(database);
    for (let attempt = 0; attempt < 5; attempt += 1) await signIn(account, { code: '000000' });
    assert.equal((await signIn(account)).status, 401);
  });

  it('against many people from one network make the network wait', async () => {
    const account = await storeAccount(database);
    const network = newNetwork();
    await run(
      `insert into sign_in_attempts (key, failures, failed_at) values ($1, 99, now())`,
      hash('sha256', `network\n${network}`, 'buffer'),
    );
    const { status } = await signIn(account, { email: 'stuffed@example.test' }, { network });
    assert.equal(status, 401);
    assert.equal((await signIn(account, {}, { network })).status, 401);
    assert.equal((await signIn(account)).status, 200);
  });

  it('of one network are refused for their rate before anything is hashed', async () => {
    const network = newNetwork();
    const calls = Array.from({ length: PUBLIC_CALLS_MAX + 5 }, () => call('/methods', { network }));
    const refused = (await Promise.all(calls)).filter(({ status }) => status === 429);
    assert.ok(refused.length > 0);
  });

  it('at a cookie are refused for their rate, and keep none out who is signed in', async () => {
    const network = newNetwork();
    const token = await signedIn(await storeAccount(database), { network });
    assert.equal((await call('', { token, network })).status, 200);
    const guess = () => call('', { token: randomBytes(32).toString('base64url'), network });
    const statuses: number[] = [];
    for (let turn = 0; turn < 8; turn += 1) {
      const turns = await Promise.all(Array.from({ length: 50 }, guess));
      statuses.push(...turns.map(({ status }) => status));
    }
    assert.deepEqual([...new Set(statuses)], [401, 429]);
    assert.equal((await call('', { token, network })).status, 200);
    assert.equal((await call('', { token: 'x' })).status, 401);
  });

  it('in a flood leave memory bounded and health answered', async () => {
    const account = await storeAccount(database);
    const before = await residentBytes();
    const flood = Promise.all(
      Array.from({ length: FLOOD }, (_, index) =>
        signIn(account, { email: `flood-${index}@example.test` }),
      ),
    );
    const startedMs = performance.now();
    const health = await fetch(`${service.baseUrl}/health/live`);
    assert.equal(health.status, 200);
    assert.ok(performance.now() - startedMs < 2_000, 'health waited for the flood');
    const during = await residentBytes();
    assert.deepEqual([...new Set(statusesOf(await flood))], [401, 503]);
    assert.ok(during - before < FLOOD_BYTES_MAX, `${during - before} bytes more`);
  });
});

async function residentBytes(): Promise<number> {
  const response = await fetch(`${service.baseUrl}/metrics`, {
    headers: { authorization: `Bearer ${METRICS_TOKEN}` },
  });
  const text = await response.text();
  assert.match(text, /kafue_sign_ins_total\{result="succeeded"\} [1-9]/);
  return Number(/^kafue_process_resident_memory_bytes (\S+)/m.exec(text)?.[1]);
}

describe('a session', () => {
  it('ends by signing out: a stolen cookie is worth nothing', async () => {
    const token = await signedIn(await storeAccount(database));
    const { status, cookie } = await call('', { method: 'DELETE', token });
    assert.equal(status, 200);
    assert.match(cookie, new RegExp(`^${NAME}=; Secure; .*Max-Age=0$`));
    const { status: after, code } = await call('', { token });
    assert.deepEqual([after, code], [401, 'UNAUTHORIZED']);
  });

  for (const [what, text] of [
    ['idle for 30 minutes', `last_used_at = now() - interval '30 minutes'`],
    ['12 hours old', `expires_at = now(), created_at = now() - interval '12 hours'`],
  ]) {
    it(`ends when it is ${what}`, async () => {
      const account = await storeAccount(database);
      const token = await signedIn(account);
      await run(`update sessions set ${text} where person_id = $1`, account.id);
      assert.equal(await isOpen(token), false);
    });
  }

  it('lives for 12 hours at most from its beginning', async () => {
    const account = await storeAccount(database);
    await signedIn(account);
    const [row] = await database.query<{ hours: number }>(
      {
        name: '',
        text: `select extract(epoch from expires_at - created_at)::float8 / 3600 as hours
               from sessions where person_id = $1`,
      },
      [account.id],
    );
    assert.equal(row?.hours, 12);
  });

  it('is listed to its owner, who can end it, and to no one else', async () => {
    const [account, other] = await Promise.all([storeAccount(database), storeAccount(database)]);
    const network = newNetwork();
    const headers = { 'user-agent': 'Lost laptop' };
    const [lost, token] = [await signedIn(account, { network, headers }), await signedIn(account)];
    const { data } = await call('/sessions', { token });
    const found = data.items.find(({ userAgent }) => userAgent === 'Lost laptop');
    assert.deepEqual([data.items.length, found?.address, found?.current], [2, network, false]);
    const path = `/sessions/${found?.id}`;
    const stranger = await call(path, { method: 'DELETE', token: await signedIn(other) });
    assert.deepEqual([stranger.status, stranger.code], [404, 'SESSION_NOT_FOUND']);
    assert.equal(await isOpen(lost), true);
    assert.equal((await call(path, { method: 'DELETE', token })).status, 200);
    assert.deepEqual([await isOpen(lost), await isOpen(token)], [false, true]);
    assert.equal((await call(path, { method: 'DELETE', token })).status, 404);
  });
});

describe('stepping up', () => {
  it('is needed, lasts 5 minutes, and takes each code once', async () => {
    const account = await storeAccount(database);
    const token = await signedIn(account);
    const make = () => post('/factors/recovery-codes', {}, { token });
    assert.equal((await make()).code, 'STEP_UP_REQUIRED');
    const used = totpCode(account.totpSecret);
    assert.equal((await post('/step-up', { code: used }, { token })).status, 401);
    const { status, data } = await stepUp(account, token);
    assert.equal(status, 200);
    assert.ok(Math.abs(Date.parse(data.until) - Date.now() - 5 * 60_000) < 10_000);
    assert.equal((await call('', { token })).data.steppedUpUntil, data.until);
    assert.equal((await make()).status, 200);
    await run(
      `update sessions set stepped_up_at = now() - interval '5 minutes 1 second' where person_id = $1`,
      account.id,
    );
    assert.equal((await make()).code, 'STEP_UP_REQUIRED');
    assert.equal((await call('', { token })).data.steppedUpUntil, null);
  });

  it('slows down one who has the cookie and guesses codes', async () => {
    const account = await storeAccount(database);
    const network = newNetwork();
    const token = await signedIn(account, { network });
    for (let attempt = 0; attempt < 5; attempt += 1) {
      const { code } = await post('/step-up', { code: '000000' }, { token, network });
      assert.equal(code, 'SIGN_IN_FAILED');
    }
    assert.equal((await stepUp(account, token, { network })).status, 401);
  });
});

describe('an account', () => {
  it('changes its password, which ends all other sessions, the old password and copies of the cookie', async () => {
    const account = await storeAccount(database);
    const stolen = await signedIn(account);
    const token = await signedIn(account);
    const password = 'eleven marble turnips sing';
    const change = (body: object) => post('/password', body, { token });
    assert.equal((await change({ current: account.password, password })).code, 'STEP_UP_REQUIRED');
    await stepUp(account, token);
    assert.equal((await change({ current: 'wrong kettle', password })).code, 'SIGN_IN_FAILED');
    for (const weak of ['short', 'Password2026!', account.email]) {
      const { status, data } = await change({ current: account.password, password: weak });
      assert.deepEqual([status, data.error?.fields?.[0]?.code], [400, 'WEAK_PASSWORD'], weak);
    }
    const { status, newToken = '' } = await change({ current: account.password, password });
    assert.equal(status, 200);
    const open = await Promise.all([stolen, token, newToken].map(isOpen));
    assert.deepEqual(open, [false, false, true]);
    await forgetUsedCodes(database, account);
    assert.equal((await signIn(account)).status, 401);
    assert.equal((await signIn(account, { password })).status, 200);
    const [act] = await database.query<{ after: object }>(
      { name: '', text: 'select after from acts where actor_id = $1' },
      [account.id],
    );
    assert.deepEqual(act?.after, { sessionsEnded: 1 });
  });

  it('sets up an authenticator app, and another one only with the first', async () => {
    const account = await storeAccount(database, { hasTotp: false });
    const { data, newToken: token } = await signIn(account, { code: undefined });
    assert.equal(data.hasSecondFactor, false);
    assert.equal((await post('/step-up', { code: '000000' }, { token })).status, 403);
    const { data: options } = await post('/factors/totp/options', {}, { token });
    assert.match(options.uri, /^otpauth:\/\/totp\/Kafue.*secret=/);
    assert.match(options.qr, /^<svg /);
    const set = (secret: string, code: string) =>
      post('/factors/totp', { secret, code }, { token });
    assert.equal((await set(options.secret, '000000')).status, 400);
    assert.equal((await set('short', '000000')).status, 400);
    const first = await set(options.secret, totpCode(options.secret));
    assert.deepEqual([first.status, first.data.recoveryCodes.length], [200, 10]);
    const { data: session } = await call('', { token });
    assert.equal(session.hasSecondFactor, true);
    await run('update sessions set stepped_up_at = null where person_id = $1', account.id);
    assert.equal((await set(account.totpSecret, totpCode(account.totpSecret))).status, 403);
    assert.equal((await post('/factors/totp/options', {}, { token })).status, 403);
    const withApp = { ...account, totpSecret: options.secret };
    assert.equal((await signIn(withApp, { code: totpCode(options.secret) })).status, 401);
    await stepUp(withApp, token ?? '');
    const second = await set(account.totpSecret, totpCode(account.totpSecret));
    assert.deepEqual([second.status, second.data], [200, {}]);
    const { data: factors } = await call('/factors', { token });
    assert.equal(factors.recoveryCodesLeft, 10);
    assert.notEqual(factors.totp, null);
    const [code] = first.data.recoveryCodes;
    assert.equal((await signIn(account, { code })).status, 200);
    assert.equal((await call('/factors', { token })).data.recoveryCodesLeft, 9);
  });

  it('makes new recovery codes, and the old ones end', async () => {
    const account = await storeAccount(database);
    const token = await signedIn(account);
    await stepUp(account, token);
    const { data } = await post('/factors/recovery-codes', {}, { token });
    assert.equal(new Set(data.recoveryCodes).size, 10);
    assert.equal((await signIn(account, { code: account.recoveryCodes[0] })).status, 401);
    assert.equal((await signIn(account, { code: data.recoveryCodes[0] })).status, 200);
    const kept = await run('select hash from recovery_codes where person_id = $1', account.id);
    assert.ok(!JSON.stringify(kept).includes(data.recoveryCodes[0] ?? ''));
  });

  it('keeps preferences of up to 4 KiB', async () => {
    const token = await signedIn(await storeAccount(database));
    assert.deepEqual((await call('/preferences', { token })).data, {});
    const preferences = {
      theme: 'dark',
      density: 'compact',
      timeZone: 'Africa/Lusaka',
      singleKeys: true,
      columns: { transfers: ['amount', 'state'], width: 7.5 },
    };
    const put = (body: object) => call('/preferences', { method: 'PUT', body, token });
    assert.deepEqual((await put(preferences)).data, preferences);
    assert.deepEqual((await call('/preferences', { token })).data, preferences);
    assert.equal((await put({ other: 1 })).status, 400);
    const large = { columns: Array.from({ length: 90 }, () => 'x'.repeat(50)) };
    assert.equal((await put(large)).status, 413);
  });
});
