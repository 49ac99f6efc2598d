import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { type Authenticator, createAuthenticator } from '../fakes/software-authenticator.ts';
import { pollUntil } from '../poll.ts';
import { storeAccount } from '../test-account.ts';
import { storePerson, type TestPerson } from '../test-person.ts';
import { openContract } from './open-contract.ts';

const contract = await openContract();
after(() => contract.close());
const { database, merchant, service } = contract;
const ORIGIN = `http://localhost:${service.port}`;
const HERE = { origin: ORIGIN };
const WAITS_FOR_LOCK = `
  select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
const FAILED = [401, 'SIGN_IN_FAILED'];

type Options = Readonly<{
  challenge: string;
  rp: { id: string };
  rpId: string;
  user: { id: string };
  allowCredentials?: readonly { id: string }[];
}>;
type Data = {
  error?: { code: string; fields?: readonly { field: string }[] };
  challengeId: string;
  options: Options;
  id: string;
  person: { id: string };
  hasSecondFactor: boolean;
  steppedUpUntil: string | null;
  until: string;
  passkeys: readonly { id: string; name: string; lastUsedAt: string | null }[];
};

async function call(
  path: string,
  {
    method = 'POST',
    headers = {},
    body,
  }: Readonly<{ method?: string; headers?: Readonly<Record<string, string>>; body?: unknown }> = {},
) {
  const response = await fetch(`${ORIGIN}/api/v1/session${path}`, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const { data } = (await response.json()) as { data: Data };
  const [cookie = ''] = (response.headers.get('set-cookie') ?? '').split(';');
  return { status: response.status, code: data?.error?.code, data, cookie };
}

const refusalOf = async (answer: ReturnType<typeof call>) => {
  const { status, code } = await answer;
  return [status, code];
};

/** Adds a passkey of the device to the person, and returns its id. */
async function add(person: Pick<TestPerson, 'headers'>, device: Authenticator): Promise<string> {
  const { headers } = person;
  const asked = await call('/factors/passkeys/options', { headers });
  assert.equal(asked.status, 200, JSON.stringify(asked.data));
  const { challengeId, options } = asked.data;
  const credential = device.create(options, HERE);
  const body = { challengeId, credential, name: 'My phone' };
  const added = await call('/factors/passkeys', { headers, body });
  assert.equal(added.status, 201, JSON.stringify(added.data));
  return added.data.id;
}

async function personWithPasskey(given: Parameters<typeof storePerson>[1] = {}) {
  const person = await storePerson(database, given);
  const device = createAuthenticator();
  return { person, device, passkeyId: await add(person, device) };
}

const askToSignIn = async () => (await call('/passkey/options', { body: {} })).data;

/** Signs in with what the device answers. */
async function signIn(sign: (options: Options) => object) {
  const { challengeId, options } = await askToSignIn();
  return call('/passkey', { body: { challengeId, credential: sign(options) } });
}

const sessionOf = (cookie: string) => call('', { method: 'GET', headers: { cookie } });
const owner = { roles: [{ merchantId: merchant.id, role: 'owner' as const }] };

describe('a passkey', () => {
  it('signs in, as password and second factor in one, without a step-up', async () => {
    const { person, device } = await personWithPasskey(owner);
    const { status, data, cookie } = await signIn((asked) => device.sign(asked, HERE));
    assert.equal(status, 200, JSON.stringify(data));
    assert.deepEqual(
      [data.person.id, data.hasSecondFactor, data.steppedUpUntil],
      [person.id, true, null],
    );
    const { data: session } = await sessionOf(cookie);
    assert.deepEqual([session.person.id, session.steppedUpUntil], [person.id, null]);
    const headers = { cookie };
    assert.deepEqual(await refusalOf(call('/factors/passkeys/options', { headers })), [
      403,
      'STEP_UP_REQUIRED',
    ]);
  });

  it('is asked for where it belongs, with the person verified, and found without a name', async () => {
    const { person } = await personWithPasskey();
    const { headers } = person;
    const signing = await askToSignIn();
    assert.deepEqual(
      [signing.options.rpId, Reflect.get(signing.options, 'userVerification')],
      ['localhost', 'required'],
    );
    assert.deepEqual(signing.options.allowCredentials ?? [], []);
    const { data } = await call('/factors/passkeys/options', { headers });
    assert.deepEqual(Reflect.get(data.options, 'authenticatorSelection'), {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
    });
    assert.equal(data.options.rp.id, 'localhost');
  });

  it('shows the second factor again', async () => {
    const { person, device } = await personWithPasskey();
    const { headers } = person;
    await database.query(
      { name: '', text: 'update sessions set stepped_up_at = null where person_id = $1' },
      [person.id],
    );
    assert.deepEqual(await refusalOf(call('/factors/passkeys/options', { headers })), [
      403,
      'STEP_UP_REQUIRED',
    ]);
    const asked = await call('/step-up/passkey/options', { headers });
    const { challengeId, options } = asked.data;
    assert.deepEqual(options.allowCredentials, [{ id: device.id, type: 'public-key' }]);
    const credential = device.sign(options, HERE);
    const shown = await call('/step-up/passkey', { headers, body: { challengeId, credential } });
    assert.equal(shown.status, 200, JSON.stringify(shown.data));
    assert.ok(Date.parse(shown.data.until) > Date.now() + 4 * 60_000);
    assert.equal((await call('/factors/passkeys/options', { headers })).status, 200);
  });

  it('shown in a session of single sign-on, is of the person for whom the issuer vouches', async () => {
    const { person, device } = await personWithPasskey();
    const { headers, id } = person;
    const run = (text: string) =>
      database.query<{ vouched_at: Date | null }>({ name: '', text }, [id]);
    const stepUp = async () => {
      const { challengeId, options } = (await call('/step-up/passkey/options', { headers })).data;
      const body = { challengeId, credential: device.sign(options, HERE) };
      assert.equal((await call('/step-up/passkey', { headers, body })).status, 200);
      const [row] = await run('select vouched_at from people where id = $1');
      return row?.vouched_at !== null;
    };
    assert.equal(await stepUp(), false);
    await run('update sessions set by_single_sign_on = true where person_id = $1');
    assert.equal(await stepUp(), true);
  });

  it('is listed, recorded when it comes and goes, and opens nothing once it is gone', async () => {
    const { person, device, passkeyId } = await personWithPasskey();
    const { headers } = person;
    await signIn((asked) => device.sign(asked, HERE));
    const { data } = await call('/factors', { method: 'GET', headers });
    assert.deepEqual(
      data.passkeys.map(({ id, name, lastUsedAt }) => [id, name, lastUsedAt === null]),
      [[passkeyId, 'My phone', false]],
    );
    const path = `/factors/passkeys/${passkeyId}`;
    assert.equal((await call(path, { method: 'DELETE', headers })).status, 200);
    assert.deepEqual(await refusalOf(signIn((asked) => device.sign(asked, HERE))), FAILED);
    assert.equal((await call(path, { method: 'DELETE', headers })).status, 404);
    const acts = await database.query<{ kind: string; subject: string; actor_id: string }>(
      {
        name: '',
        text: 'select kind, subject, actor_id from directory.acts where subject = $1 order by acted_at',
      },
      [passkeyId],
    );
    assert.deepEqual(
      acts.map(({ kind, actor_id }) => [kind, actor_id]),
      [
        ['PASSKEY_ADDED', person.id],
        ['PASSKEY_REMOVED', person.id],
      ],
    );
  });
});

it('begins no session if it is removed at that moment', async () => {
  const { person, device, passkeyId } = await personWithPasskey();
  const signedIn = await database.transaction(async (tx) => {
    const query = (text: string, id: string) => tx.query({ name: '', text }, [id]);
    await query('select id from people where id = $1 for update', person.id);
    const waiting = signIn((asked) => device.sign(asked, HERE));
    await pollUntil('a sign-in that waits for the person', async () => {
      const found = await database.query({ name: '', text: WAITS_FOR_LOCK }, []);
      return found.length > 0;
    });
    await query('delete from passkeys where id = $1', passkeyId);
    return { waiting };
  });
  assert.deepEqual(await refusalOf(signedIn.waiting), FAILED);
});

it('is a second factor that a password alone does not replace', async () => {
  const { id, email, password } = await storeAccount(database, { hasTotp: false });
  const withPassword = () => call('', { body: { email, password } });
  const { cookie } = await withPassword();
  await add({ headers: { cookie } }, createAuthenticator());
  assert.deepEqual(await refusalOf(withPassword()), FAILED);
  await database.query({ name: '', text: 'delete from passkeys where person_id = $1' }, [id]);
  assert.equal((await withPassword()).status, 200);
});

describe('an answer of a passkey', () => {
  it('counts once', async () => {
    const { device } = await personWithPasskey();
    const { challengeId, options } = await askToSignIn();
    const body = { challengeId, credential: device.sign(options, HERE) };
    assert.equal((await call('/passkey', { body })).status, 200);
    assert.deepEqual(await refusalOf(call('/passkey', { body })), FAILED);
    const again = { challengeId, credential: device.sign(options, HERE) };
    assert.deepEqual(await refusalOf(call('/passkey', { body: again })), FAILED);
  });

  it('counts once even if both come at the same moment', async () => {
    const { device } = await personWithPasskey();
    const { challengeId, options } = await askToSignIn();
    const body = { challengeId, credential: device.sign(options, HERE) };
    const answers = await Promise.all([call('/passkey', { body }), call('/passkey', { body })]);
    assert.deepEqual(
      answers.map(({ status }) => status).toSorted((a, b) => a - b),
      [200, 401],
    );
  });

  it('counts for 5 minutes', async () => {
    const { device } = await personWithPasskey();
    const { challengeId, options } = await askToSignIn();
    await database.query(
      {
        name: '',
        text: `update challenges set expires_at = expires_at - interval '5 minutes' where id = $1`,
      },
      [challengeId],
    );
    const body = { challengeId, credential: device.sign(options, HERE) };
    assert.deepEqual(await refusalOf(call('/passkey', { body })), FAILED);
  });

  const wrong: Readonly<Record<string, (device: Authenticator, asked: Options) => object>> = {
    'a page of another origin': (device, asked) =>
      device.sign(asked, { origin: 'https://evil.test' }),
    'the same host over another port': (device, asked) =>
      device.sign(asked, { origin: 'http://localhost:1' }),
    'another relying party': (device, asked) => device.sign(asked, { ...HERE, rpId: 'evil.test' }),
    'another challenge': (device, asked) =>
      device.sign({ ...asked, challenge: Buffer.alloc(32).toString('base64url') }, HERE),
    'no verified person': (device, asked) => device.sign(asked, HERE, { isVerified: false }),
    'the key of another device': (device, asked) =>
      device.sign(asked, HERE, { signer: createAuthenticator() }),
    'another kind of answer': (device, asked) =>
      device.sign(asked, HERE, { type: 'webauthn.create' }),
    'the name of another person': (device, asked) =>
      device.sign(asked, HERE, { userHandle: Buffer.alloc(16, 7).toString('base64url') }),
    'a passkey that is not known here': (_, asked) => createAuthenticator().sign(asked, HERE),
  };
  for (const [what, sign] of Object.entries(wrong)) {
    it(`is refused with ${what}`, async () => {
      const { device } = await personWithPasskey();
      assert.deepEqual(await refusalOf(signIn((asked) => sign(device, asked))), FAILED);
      assert.equal((await signIn((asked) => device.sign(asked, HERE))).status, 200);
    });
  }

  it('is refused when the counter goes back or stands still, as of a copied device', async () => {
    const { device } = await personWithPasskey();
    const withCounter = (counter: number) =>
      signIn((asked) => device.sign(asked, HERE, { counter }));
    assert.equal((await withCounter(7)).status, 200);
    assert.deepEqual(await refusalOf(withCounter(7)), FAILED);
    assert.deepEqual(await refusalOf(withCounter(6)), FAILED);
    assert.deepEqual(await refusalOf(withCounter(0)), FAILED);
    assert.equal((await withCounter(8)).status, 200);
  });

  it('is taken again and again from a device that does not count', async () => {
    const { device } = await personWithPasskey();
    for (let n = 0; n < 2; n += 1) {
      assert.equal((await signIn((asked) => device.sign(asked, HERE, { counter: 0 }))).status, 200);
    }
  });

  it('is refused once the person is removed', async () => {
    const { person, device } = await personWithPasskey();
    await database.query({ name: '', text: 'update people set removed_at = now() where id = $1' }, [
      person.id,
    ]);
    assert.deepEqual(await refusalOf(signIn((asked) => device.sign(asked, HERE))), FAILED);
  });

  it('is no step-up for another person, nor for another purpose', async () => {
    const [mine, theirs] = await Promise.all([personWithPasskey(), personWithPasskey()]);
    const { headers } = mine.person;
    const stepUp = (body: object) => refusalOf(call('/step-up/passkey', { headers, body }));
    const asked = (await call('/step-up/passkey/options', { headers })).data;
    const credential = theirs.device.sign(asked.options, HERE);
    assert.deepEqual(await stepUp({ challengeId: asked.challengeId, credential }), FAILED);
    const ofTheirs = (await call('/step-up/passkey/options', { headers: theirs.person.headers }))
      .data;
    assert.deepEqual(
      await stepUp({
        challengeId: ofTheirs.challengeId,
        credential: mine.device.sign(ofTheirs.options, HERE),
      }),
      FAILED,
    );
    const ofSignIn = await askToSignIn();
    assert.deepEqual(
      await stepUp({
        challengeId: ofSignIn.challengeId,
        credential: mine.device.sign(ofSignIn.options, HERE),
      }),
      FAILED,
    );
  });

  const malformed: readonly unknown[] = [
    undefined,
    'text',
    {},
    { id: '*', rawId: '*', type: 'public-key', response: {} },
    { id: 'YQ', rawId: 'Yg', type: 'public-key', response: {} },
    { id: 'YQ', rawId: 'YQ', type: 'public-key', response: { clientDataJSON: 'YQ' } },
    { id: 'a'.repeat(2_000), rawId: 'a'.repeat(2_000), type: 'public-key', response: {} },
  ];
  for (const [index, credential] of malformed.entries()) {
    it(`is told to be broken when it is, ${index + 1}`, async () => {
      const { challengeId } = await askToSignIn();
      const { status, data } = await call('/passkey', { body: { challengeId, credential } });
      assert.deepEqual(
        [status, data.error?.fields?.map(({ field }) => field)],
        [400, ['credential']],
      );
    });
  }
});

describe('a new passkey', () => {
  async function tryToAdd(
    person: TestPerson,
    make: (device: Authenticator, options: Options) => object,
  ) {
    const { headers } = person;
    const { data } = await call('/factors/passkeys/options', { headers });
    const credential = make(createAuthenticator(), data.options);
    return call('/factors/passkeys', {
      headers,
      body: { challengeId: data.challengeId, credential, name: 'x' },
    });
  }

  it('may be the first factor without one, and the session then has it', async () => {
    const person = await storePerson(database, { hasSecondFactor: false, steppedUpAt: null });
    await add(person, createAuthenticator());
    const { data } = await sessionOf(person.headers.cookie);
    assert.equal(data.hasSecondFactor, true);
  });

  it('needs step-up when the person has a factor already', async () => {
    const { person } = await personWithPasskey();
    const options = (await call('/factors/passkeys/options', { headers: person.headers })).data;
    await database.query(
      {
        name: '',
        text: `update sessions set stepped_up_at = now() - interval '6 minutes' where person_id = $1`,
      },
      [person.id],
    );
    const body = {
      challengeId: options.challengeId,
      credential: createAuthenticator().create(options.options, HERE),
      name: 'x',
    };
    assert.deepEqual(
      await refusalOf(call('/factors/passkeys', { headers: person.headers, body })),
      [403, 'STEP_UP_REQUIRED'],
    );
  });

  it('is refused from another origin or for another relying party', async () => {
    const person = await storePerson(database);
    for (const place of [{ origin: 'https://evil.test' }, { ...HERE, rpId: 'evil.test' }]) {
      const { status, data } = await tryToAdd(person, (device, asked) =>
        device.create(asked, place),
      );
      assert.deepEqual([status, data.error?.fields?.[0]?.field], [400, 'credential']);
    }
  });

  it('is refused with a challenge that was used, or was made for another person', async () => {
    const [person, other] = await Promise.all([storePerson(database), storePerson(database)]);
    const { data } = await call('/factors/passkeys/options', { headers: other.headers });
    const body = {
      challengeId: data.challengeId,
      credential: createAuthenticator().create(data.options, HERE),
      name: 'x',
    };
    const send = (headers: TestPerson['headers']) => call('/factors/passkeys', { headers, body });
    assert.equal((await send(person.headers)).data.error?.fields?.[0]?.field, 'challengeId');
    assert.equal((await send(other.headers)).status, 201);
    assert.equal((await send(other.headers)).data.error?.fields?.[0]?.field, 'challengeId');
  });

  it('is refused when another person has it', async () => {
    const { device } = await personWithPasskey();
    const person = await storePerson(database);
    const answer = tryToAdd(person, (_, asked) => device.create(asked, HERE));
    assert.deepEqual(await refusalOf(answer), [409, 'INVALID_STATE']);
  });

  it('has a name that people can read', async () => {
    const { headers } = await storePerson(database);
    for (const name of ['', '  ', 'x'.repeat(81), 'a\u0000b', 7]) {
      const { data } = await call('/factors/passkeys/options', { headers });
      const credential = createAuthenticator().create(data.options, HERE);
      const body = { challengeId: data.challengeId, credential, name };
      const answer = await call('/factors/passkeys', { headers, body });
      assert.deepEqual([answer.status, answer.data.error?.fields?.[0]?.field], [400, 'name']);
    }
  });
});

describe('removing a passkey', () => {
  const remove = ({ headers }: TestPerson, id: string) =>
    call(`/factors/passkeys/${id}`, { method: 'DELETE', headers });

  it('leaves the last factor of a person who must have one', async () => {
    const { person, passkeyId } = await personWithPasskey(owner);
    assert.deepEqual(await refusalOf(remove(person, passkeyId)), [409, 'INVALID_STATE']);
    const second = await add(person, createAuthenticator());
    const answers = await Promise.all([remove(person, passkeyId), remove(person, second)]);
    assert.deepEqual(
      answers.map(({ status }) => status).toSorted((a, b) => a - b),
      [200, 409],
    );
  });

  it("removes no other person's", async () => {
    const [mine, theirs] = await Promise.all([personWithPasskey(), personWithPasskey()]);
    assert.equal((await remove(mine.person, theirs.passkeyId)).status, 404);
    assert.equal((await remove(mine.person, randomUUID())).status, 404);
    assert.equal((await remove(mine.person, 'x')).status, 404);
    assert.equal((await signIn((asked) => theirs.device.sign(asked, HERE))).status, 200);
  });
});

it('keeps few challenges of a person, and none that expired', async () => {
  const { headers, id } = await storePerson(database);
  const ask = () => call('/factors/passkeys/options', { headers });
  for (let n = 0; n < 7; n += 1) await ask();
  const count = async () => {
    const [row] = await database.query<{ count: bigint }>(
      { name: '', text: 'select count(*) from challenges where person_id = $1' },
      [id],
    );
    return Number(row?.count);
  };
  assert.equal(await count(), 5);
  await database.query(
    { name: '', text: 'update challenges set expires_at = now() where person_id = $1' },
    [id],
  );
  await ask();
  assert.equal(await count(), 1);
});

it('needs no single sign-on beside it', async () => {
  assert.equal((await call('/single-sign-on', { method: 'GET' })).status, 404);
  const { data } = await call('/methods', { method: 'GET' });
  assert.equal(Reflect.get(data, 'singleSignOn'), false);
});

it('is not offered through a proxy while the address of the console is not configured', async () => {
  const headers = { 'x-forwarded-for': '203.0.113.7' };
  const { status, code } = await call('/passkey/options', { headers, body: {} });
  assert.deepEqual([status, code], [409, 'INVALID_STATE']);
});
