import assert from 'node:assert/strict';
import { hash, randomBytes } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { forgetUsedCodes, storeAccount, totpCode } from '../test-account.ts';
import { openContract } from './open-contract.ts';
import {
  METRICS_TOKEN,
  newNetwork,
  openSessionClient,
  SIGN_IN_ENVIRONMENT,
} from './session-client.ts';

const contract = await openContract(SIGN_IN_ENVIRONMENT);
after(() => contract.close());
const { database, merchant, service } = contract;
const { call, post, signIn, signedIn, isOpen, run } = openSessionClient(contract);

const PUBLIC_CALLS_MAX = 60;
const FLOOD = 200;
const FLOOD_BYTES_MAX = 150 * 1024 * 1024;

const statusesOf = (answers: readonly { status: number }[]) =>
  answers.map(({ status }) => status).toSorted((one, other) => one - other);

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
