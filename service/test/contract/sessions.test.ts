import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { forgetUsedCodes, storeAccount, type TestAccount, totpCode } from '../test-account.ts';
import { openContract } from './open-contract.ts';
import {
  COOKIE,
  newNetwork,
  openSessionClient,
  type Sent,
  SIGN_IN_ENVIRONMENT,
} from './session-client.ts';

const contract = await openContract(SIGN_IN_ENVIRONMENT);
after(() => contract.close());
const { database } = contract;
const { call, post, signIn, signedIn, isOpen, run } = openSessionClient(contract);

/** Shows the second factor again, by the code of the next step. */
const stepUp = (account: TestAccount, token: string, sent: Sent = {}) =>
  post('/step-up', { code: totpCode(account.totpSecret, 1) }, { token, ...sent });

describe('a session', () => {
  it('ends by signing out: a stolen cookie is worth nothing', async () => {
    const token = await signedIn(await storeAccount(database));
    const { status, cookie } = await call('', { method: 'DELETE', token });
    assert.equal(status, 200);
    assert.match(cookie, new RegExp(`^${COOKIE}=; Secure; .*Max-Age=0$`));
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

  it('is not kept by calls that a page makes by itself, and is by those of a person', async () => {
    const account = await storeAccount(database);
    const token = await signedIn(account);
    const idle = `last_used_at = now() - interval '29 minutes'`;
    await run(`update sessions set ${idle} where person_id = $1`, account.id);
    const idleMinutes = async (headers: Readonly<Record<string, string>>) => {
      assert.equal((await call('', { token, headers })).status, 200);
      const text = `select extract(epoch from now() - last_used_at)::float8 / 60 as minutes
                    from sessions where person_id = $1`;
      const [row] = await database.query<{ minutes: number }>({ name: '', text }, [account.id]);
      return Math.round(row?.minutes ?? 0);
    };
    assert.equal(await idleMinutes({ 'x-unattended': '1' }), 29);
    assert.equal(await idleMinutes({}), 0);
  });

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
    const used = totpCode(account.totpSecret);
    const token = (await signIn(account, { code: used })).newToken ?? '';
    const make = () => post('/factors/recovery-codes', {}, { token });
    assert.equal((await make()).code, 'STEP_UP_REQUIRED');
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
      { name: '', text: 'select after from directory.acts where actor_id = $1' },
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
    const used = totpCode(options.secret);
    const first = await set(options.secret, used);
    assert.deepEqual([first.status, first.data.recoveryCodes.length], [200, 10]);
    const { data: session } = await call('', { token });
    assert.equal(session.hasSecondFactor, true);
    await run('update sessions set stepped_up_at = null where person_id = $1', account.id);
    assert.equal((await set(account.totpSecret, totpCode(account.totpSecret))).status, 403);
    assert.equal((await post('/factors/totp/options', {}, { token })).status, 403);
    const withApp = { ...account, totpSecret: options.secret };
    assert.equal((await signIn(withApp, { code: used })).status, 401);
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
