import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { after, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { storeDoubt } from '../stored-doubt.ts';
import { storeAccount, totpCode } from '../test-account.ts';
import { createTestMerchant } from '../test-merchant.ts';
import { storePerson, type TestPerson } from '../test-person.ts';
import { openContract, TRANSFERS } from './open-contract.ts';
import { everywhere, newEmail, openTeams, tokenOf } from './open-teams.ts';
import { callAs } from './person-client.ts';

const contract = await openContract();
after(() => contract.close());
const { merchant, database, order, service } = contract;
const { call, open, accept } = openTeams(contract);
const run = (text: string, ...values: readonly unknown[]) =>
  database.query<Record<string, unknown>>({ name: '', text }, values);
const staff = (...staffRoles: readonly ('admin' | 'treasurer')[]) =>
  storePerson(database, { staffRoles });

describe('a text that no database keeps', () => {
  const NUL = '%00';

  it('is refused in what the staff look for', async () => {
    const admin = await staff('admin');
    const calls = [
      `search?q=${NUL}`,
      `audit?actor=${NUL}`,
      `audit?subject=a${NUL}`,
      `transfers?route=${NUL}`,
    ];
    for (const path of calls) {
      const { status, text } = await call(`operations/${path}`, { as: admin });
      assert.equal(status, 400, `${path} ${text}`);
    }
    assert.equal((await call(`operations/merchants/${NUL}`, { as: admin })).status, 404);
  });

  it('is refused in preferences', async () => {
    const person = await storePerson(database);
    for (const value of ['\0', '\ud800', ['\0'], { '\0': true }]) {
      const body = { columns: value };
      const { status, code } = await call('session/preferences', {
        method: 'PUT',
        as: person,
        body,
      });
      assert.deepEqual([status, code], [400, 'VALIDATION_ERROR']);
    }
  });
});

describe('a request whose body comes slowly', () => {
  const LATE_MS = 700;

  /** Sends the head and one byte, lets `meanwhile` happen, and sends the rest a moment later. */
  async function payLate(person: TestPerson, meanwhile: () => Promise<unknown>) {
    const body = order();
    const text = JSON.stringify(body);
    const asked = request(`${service.baseUrl}/api/v1/payments/${TRANSFERS}`, {
      method: 'POST',
      agent: false,
      headers: {
        ...person.headers,
        'x-book': merchant.books.test,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(text),
      },
    });
    const status = new Promise((resolve, reject) => {
      asked.on('response', (response) => resolve(response.resume().statusCode));
      asked.on('error', reject);
    });
    asked.write(text.slice(0, 1));
    await wait(LATE_MS / 2);
    await meanwhile();
    await wait(LATE_MS);
    asked.end(text.slice(1));
    const found = async () =>
      (await run('select id from transfers where reference = $1', body['reference'])).length;
    return { status: await status, transfers: await found() };
  }

  const maker = () =>
    storePerson(database, { roles: [{ merchantId: merchant.id, role: 'maker' as const }] });

  it('counts while its sender may', async () => {
    const paid = await payLate(await maker(), async () => undefined);
    assert.deepEqual(paid, { status: 201, transfers: 1 });
  });

  it('changes nothing once its sender signed out', async () => {
    const person = await maker();
    const late = await payLate(person, () => call('session', { method: 'DELETE', as: person }));
    assert.deepEqual(late, { status: 401, transfers: 0 });
  });

  it('changes nothing once its sender was removed, or may only read', async () => {
    const [removed, reader] = [await maker(), await maker()];
    const late = await payLate(removed, () =>
      run('delete from merchant_roles where person_id = $1', removed.id),
    );
    assert.deepEqual(late, { status: 404, transfers: 0 });
    const refused = await payLate(reader, () =>
      run("update merchant_roles set role = 'viewer' where person_id = $1", reader.id),
    );
    assert.deepEqual(refused, { status: 403, transfers: 0 });
  });
});

it('slows down a person who guesses ids', async () => {
  const person = await storePerson(database, {
    roles: [{ merchantId: merchant.id, role: 'viewer' }],
  });
  const codes = new Set<string | undefined>();
  for (let turn = 0; turn < 8; turn += 1) {
    const guesses = Array.from({ length: 50 }, () =>
      call('payments/wallets', { as: person, book: randomUUID() }),
    );
    for (const { code } of await Promise.all(guesses)) codes.add(code);
  }
  assert.deepEqual([...codes], ['BOOK_NOT_FOUND', 'RATE_LIMITED']);
});

it('shows a merchant that a doubt was decided, and not what the staff wrote', async () => {
  const doubt = await storeDoubt(database);
  const [row] = await run('select merchant_id from books where id = $1', doubt.bookId);
  const role = { merchantId: String(row?.['merchant_id']), role: 'viewer' } as const;
  const viewer = await storePerson(database, { roles: [role] });
  for (const as of [await staff('admin'), await staff('admin')]) {
    const body = { decision: 'not_paid', evidence: 'told by Mutinta at the operator' };
    const path = `operations/transfers/${doubt.id}/resolve`;
    assert.equal((await call(path, { method: 'POST', as, body })).status, 200);
  }
  for (const what of ['timeline', 'history']) {
    const path = `payments/transfers/${doubt.id}/${what}`;
    const { text } = await call(path, { as: viewer, book: doubt.bookId });
    assert.match(text, /two people decided, with evidence/);
    assert.doesNotMatch(text, /Mutinta/);
  }
});

it('refuses a key and a cookie together at every call of people', async () => {
  const person = await storePerson(database, {
    staffRoles: ['admin'],
    roles: [{ merchantId: merchant.id, role: 'owner' }],
  });
  const paths = ['session', 'operations/overview', `merchants/${merchant.id}/people`];
  for (const path of [...paths, 'payments/wallets', 'payments/keys']) {
    const response = await fetch(`${service.baseUrl}/api/v1/${path}`, {
      headers: {
        ...person.headers,
        'x-api-key': merchant.keys.test,
        'x-book': merchant.books.test,
      },
    });
    await response.body?.cancel();
    assert.equal(response.status, 400, path);
  }
});

it('keeps a hundred sessions of a person, the newest', async () => {
  const account = await storeAccount(database);
  await run(
    `insert into sessions (
       id, token_hash, person_id, has_second_factor, address, user_agent, created_at, last_used_at, expires_at
     )
     select gen_random_uuid(), sha256(gen_random_uuid()::text::bytea), $1, true, '127.0.0.1', 'test',
            now() - interval '1 hour', now(), now() + interval '11 hours'
     from generate_series(1, 150)`,
    account.id,
  );
  const { email, password, totpSecret } = account;
  const body = { email, password, code: totpCode(totpSecret) };
  const { setCookie = '' } = await call('session', { method: 'POST', body });
  const [row] = await run('select count(*) from sessions where person_id = $1', account.id);
  assert.equal(Number(row?.['count']), 100);
  assert.equal((await call('session', { as: setCookie })).status, 200);
});

describe('a role in one book', () => {
  it('shows nothing of what the staff did in the other', async () => {
    const other = await createTestMerchant(database);
    const role = { merchantId: other.id, role: 'viewer', bookId: other.books.test } as const;
    const viewer = await storePerson(database, { roles: [role] });
    const treasurer = await staff('treasurer');
    const fund = (walletId: string, reference: string) =>
      call(`operations/wallets/${walletId}/fund`, {
        method: 'POST',
        as: treasurer,
        body: { amount: 4321, reference },
      });
    assert.equal((await fund(other.wallets.live.ZMW, 'secret-of-live')).status, 200);
    assert.equal((await fund(other.wallets.test.ZMW, 'of-test')).status, 200);
    // As it was recorded before acts named the book.
    await run(
      `insert into acts (id, actor_kind, actor_name, kind, subject, merchant_id, after, acted_at)
       values (gen_random_uuid(), 'machine', 'old@host', 'WALLET_FUNDED', 'old-live', $1, '{"mode": "live"}', now()),
              (gen_random_uuid(), 'machine', 'old@host', 'WALLET_FUNDED', 'old-test', $1, '{"mode": "test"}', now())`,
      other.id,
    );
    const { data } = await callAs(
      service.baseUrl,
      viewer,
      `merchants/${other.id}/activity?kind=WALLET_FUNDED`,
    );
    const items = data['items'] as readonly Readonly<{ subject: string }>[];
    const subjects = items.map(({ subject }) => subject).sort();
    assert.deepEqual(subjects, [other.wallets.test.ZMW, 'old-test'].sort());
  });

  it('ends keys that wait in the other', async () => {
    const { merchant: own, owner, path } = await open();
    const roles = [{ merchantId: own.id, role: 'developer' as const }];
    const developer = await storePerson(database, { roles });
    const body = { name: 'till', scopes: ['read'] };
    const made = await call('payments/keys', {
      method: 'POST',
      as: developer,
      body,
      book: own.books.live,
    });
    const limited = { roles: [{ role: 'developer', bookId: own.books.test }] };
    const changed = { method: 'PUT', as: owner, body: limited };
    assert.equal((await call(`${path}/people/${developer.id}/roles`, changed)).status, 200);
    const [key] = await run('select revoked_at from api_keys where id = $1', made.data.id);
    assert.ok(key?.['revoked_at'] instanceof Date);
  });
});

describe('an invitation', () => {
  it('of a first owner ends with the roles of the admin who sent it', async () => {
    const other = await staff('admin');
    const inviteOwner = async (as: TestPerson) => {
      const { id: merchantId } = await createTestMerchant(database);
      const roles = everywhere('owner');
      const body = { name: 'Mwila Banda', email: newEmail(), roles, merchantId };
      const invited = await call('operations/invitations', { method: 'POST', as, body });
      assert.equal(invited.status, 201, invited.text);
      return tokenOf(invited.data.link);
    };
    const [removed, changed] = [await staff('admin'), await staff('admin')];
    const tokens = [await inviteOwner(removed), await inviteOwner(changed)];
    const people = 'operations/people';
    await call(`${people}/${removed.id}`, { method: 'DELETE', as: other });
    const body = { roles: everywhere('support') };
    await call(`${people}/${changed.id}/roles`, { method: 'PUT', as: other, body });
    for (const token of tokens) {
      const late = await accept(token);
      assert.deepEqual([late.status, late.code], [404, 'INVITATION_NOT_FOUND']);
    }
    assert.equal((await accept(await inviteOwner(other))).status, 200);
  });

  it("is accepted in the person's own name, as the merchant sees it", async () => {
    const { owner, path, invite } = await open();
    const invited = await invite({});
    const { data } = await accept(tokenOf(invited.data.link));
    const seen = await callAs(service.baseUrl, owner, `${path}/activity?kind=INVITATION_ACCEPTED`);
    const [act] = seen.data['items'] as readonly Readonly<{ actor: object }>[];
    assert.deepEqual(act?.actor, { kind: 'person', id: data.person.id, name: 'Bupe Zulu' });
  });

  it('cannot be sent to strangers without end', async () => {
    const { owner, path } = await open();
    const body = { name: 'Bupe Zulu', email: newEmail(), roles: everywhere('viewer') };
    const codes = new Set<string | undefined>();
    for (let sent = 0; sent < 60; sent += 1) {
      codes.add((await call(`${path}/invitations`, { method: 'POST', as: owner, body })).code);
    }
    assert.deepEqual([...codes], [undefined, 'RATE_LIMITED']);
  });

  it('of the staff ends once the merchant has its first owner', async () => {
    const admin = await staff('admin');
    const { id: merchantId } = await createTestMerchant(database);
    const invite = () =>
      call('operations/invitations', {
        method: 'POST',
        as: admin,
        body: { name: 'Mwila Banda', email: newEmail(), roles: everywhere('owner'), merchantId },
      });
    const [first, spare] = [await invite(), await invite()];
    assert.equal((await accept(tokenOf(first.data.link))).status, 200);
    const late = await accept(tokenOf(spare.data.link));
    assert.deepEqual([late.status, late.code], [404, 'INVITATION_NOT_FOUND']);
  });
});

it('lets no admin take a role that they do not have, by changing or by inviting themselves', async () => {
  const [admin, other] = [await staff('admin'), await staff('admin')];
  const body = { roles: everywhere('admin', 'treasurer') };
  const give = (as: TestPerson) =>
    call(`operations/people/${admin.id}/roles`, { method: 'PUT', as, body });
  assert.deepEqual((await give(admin)).code, 'FORBIDDEN');
  const invited = await call('operations/invitations', {
    method: 'POST',
    as: admin,
    body: { name: admin.name, email: admin.email, roles: everywhere('treasurer') },
  });
  assert.deepEqual(invited.code, 'FORBIDDEN');
  assert.equal((await give(other)).status, 200);
});

it('lets no admin take back a role by an invitation that they sent themselves before', async () => {
  const [admin, other] = [await staff('admin', 'treasurer'), await staff('admin')];
  const invited = await call('operations/invitations', {
    method: 'POST',
    as: admin,
    body: { name: admin.name, email: admin.email, roles: everywhere('treasurer') },
  });
  assert.equal(invited.status, 201, invited.text);
  const path = `operations/people/${admin.id}/roles`;
  const body = { roles: everywhere('admin') };
  assert.equal((await call(path, { method: 'PUT', as: other, body })).status, 200);
  const link = `session/invitations/${tokenOf(invited.data.link)}`;
  const late = await call(link, { method: 'POST', as: admin, body: {} });
  assert.deepEqual([late.status, late.code], [404, 'INVITATION_NOT_FOUND']);
});
