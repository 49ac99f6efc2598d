import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { type MailScript, startFakeMailServer } from '../fakes/fake-mail-server.ts';
import { createTestMerchant } from '../test-merchant.ts';
import { storePerson } from '../test-person.ts';
import { openContract } from './open-contract.ts';
import { everywhere, newEmail, openTeams, PASSWORD, tokenOf } from './open-teams.ts';

let mailScript: MailScript = 'take';
const mailServer = await startFakeMailServer(() => mailScript);
const contract = await openContract({
  SMTP_URL: mailServer.url,
  MAIL_FROM: 'payouts@example.test',
});
after(async () => {
  await contract.close();
  await mailServer.close();
});
const { database } = contract;
const { call, open, accept } = openTeams(contract);

describe('an invitation', () => {
  it('leads a new person to the merchant, with a second factor and recovery codes', async () => {
    const { merchant, owner, path, invite } = await open();
    const email = newEmail();
    const invited = await invite({ email, roles: everywhere('maker') });
    assert.equal(invited.status, 201, invited.text);
    assert.equal(invited.data.mailed, true);
    assert.match(invited.data.link, /^http:\/\/localhost:\d+\/console\/invitation\/[\w-]{43}$/);
    const token = tokenOf(invited.data.link);
    const shown = await call(`session/invitations/${token}`);
    const { expiresAt, ...rest } = shown.data;
    assert.deepEqual(rest, {
      name: 'Bupe Zulu',
      email,
      merchant: { id: merchant.id, name: merchant.name },
      roles: everywhere('maker'),
      needsSecondFactor: true,
      hasAccount: false,
    });
    const lifeMs = new Date(expiresAt).getTime() - Date.now();
    assert.ok(lifeMs > 23.9 * 3_600_000 && lifeMs <= 24 * 3_600_000);
    const accepted = await accept(token, { name: 'Bupe M. Zulu' });
    assert.equal(accepted.status, 200, accepted.text);
    assert.equal(accepted.data.recoveryCodes?.length, 10);
    assert.equal(accepted.data.person.email, email);
    assert.equal(accepted.data.memberships[0]?.merchant.id, merchant.id);
    const session = accepted.setCookie ?? '';
    const listed = await call(`${path}/people`, { as: session });
    const found = listed.data.items.find((person) => person.email === email);
    assert.deepEqual(
      [found?.name, found?.roles, found?.secondFactor],
      ['Bupe M. Zulu', everywhere('maker'), 'totp'],
    );
    assert.deepEqual(listed.data.invitations, []);
    const acts = await database.query<{ kind: string; actor_id: string }>(
      {
        name: '',
        text: 'select kind, actor_id from directory.acts where subject = $1 order by acted_at',
      },
      [invited.data.id],
    );
    assert.deepEqual(
      acts.map((act) => [act.kind, act.actor_id]),
      [
        ['PERSON_INVITED', owner.id],
        ['INVITATION_ACCEPTED', accepted.data.person.id],
      ],
    );
  });

  it('needs a code that the app shows, and a password that is hard to guess', async () => {
    const { invite } = await open();
    const token = tokenOf((await invite({})).data.link);
    for (const changes of [
      { totpSecret: null },
      { code: '000000x' },
      { code: null },
      { totpSecret: 'short' },
      { password: 'password1234' },
      { password: 'short' },
      { name: 'a\u202eb' },
    ]) {
      const { status, code } = await accept(token, changes);
      assert.deepEqual([status, code], [400, 'VALIDATION_ERROR'], JSON.stringify(changes));
    }
    assert.equal((await accept(token)).status, 200);
  });

  it('needs no second factor for a test book alone', async () => {
    const { merchant, invite } = await open();
    const roles = [{ role: 'developer', bookId: merchant.books.test }];
    const token = tokenOf((await invite({ roles })).data.link);
    assert.equal((await call(`session/invitations/${token}`)).data.needsSecondFactor, false);
    const accepted = await accept(token, { totpSecret: null, code: null });
    assert.deepEqual([accepted.status, accepted.data.recoveryCodes], [200, null]);
    const as = accepted.setCookie ?? '';
    const statuses = await Promise.all(
      [merchant.books.test, merchant.books.live].map(
        async (book) => (await call('payments/wallets', { as, book })).status,
      ),
    );
    assert.deepEqual(statuses, [200, 404]);
  });

  it('is accepted once, also by two at once', async () => {
    const { invite } = await open();
    const token = tokenOf((await invite({})).data.link);
    const both = await Promise.all([accept(token), accept(token)]);
    assert.deepEqual(new Set(both.map(({ status }) => status)), new Set([200, 404]));
    assert.equal(both.find(({ status }) => status === 404)?.code, 'INVITATION_NOT_FOUND');
    assert.equal((await accept(token)).status, 404);
    assert.equal((await call(`session/invitations/${token}`)).status, 404);
  });

  it('ends after 24 hours, when it is withdrawn, and when another replaces it', async () => {
    const { path, owner, invite } = await open();
    const old = (await invite({})).data;
    await database.query(
      {
        name: '',
        text: `update invitations
               set created_at = now() - interval '25 hours', expires_at = now() - interval '1 second'
               where id = $1`,
      },
      [old.id],
    );
    const withdrawn = (await invite({})).data;
    const removal = { method: 'DELETE', as: owner };
    assert.equal((await call(`${path}/invitations/${withdrawn.id}`, removal)).status, 200);
    assert.equal((await call(`${path}/invitations/${withdrawn.id}`, removal)).status, 404);
    const email = newEmail();
    const replaced = (await invite({ email })).data;
    const last = (await invite({ email })).data;
    for (const { link } of [old, withdrawn, replaced]) {
      const { status, code } = await accept(tokenOf(link));
      assert.deepEqual([status, code], [404, 'INVITATION_NOT_FOUND']);
    }
    assert.equal((await accept(tokenOf(last.link))).status, 200);
  });

  it('is mailed after it is stored, and shown all the same when that fails', async () => {
    const { owner, path, invite } = await open();
    const email = newEmail();
    const taken = (await invite({ email, name: 'Bupe <b>Zulu</b>' })).data;
    const mail = mailServer.mails.find((text) => text.includes(email)) ?? '';
    assert.ok(mail.replace(/=\r\n/g, '').includes(taken.link));
    assert.match(mail, /^Content-Type: text\/plain/m);
    mailScript = 'refuse';
    try {
      const failed = await invite({ email: newEmail() });
      assert.deepEqual([failed.status, failed.data.mailed], [201, false]);
      assert.equal((await accept(tokenOf(failed.data.link))).status, 200);
    } finally {
      mailScript = 'take';
    }
    const listed = await call(`${path}/people`, { as: owner });
    assert.equal(listed.data.invitations.length, 1);
  });

  it('is kept as a hash alone', async () => {
    const { invite } = await open();
    const { id, link } = (await invite({})).data;
    const [row] = await database.query<{ kept: string }>(
      {
        name: '',
        text: 'select i::text || a.after::text as kept from invitations i join directory.acts a on a.subject = i.id::text where i.id = $1',
      },
      [id],
    );
    assert.ok(row !== undefined && !row.kept.includes(tokenOf(link)));
  });

  it('is not seen and not withdrawn by another merchant', async () => {
    const [mine, other] = await Promise.all([open(), open()]);
    const { id } = (await mine.invite({})).data;
    const foreign = { method: 'DELETE', as: other.owner };
    assert.equal((await call(`${mine.path}/invitations/${id}`, foreign)).status, 404);
    const inOwn = await call(`${other.path}/invitations/${id}`, foreign);
    assert.deepEqual([inOwn.status, inOwn.code], [404, 'INVITATION_NOT_FOUND']);
    assert.deepEqual(
      (await call(`${other.path}/people`, { as: other.owner })).data.invitations,
      [],
    );
  });

  it('needs a second factor of a moment ago', async () => {
    const { merchant, invite } = await open();
    const roles = [{ merchantId: merchant.id, role: 'owner' as const }];
    const steppedUpAt = new Date(Date.now() - 6 * 60_000);
    const owner = await storePerson(database, { roles, steppedUpAt });
    const { status, code } = await invite({}, owner);
    assert.deepEqual([status, code], [403, 'STEP_UP_REQUIRED']);
  });

  it('ends with the roles of the inviter', async () => {
    const { personWith, owner, path, invite } = await open();
    const inviter = await personWith('owner');
    const { id, link } = (await invite({ name: 'Bupe Zulu' }, inviter)).data;
    await call(`${path}/people/${inviter.id}`, { method: 'DELETE', as: owner });
    assert.equal((await accept(tokenOf(link))).status, 404);
    const text = `
      select actor_id, before ->> 'name' as name from directory.acts
      where kind = 'INVITATION_WITHDRAWN' and subject = $1`;
    const acts = await database.query({ name: '', text }, [id]);
    assert.deepEqual(acts, [{ actor_id: owner.id, name: 'Bupe Zulu' }]);
  });

  it('brings markup back as the text that it is', async () => {
    const { path, owner, invite } = await open();
    const name = '<img src=x onerror=alert(1)> & "Zulu"';
    const { link } = (await invite({ name })).data;
    const shown = await call(`session/invitations/${tokenOf(link)}`);
    const listed = await call(`${path}/people`, { as: owner });
    assert.deepEqual([shown.data.name, listed.data.invitations[0]?.name], [name, name]);
  });

  it('tells every broken field at once', async () => {
    const { merchant, invite } = await open();
    const broken = await invite({ name: ' ', email: 'a@b', roles: [], more: 1 });
    assert.deepEqual(broken.data.error?.fields.map(({ field }) => field).toSorted(), [
      'email',
      'more',
      'name',
      'roles',
    ]);
    const other = await createTestMerchant(database);
    for (const roles of [
      [{ role: 'viewer', bookId: other.books.test }],
      [{ role: 'viewer', bookId: randomUUID() }],
      [{ role: 'admin', bookId: null }],
      [...everywhere('viewer', 'viewer')],
      [{ role: 'viewer', bookId: merchant.books.test, more: 1 }],
    ]) {
      const { status, code } = await invite({ roles });
      assert.deepEqual([status, code], [400, 'VALIDATION_ERROR'], JSON.stringify(roles));
    }
  });
});

describe('a person of two merchants', () => {
  it('accepts the second invitation with password and code, and only gets the roles', async () => {
    const [one, two] = await Promise.all([open(), open()]);
    const email = newEmail();
    const first = await accept(tokenOf((await one.invite({ email })).data.link));
    const second = tokenOf((await two.invite({ email, name: 'Another Name' })).data.link);
    assert.equal((await call(`session/invitations/${second}`)).data.hasAccount, true);
    const path = `session/invitations/${second}`;
    const wrong = await call(path, {
      method: 'POST',
      body: { password: 'wrong wrong wrong', code: '000000' },
    });
    assert.deepEqual([wrong.status, wrong.code], [401, 'SIGN_IN_FAILED']);
    const withoutCode = await call(path, { method: 'POST', body: { password: PASSWORD } });
    assert.equal(withoutCode.status, 401);
    const code = first.data.recoveryCodes?.[0];
    const accepted = await call(path, { method: 'POST', body: { password: PASSWORD, code } });
    assert.equal(accepted.status, 200, accepted.text);
    assert.deepEqual(
      [accepted.data.person.id, accepted.data.person.name, accepted.data.memberships.length],
      [first.data.person.id, 'Bupe Zulu', 2],
    );
    // The first one removes the person, who stays with the second.
    const { id } = first.data.person;
    await call(`${one.path}/people/${id}`, { method: 'DELETE', as: one.owner });
    const as = accepted.setCookie ?? '';
    assert.equal((await call(`${one.path}/people`, { as })).status, 404);
    assert.equal((await call(`${two.path}/people`, { as })).status, 200);
  });

  it('accepts it while signed in: an account of single sign-on has no password', async () => {
    const [one, two] = await Promise.all([open(), open()]);
    const person = await one.personWith('viewer');
    const { link } = (await two.invite({ email: person.email })).data;
    const path = `session/invitations/${tokenOf(link)}`;
    for (const as of [undefined, one.owner]) {
      const refused = await call(path, { method: 'POST', body: {}, ...(as && { as }) });
      assert.deepEqual([refused.status, refused.code], [401, 'SIGN_IN_FAILED']);
    }
    const accepted = await call(path, { method: 'POST', body: {}, as: person });
    assert.equal(accepted.status, 200, accepted.text);
    assert.deepEqual(
      [accepted.data.person.id, accepted.data.memberships.length, accepted.data.recoveryCodes],
      [person.id, 2, null],
    );
    assert.equal((await call(`${two.path}/people`, { as: person })).status, 200);
  });
});
