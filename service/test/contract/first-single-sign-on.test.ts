import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { startFakeIssuer } from '../fakes/fake-issuer.ts';
import { pollUntil } from '../poll.ts';
import { forgetUsedCodes, storeAccount, type TestAccount, totpCode } from '../test-account.ts';
import { storePerson } from '../test-person.ts';
import { openContract } from './open-contract.ts';
import { everywhere, newEmail, openTeams, PASSWORD, tokenOf } from './open-teams.ts';

const issuer = await startFakeIssuer();
after(() => issuer.close());
const contract = await openContract({
  OIDC_ISSUER: issuer.baseUrl,
  OIDC_CLIENT_ID: issuer.clientId,
  OIDC_CLIENT_SECRET: issuer.clientSecret,
});
after(() => contract.close());
const { database, service } = contract;
const { call, open, accept } = openTeams(contract);
const SESSION = `${service.baseUrl}/api/v1/session`;
const FAILED = [401, 'SIGN_IN_FAILED'];

const WAITS_FOR_LOCK = `
  select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;

const run = (text: string, ...values: readonly unknown[]) =>
  database.query({ name: '', text }, values);
const cookieOf = (response: Response) => response.headers.get('set-cookie')?.split(';')[0] ?? '';

/** The person with this address signs in at the issuer. Returns the cookie of the session. */
async function signOn(email: string): Promise<string> {
  const begun = await fetch(`${SESSION}/single-sign-on`, { redirect: 'manual' });
  const location = begun.headers.get('location') ?? '';
  const back = issuer.signIn(location, { email, email_verified: true });
  const headers = { cookie: cookieOf(begun) };
  const ended = await fetch(back, { redirect: 'manual', headers });
  assert.equal(ended.status, 302);
  return cookieOf(ended);
}

async function signIn(account: Pick<TestAccount, 'email' | 'password'>, code: string) {
  const { email, password } = account;
  const body = { email, password, ...(code === '' ? {} : { code }) };
  const answer = await call('session', { method: 'POST', body });
  return { refusal: [answer.status, answer.code], cookie: answer.setCookie ?? '' };
}

/** An account with everything by which one signs in. */
async function storeWithPasskey(): Promise<TestAccount> {
  const account = await storeAccount(database);
  await run(
    `insert into passkeys (id, person_id, credential_id, public_key, counter, name, created_at)
     values ($1, $2, $3, $4, 0, 'A phone', now())`,
    randomUUID(),
    account.id,
    randomBytes(32),
    randomBytes(77),
  );
  return account;
}

const factorsOf = async (as: string) => {
  const { text } = await call('session/factors', { as });
  return (JSON.parse(text) as { data: Record<string, unknown> }).data;
};
const resetsOf = ({ id }: Pick<TestAccount, 'id'>) =>
  run(
    `select actor_id, before, after from directory.acts where kind = 'ACCOUNT_RESET' and subject = $1`,
    id,
  );

describe('the first single sign-on', () => {
  it('ends what was set up before the issuer vouched for the address, and says so', async () => {
    const account = await storeWithPasskey();
    const { cookie: before } = await signIn(account, totpCode(account.totpSecret));
    const cookie = await signOn(account.email);
    assert.equal((await call('session', { as: before })).status, 401);
    await forgetUsedCodes(database, account);
    assert.deepEqual((await signIn(account, totpCode(account.totpSecret))).refusal, FAILED);
    const { resetAt, ...factors } = await factorsOf(cookie);
    assert.deepEqual(factors, { totp: null, passkeys: [], recoveryCodesLeft: 0 });
    assert.ok(typeof resetAt === 'string');
    assert.deepEqual(await resetsOf(account), [
      {
        actor_id: account.id,
        before: {
          name: account.name,
          email: account.email,
          password: true,
          authenticatorApp: true,
          passkeys: 1,
          recoveryCodes: 10,
          sessions: 1,
        },
        after: {
          password: false,
          authenticatorApp: false,
          passkeys: 0,
          recoveryCodes: 0,
          sessions: 0,
        },
      },
    ]);
  });

  it('ends nothing that is set up after it', async () => {
    const account = await storeAccount(database);
    const cookie = await signOn(account.email);
    const asked = await call('session/factors/totp/options', {
      method: 'POST',
      as: cookie,
      body: {},
    });
    const { secret = '' } = asked.data;
    const body = { secret, code: totpCode(secret) };
    const set = await call('session/factors/totp', { method: 'POST', as: cookie, body });
    assert.equal(set.status, 200, set.text);
    const again = await signOn(account.email);
    assert.equal((await call('session', { as: cookie })).status, 200);
    const factors = await factorsOf(again);
    assert.equal(factors['recoveryCodesLeft'], 10);
    assert.notEqual(factors['totp'], null);
    assert.equal((await resetsOf(account)).length, 1);
  });

  it('is no act where there was nothing to end', async () => {
    const person = await storePerson(database);
    await run('delete from sessions where person_id = $1', person.id);
    const cookie = await signOn(person.email);
    assert.equal((await factorsOf(cookie))['resetAt'], null);
    assert.deepEqual(await resetsOf(person), []);
  });

  it('of two at once resets the account once, and both sign in', async () => {
    const account = await storeAccount(database);
    const cookies = await Promise.all([signOn(account.email), signOn(account.email)]);
    assert.equal((await resetsOf(account)).length, 1);
    const answers = await Promise.all(cookies.map((as) => call('session', { as })));
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200],
    );
  });

  it('leaves nothing to a session that waits for it to set up a factor of its own', async () => {
    const account = await storeAccount(database, { hasTotp: false });
    const { cookie: as } = await signIn(account, '');
    const asked = await call('session/factors/totp/options', { method: 'POST', as, body: {} });
    const { secret = '' } = asked.data;
    const body = { secret, code: totpCode(secret) };
    const setUp = await database.transaction(async (tx) => {
      const query = (text: string) => tx.query({ name: '', text }, [account.id]);
      await query('select id from people where id = $1 for update');
      const waiting = call('session/factors/totp', { method: 'POST', as, body });
      await pollUntil('a change that waits for the person', async () => {
        const found = await run(WAITS_FOR_LOCK);
        return found.length > 0;
      });
      await query('update sessions set ended_at = now() where person_id = $1');
      return { waiting };
    });
    const { status, code } = await setUp.waiting;
    assert.deepEqual([status, code], [401, 'UNAUTHORIZED']);
    assert.deepEqual(await run('select 1 from totp_factors where person_id = $1', account.id), []);
  });

  it('takes an account from the owner who made it in the name of a person of the staff', async () => {
    const email = newEmail();
    const { invite } = await open();
    const invited = await invite({ email });
    const made = await accept(tokenOf(invited.data.link));
    assert.equal(made.status, 200, made.text);
    const admin = await storePerson(database, { staffRoles: ['admin', 'support'] });
    const body = { name: 'Bupe Zulu', email, roles: everywhere('support') };
    const staff = await call('operations/invitations', { method: 'POST', as: admin, body });
    assert.equal(staff.status, 201, staff.text);

    const as = await signOn(email);
    const path = `session/invitations/${tokenOf(staff.data.link)}`;
    const accepted = await call(path, { method: 'POST', as, body: {} });
    assert.deepEqual([accepted.status, accepted.data.staffRoles], [200, ['support']]);

    assert.equal((await call('session', { as: made.setCookie ?? '' })).status, 401);
    const account = { email, password: PASSWORD };
    const [recoveryCode = ''] = made.data.recoveryCodes ?? [];
    for (const code of [totpCode(made.totpSecret, 1), recoveryCode]) {
      assert.deepEqual((await signIn(account, code)).refusal, FAILED);
    }
  });
});
