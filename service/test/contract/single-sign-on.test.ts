import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { startFakeIssuer, type TokenChanges } from '../fakes/fake-issuer.ts';
import { storeAccount } from '../test-account.ts';
import { storePerson } from '../test-person.ts';
import { openContract, poll } from './open-contract.ts';

const issuer = await startFakeIssuer();
after(() => issuer.close());
const contract = await openContract({
  OIDC_ISSUER: issuer.baseUrl,
  OIDC_CLIENT_ID: issuer.clientId,
  OIDC_CLIENT_SECRET: issuer.clientSecret,
});
after(() => contract.close());
const { database, service } = contract;
const BEGIN = `${service.baseUrl}/api/v1/session/single-sign-on`;
const FAILED = [401, 'SIGN_IN_FAILED'];

/** What a browser sees; it follows no redirection by itself here. */
async function open(url: string | URL, cookie = '') {
  const response = await fetch(url, {
    redirect: 'manual',
    headers: cookie === '' ? {} : { cookie },
  });
  const text = await response.text();
  const { data } = text === '' ? { data: undefined } : (JSON.parse(text) as { data: Data });
  const setCookie = response.headers.get('set-cookie') ?? '';
  return {
    status: response.status,
    code: data?.error?.code,
    data,
    location: response.headers.get('location') ?? '',
    setCookie,
    cookie: setCookie.split(';')[0] ?? '',
  };
}
type Data = {
  error?: { code: string };
  person: { id: string };
  hasSecondFactor: boolean;
  steppedUpUntil: string | null;
};

type Claims = Readonly<Record<string, unknown>>;

/** Begins in a browser and signs in at the issuer: where the browser goes next, and its cookie. */
async function signInAtIssuer(claims: Claims, changes?: TokenChanges, returnTo = '/console') {
  const begun = await open(`${BEGIN}?returnTo=${encodeURIComponent(returnTo)}`);
  assert.equal(begun.status, 302);
  return { back: issuer.signIn(begun.location, claims, changes), cookie: begun.cookie };
}

async function signIn(claims: Claims, changes?: TokenChanges) {
  const { back, cookie } = await signInAtIssuer(claims, changes);
  return open(back, cookie);
}

const refusalOf = async (answer: ReturnType<typeof open>) => {
  const { status, code, setCookie } = await answer;
  assert.equal(setCookie, '');
  return [status, code];
};
const verified = ({ email }: Readonly<{ email: string }>) => ({ email, email_verified: true });
const sessionOf = (cookie: string) => open(`${service.baseUrl}/api/v1/session`, cookie);

async function signInWithPassword(): Promise<number> {
  const { email, password } = await storeAccount(database, { hasTotp: false });
  const response = await fetch(`${service.baseUrl}/api/v1/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  return response.status;
}

describe('an issuer that does not answer', () => {
  it('is said to be down, and asked again by the next browser', async () => {
    issuer.answerAll('reset');
    assert.deepEqual(await refusalOf(open(BEGIN)), [503, 'UNAVAILABLE']);
    issuer.answerAll({ status: 500 });
    assert.deepEqual(await refusalOf(open(BEGIN)), [503, 'UNAVAILABLE']);
    assert.equal(await signInWithPassword(), 200);
    issuer.answerAll(undefined);
    assert.equal((await open(BEGIN)).status, 302);
  });

  for (const answer of ['reset', { status: 503 }] as const) {
    it(`is said to be down when the browser is back, after ${JSON.stringify(answer)}`, async () => {
      const person = await storePerson(database);
      const { back, cookie } = await signInAtIssuer(verified(person));
      issuer.answerAll(answer);
      const refused = await refusalOf(open(back, cookie));
      issuer.answerAll(undefined);
      assert.deepEqual(refused, [503, 'UNAVAILABLE']);
    });
  }
});

describe('single sign-on', () => {
  it('begins a session of the person, and goes on with the page', async () => {
    const person = await storePerson(database);
    const returnTo = '/console/transfers?state=in_doubt#top';
    const { back, cookie } = await signInAtIssuer(verified(person), {}, returnTo);
    const answer = await open(back, cookie);
    assert.deepEqual([answer.status, answer.location], [302, returnTo]);
    assert.match(answer.setCookie, /^kafue=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/);
    const { data } = await sessionOf(answer.cookie);
    assert.deepEqual([data?.person.id, data?.hasSecondFactor], [person.id, false]);
  });

  it('is offered', async () => {
    const { data } = await open(`${service.baseUrl}/api/v1/session/methods`);
    assert.equal(Reflect.get(Object(data), 'singleSignOn'), true);
  });

  it('keeps its own cookie for a few minutes, out of reach of scripts', async () => {
    const { setCookie } = await open(BEGIN);
    assert.match(
      setCookie,
      /^kafue-sign-on=[\w.-]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=600$/,
    );
  });

  const factors: readonly (readonly [Claims, boolean])[] = [
    [{ amr: ['pwd', 'mfa'] }, true],
    [{ acr: 'http://schemas.openid.net/pape/policies/2007/06/multi-factor' }, true],
    [{ acr: 'phr' }, true],
    [{ amr: ['pwd'] }, false],
    [{ amr: 'mfa' }, false],
    [{ acr: '1' }, false],
  ];
  for (const [claims, hasSecondFactor] of factors) {
    it(`has ${hasSecondFactor ? 'a' : 'no'} second factor by ${JSON.stringify(claims)}, and no step-up`, async () => {
      const person = await storePerson(database);
      const { cookie } = await signIn({ ...verified(person), ...claims });
      const { data } = await sessionOf(cookie);
      assert.deepEqual([data?.hasSecondFactor, data?.steppedUpUntil], [hasSecondFactor, null]);
    });
  }

  it('knows the address in any case, and ends the session that the browser had', async () => {
    const person = await storePerson(database);
    const { back, cookie } = await signInAtIssuer(verified({ email: person.email.toUpperCase() }));
    const answer = await open(back, `${cookie}; ${person.headers.cookie}`);
    assert.equal((await sessionOf(answer.cookie)).data?.person.id, person.id);
    assert.equal((await sessionOf(person.headers.cookie)).status, 401);
  });

  it('writes neither codes nor secrets to the log', async () => {
    const person = await storePerson(database);
    const { back, cookie } = await signInAtIssuer(verified(person), { isForged: true });
    await open(back, cookie);
    const log = await poll(
      async () => service.output(),
      (lines) => lines.includes('single sign-on was refused'),
    );
    for (const secret of [issuer.clientSecret, back.searchParams.get('code') ?? '', cookie]) {
      assert.ok(secret !== '' && !log.includes(secret));
    }
  });
});

describe('single sign-on refuses', () => {
  const wrong: Readonly<Record<string, TokenChanges>> = {
    'another nonce': { claims: { nonce: 'x'.repeat(43) } },
    'no nonce': { claims: { nonce: undefined } },
    'an expired token': { claims: { exp: Math.floor(Date.now() / 1_000) - 60 } },
    'a token for another client': { claims: { aud: 'another' } },
    'a token of another issuer': { claims: { iss: 'https://evil.test' } },
    'a token that another key signed': { isForged: true },
    'a token without a signature': { isUnsigned: true },
    'an address that is not verified': { claims: { email_verified: false } },
    'an address that is verified in words alone': { claims: { email_verified: 'true' } },
    'an address of which nothing is said': { claims: { email_verified: undefined } },
    'an unknown person': { claims: { email: 'unknown@example.test' } },
    'a person without an address': { claims: { email: undefined } },
  };
  for (const [what, changes] of Object.entries(wrong)) {
    it(what, async () => {
      const person = await storePerson(database);
      assert.deepEqual(await refusalOf(signIn(verified(person), changes)), FAILED);
    });
  }

  it('to make a person', async () => {
    await signIn(verified({ email: 'newcomer@example.test' }));
    const found = await database.query(
      { name: '', text: 'select id from people where email = $1' },
      ['newcomer@example.test'],
    );
    assert.deepEqual(found, []);
  });

  it('a person who was removed', async () => {
    const person = await storePerson(database);
    await database.query({ name: '', text: 'update people set removed_at = now() where id = $1' }, [
      person.id,
    ]);
    assert.deepEqual(await refusalOf(signIn(verified(person))), FAILED);
  });

  it('another state', async () => {
    const person = await storePerson(database);
    const { back, cookie } = await signInAtIssuer(verified(person));
    back.searchParams.set('state', 'x'.repeat(43));
    assert.deepEqual(await refusalOf(open(back, cookie)), FAILED);
  });

  it('a browser in which it did not begin', async () => {
    const person = await storePerson(database);
    const { back, cookie } = await signInAtIssuer(verified(person));
    const other = await open(BEGIN);
    const [, id = '', secret = ''] = /=(.*)\.(.*)/.exec(cookie) ?? [];
    const forged = `${secret.startsWith('A') ? 'B' : 'A'}${secret.slice(1)}`;
    for (const wrongCookie of ['', other.cookie, 'kafue-sign-on=x']) {
      assert.deepEqual(await refusalOf(open(back, wrongCookie)), FAILED);
    }
    assert.deepEqual(await refusalOf(open(back, `kafue-sign-on=${id}.${forged}`)), FAILED);
  });

  it('a code that was used, in the same browser or in another', async () => {
    const person = await storePerson(database);
    const first = await signInAtIssuer(verified(person));
    assert.equal((await open(first.back, first.cookie)).status, 302);
    assert.deepEqual(await refusalOf(open(first.back, first.cookie)), FAILED);
    const second = await signInAtIssuer(verified(person));
    second.back.searchParams.set('code', first.back.searchParams.get('code') ?? '');
    assert.deepEqual(await refusalOf(open(second.back, second.cookie)), FAILED);
  });

  it('a code that was given to another browser', async () => {
    const person = await storePerson(database);
    const [theirs, mine] = [
      await signInAtIssuer(verified(person)),
      await signInAtIssuer(verified(person)),
    ];
    mine.back.searchParams.set('code', theirs.back.searchParams.get('code') ?? '');
    assert.deepEqual(await refusalOf(open(mine.back, mine.cookie)), FAILED);
  });

  it('what took longer than 10 minutes', async () => {
    const person = await storePerson(database);
    const { back, cookie } = await signInAtIssuer(verified(person));
    await database.query(
      {
        name: '',
        text: `update challenges set expires_at = expires_at - interval '10 minutes' where purpose = 'single_sign_on'`,
      },
      [],
    );
    assert.deepEqual(await refusalOf(open(back, cookie)), FAILED);
  });

  it('a person who said no at the issuer', async () => {
    const { cookie, location } = await open(BEGIN);
    const state = new URL(location).searchParams.get('state') ?? '';
    const back = `${BEGIN}/callback?error=access_denied&state=${state}`;
    assert.deepEqual(await refusalOf(open(back, cookie)), FAILED);
  });

  it('and sends a browser back to the sign-in page, without a session', async () => {
    const headers = { accept: 'text/html,application/xhtml+xml' };
    const response = await fetch(`${BEGIN}/callback?error=access_denied`, {
      headers,
      redirect: 'manual',
    });
    assert.equal(response.status, 302);
    assert.equal(response.headers.get('location'), '/console/sign-in?refused=SIGN_IN_FAILED');
    assert.equal(response.headers.get('set-cookie'), null);
  });
});

describe('single sign-on goes on with no page but our own', () => {
  // More of them in read-return-to.test.ts.
  const foreign = [
    'https://evil.test',
    '//evil.test',
    '/\\evil.test',
    '/console/%2e%2e/evil',
    '/console\r\nset-cookie: a=b',
  ];
  for (const returnTo of foreign) {
    it(`not with ${JSON.stringify(returnTo)}`, async () => {
      const answer = open(`${BEGIN}?returnTo=${encodeURIComponent(returnTo)}`);
      assert.deepEqual(await refusalOf(answer), [400, 'VALIDATION_ERROR']);
    });
  }

  it('not with two, nor with a parameter that is not known', async () => {
    for (const query of ['returnTo=/console&returnTo=//evil.test', 'next=//evil.test']) {
      assert.deepEqual(await refusalOf(open(`${BEGIN}?${query}`)), [400, 'VALIDATION_ERROR']);
    }
  });

  it('but with slashes and percent signs inside the console', async () => {
    const person = await storePerson(database);
    for (const returnTo of ['/console', '/console//evil.test', '/console/%2F%2Fevil.test?u=//e']) {
      const { back, cookie } = await signInAtIssuer(verified(person), {}, returnTo);
      assert.equal((await open(back, cookie)).location, returnTo);
    }
  });
});
