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

/** What the issuer says of a person who showed a second factor there. */
const TWO_FACTORS = { amr: ['pwd', 'otp', 'mfa'] };

/** The person with this address signs in at the issuer. Returns the cookie of the session. */
async function signOn(email: string, claims: object = {}): Promise<string> {
  const begun = await fetch(`${SESSION}/single-sign-on`, { redirect: 'manual' });
  const location = begun.headers.get('location') ?? '';
  const back = issuer.signIn(location, { email, email_verified: true, ...claims });
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
async function storeWithPasskey(given: Parameters<typeof storeAccount>[1] = {}) {
  const account = await storeAccount(database, given);
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
const isVouchedFor = async ({ id }: Pick<TestAccount, 'id'>) => {
  const [row] = await run('select vouched_at from people where id = $1', id);
  return row?.['vouched_at'] !== null;
};
const stepUp = (as: string, code: string) =>
  call('session/step-up', { method: 'POST', as, body: { code } });
const resetsOf = ({ id }: Pick<TestAccount, 'id'>) =>
  run(
    `select actor_id, before, after from directory.acts where kind = 'ACCOUNT_RESET' and subject = $1`,
    id,
  );

describe('the first single sign-on', () => {
  it('ends what was set up before the issuer vouched for the address, and says so', async () => {
    const account = await storeWithPasskey();
    const { cookie: before } = await signIn(account, totpCode(account.totpSecret));
    const cookie = await signOn(account.email, TWO_FACTORS);
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

  it('is seen by the owners of every merchant of the person', async () => {
    const [one, two] = await Promise.all([open(), open()]);
    const roles = [one, two].map(({ merchant }) => ({
      merchantId: merchant.id,
      role: 'maker' as const,
    }));
    const account = await storeAccount(database, { roles });
    await signOn(account.email, TWO_FACTORS);
    for (const { path, owner } of [one, two]) {
      const { text } = await call(`${path}/activity?kind=ACCOUNT_RESET`, { as: owner });
      const { items } = (
        JSON.parse(text) as { data: { items: { actor: object; before: object }[] } }
      ).data;
      assert.deepEqual(
        items.map(({ actor }) => actor),
        [{ kind: 'person', id: account.id, name: account.name }],
      );
    }
    assert.equal((await resetsOf(account)).length, 2);
  });

  it('with one factor resets an account that has a password alone', async () => {
    const account = await storeAccount(database, { hasTotp: false });
    await signOn(account.email);
    assert.deepEqual((await signIn(account, '')).refusal, FAILED);
    assert.ok(await isVouchedFor(account));
  });

  it('with one factor ends no second factor of the account, and sets up none', async () => {
    const { merchant } = await open();
    const roles = [{ merchantId: merchant.id, role: 'approver' as const }];
    const account = await storeWithPasskey({ roles });
    const { cookie: before } = await signIn(account, totpCode(account.totpSecret));
    const as = await signOn(account.email);
    const { totp, passkeys, recoveryCodesLeft, resetAt } = await factorsOf(as);
    assert.notEqual(totp, null);
    assert.equal((passkeys as unknown[]).length, 1);
    assert.deepEqual([recoveryCodesLeft, resetAt], [10, null]);
    const approvals = await call('payments/approvals', { as, book: merchant.books.live });
    assert.deepEqual([approvals.status, approvals.code], [403, 'SECOND_FACTOR_REQUIRED']);
    for (const path of ['session/factors/totp/options', 'session/factors/passkeys/options']) {
      const refused = await call(path, { method: 'POST', as, body: {} });
      assert.deepEqual([refused.status, refused.code], [403, 'STEP_UP_REQUIRED'], path);
    }
    assert.equal((await call('session', { as: before })).status, 200);
    await forgetUsedCodes(database, account);
    assert.equal((await signIn(account, totpCode(account.totpSecret))).refusal[0], 200);
    assert.deepEqual(await resetsOf(account), []);
    assert.equal(await isVouchedFor(account), false);
  });

  it('and the second factor of the account are the same person, and nothing ends', async () => {
    const account = await storeWithPasskey();
    const { cookie: own } = await signIn(account, totpCode(account.totpSecret));
    await forgetUsedCodes(database, account);
    assert.equal((await stepUp(own, totpCode(account.totpSecret))).status, 200);
    assert.equal(await isVouchedFor(account), false, 'no issuer vouched in this session');

    const as = await signOn(account.email);
    assert.equal((await stepUp(as, '000000')).status, 401);
    assert.equal(await isVouchedFor(account), false);
    const [recoveryCode = ''] = account.recoveryCodes;
    assert.equal((await stepUp(as, recoveryCode)).status, 200);
    assert.ok(await isVouchedFor(account));

    const later = await signOn(account.email, TWO_FACTORS);
    assert.equal((await factorsOf(later))['recoveryCodesLeft'], 9);
    assert.deepEqual(await resetsOf(account), []);
    assert.equal((await call('session', { as: own })).status, 200);
  });

  it('ends nothing that is set up after it', async () => {
    const account = await storeAccount(database);
    const cookie = await signOn(account.email, TWO_FACTORS);
    const asked = await call('session/factors/totp/options', {
      method: 'POST',
      as: cookie,
      body: {},
    });
    const { secret = '' } = asked.data;
    const body = { secret, code: totpCode(secret) };
    const set = await call('session/factors/totp', { method: 'POST', as: cookie, body });
    assert.equal(set.status, 200, set.text);
    const again = await signOn(account.email, TWO_FACTORS);
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
    const cookies = await Promise.all([
      signOn(account.email, TWO_FACTORS),
      signOn(account.email, TWO_FACTORS),
    ]);
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

  it('opens an account whose second factor is of another person, once they are removed and invited again', async () => {
    const email = newEmail();
    const { invite, owner, path } = await open();
    const made = await accept(tokenOf((await invite({ email })).data.link));
    const as = await signOn(email);
    assert.equal((await stepUp(as, totpCode(made.totpSecret, 1).replace(/./g, '0'))).status, 401);
    const { id } = made.data.person;
    assert.equal((await call(`${path}/people/${id}`, { method: 'DELETE', as: owner })).status, 200);
    assert.equal((await call('session', { as })).status, 401);

    const { link } = (await invite({ email })).data;
    const own = await signOn(email);
    const accepted = await call(`session/invitations/${tokenOf(link)}`, {
      method: 'POST',
      as: own,
      body: {},
    });
    assert.deepEqual([accepted.status, accepted.data.person.id], [200, id]);
    const factors = await factorsOf(own);
    assert.deepEqual([factors['totp'], factors['recoveryCodesLeft']], [null, 0]);
    const account = { email, password: PASSWORD };
    assert.deepEqual((await signIn(account, totpCode(made.totpSecret, 1))).refusal, FAILED);
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

    const as = await signOn(email, TWO_FACTORS);
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
