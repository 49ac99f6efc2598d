import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { createTestMerchant } from '../test-merchant.ts';
import { storePerson, type TestPerson } from '../test-person.ts';
import { openContract } from './open-contract.ts';
import { everywhere, newEmail, openTeams, tokenOf } from './open-teams.ts';

const REMOVED_WITHIN_MS = 1_000;
const contract = await openContract();
after(() => contract.close());
const { database } = contract;
const { call, open, accept } = openTeams(contract);

describe('the people of a merchant', () => {
  it('are changed by owners of the whole merchant alone', async () => {
    const { merchant, personWith, owner, path, invite } = await open();
    const ofTestBook = await storePerson(database, {
      roles: [{ merchantId: merchant.id, role: 'owner', bookId: merchant.books.test }],
    });
    for (const person of [await personWith('maker'), ofTestBook]) {
      const body = { roles: everywhere('owner') };
      const change = { method: 'PUT', as: person, body };
      assert.equal((await invite({ roles: everywhere('owner') }, person)).code, 'FORBIDDEN');
      assert.equal((await call(`${path}/people/${person.id}/roles`, change)).code, 'FORBIDDEN');
      const removal = { method: 'DELETE', as: person };
      assert.equal((await call(`${path}/people/${owner.id}`, removal)).code, 'FORBIDDEN');
    }
  });

  it('do not exist for an owner of another merchant', async () => {
    const [mine, other] = await Promise.all([open(), open()]);
    const body = { roles: everywhere('viewer') };
    const inForeign = await call(`${other.path}/people/${other.owner.id}/roles`, {
      method: 'PUT',
      as: mine.owner,
      body,
    });
    assert.deepEqual([inForeign.status, inForeign.code], [404, 'NOT_FOUND']);
    for (const method of ['PUT', 'DELETE']) {
      const end = method === 'PUT' ? '/roles' : '';
      const inOwn = await call(`${mine.path}/people/${other.owner.id}${end}`, {
        method,
        as: mine.owner,
        ...(method === 'PUT' ? { body } : {}),
      });
      assert.deepEqual([inOwn.status, inOwn.code], [404, 'PERSON_NOT_FOUND']);
    }
    assert.equal((await call(`${mine.path}/people`, { as: other.owner })).status, 404);
  });

  it('see nothing any more within a second when they are removed', async () => {
    const { merchant, personWith, owner, path } = await open();
    const maker = await personWith('maker');
    const look = () => call('payments/wallets', { as: maker, book: merchant.books.live });
    assert.equal((await look()).status, 200);
    const removed = await call(`${path}/people/${maker.id}`, { method: 'DELETE', as: owner });
    const removedMs = performance.now();
    assert.equal(removed.status, 200);
    // Without another role there is no session any more.
    assert.equal((await look()).status, 401);
    assert.ok(performance.now() - removedMs < REMOVED_WITHIN_MS);
  });

  it('have other roles at once, and a role in one book only there', async () => {
    const { merchant, personWith, owner, path } = await open();
    const maker = await personWith('maker');
    const roles = [{ role: 'viewer', bookId: merchant.books.live }];
    const change = { method: 'PUT', as: owner, body: { roles } };
    assert.equal((await call(`${path}/people/${maker.id}/roles`, change)).status, 200);
    const inBook = async (book: string) =>
      (await call('payments/wallets', { as: maker, book })).status;
    assert.deepEqual(
      [await inBook(merchant.books.live), await inBook(merchant.books.test)],
      [200, 404],
    );
    const [act] = await database.query<{ before: object; after: object }>(
      {
        name: '',
        text: `select before, after from directory.acts where subject = $1 and kind = 'ROLES_CHANGED'`,
      },
      [maker.id],
    );
    const { name, email } = maker;
    assert.deepEqual(act, {
      before: { name, email, roles: ['maker'] },
      after: { name, email, roles: [`viewer in ${merchant.books.live}`] },
    });
  });

  it('do not get a role back from an owner who saw them before it was taken away', async () => {
    const { merchant, personWith, owner, path } = await open();
    const [other, person] = [await personWith('owner'), await personWith('maker', 'viewer')];
    const rolesNow = async () =>
      (await call(`${path}/people`, { as: owner })).data.items.find(({ id }) => id === person.id)
        ?.roles;
    const seen = await rolesNow();
    const change = (as: typeof owner, body: object) =>
      call(`${path}/people/${person.id}/roles`, { method: 'PUT', as, body });
    const taken = { roles: everywhere('maker'), before: seen };
    assert.equal((await change(other, taken)).status, 200);
    const approver = { role: 'approver', bookId: merchant.books.live };
    const stale = { roles: [...everywhere('maker'), ...everywhere('viewer'), approver] };
    const refused = await change(owner, { ...stale, before: seen });
    assert.deepEqual([refused.status, refused.code], [409, 'CONTENT_CHANGED']);
    assert.deepEqual(await rolesNow(), [{ role: 'maker', bookId: null }]);
    const broken = await change(owner, { ...stale, before: [] });
    assert.deepEqual([broken.status, broken.code], [400, 'VALIDATION_ERROR']);
    // In another order, and with the book left out.
    await change(owner, { roles: [approver, ...everywhere('maker')] });
    const again = { roles: everywhere('viewer'), before: [{ role: 'maker' }, approver] };
    assert.equal((await change(owner, again)).status, 200);
  });

  it('are listed with their second factor', async () => {
    const { owner, path } = await open();
    const shown = async () =>
      (await call(`${path}/people`, { as: owner })).data.items.map((one) => one.secondFactor);
    assert.deepEqual(await shown(), ['none']);
    await database.query(
      {
        name: '',
        text: `insert into passkeys (id, person_id, credential_id, public_key, counter, name, created_at)
               values ($1::uuid, $1::uuid, decode(md5($1::uuid::text), 'hex'), '\\x01', 0, 'Phone', now())`,
      },
      [owner.id],
    );
    assert.deepEqual(await shown(), ['passkey']);
  });

  it('always have an owner, also when several act at once', async () => {
    const { merchant, owner, path } = await open();
    const lonely = await call(`${path}/people/${owner.id}`, { method: 'DELETE', as: owner });
    assert.deepEqual([lonely.status, lonely.code], [409, 'LAST_OWNER']);
    const demoted = await call(`${path}/people/${owner.id}/roles`, {
      method: 'PUT',
      as: owner,
      body: { roles: [{ role: 'owner', bookId: merchant.books.live }] },
    });
    assert.equal(demoted.code, 'LAST_OWNER');
    for (let round = 0; round < 5; round += 1) {
      const { personWith, owner: first, path: team } = await open();
      const second = await personWith('owner');
      const answers = await Promise.all([
        call(`${team}/people/${second.id}`, { method: 'DELETE', as: first }),
        call(`${team}/people/${first.id}`, { method: 'DELETE', as: second }),
        call(`${team}/people/${first.id}`, { method: 'DELETE', as: first }),
      ]);
      assert.equal(answers.filter(({ status }) => status === 200).length, 1);
    }
  });
});

describe('the staff', () => {
  const PATH = 'operations';
  const staff = (role: 'admin' | 'support') => storePerson(database, { staffRoles: [role] });

  it('is invited, changed and removed by an admin, who may give every role of the staff', async () => {
    const [admin, support] = await Promise.all([staff('admin'), staff('support')]);
    const body = { name: 'Mwila Banda', email: newEmail(), roles: everywhere('treasurer') };
    const invite = (as: TestPerson) => call(`${PATH}/invitations`, { method: 'POST', as, body });
    assert.equal((await invite(support)).code, 'FORBIDDEN');
    const invited = await invite(admin);
    assert.equal(invited.status, 201, invited.text);
    const accepted = await accept(tokenOf(invited.data.link));
    assert.deepEqual(accepted.data.staffRoles, ['treasurer']);
    const as = accepted.setCookie ?? '';
    const { id } = accepted.data.person;
    const listed = await call(`${PATH}/people`, { as });
    assert.ok(listed.data.items.some((person) => person.id === id));
    const roles = { method: 'PUT', as: admin, body: { roles: everywhere('auditor') } };
    assert.equal((await call(`${PATH}/people/${id}/roles`, roles)).status, 200);
    assert.deepEqual((await call('session', { as })).data.staffRoles, ['auditor']);
    const ended = await call(`${PATH}/people/${id}/sessions`, { method: 'DELETE', as: admin });
    assert.deepEqual(ended.data, { id, ended: 1 });
    assert.equal((await call('session', { as })).status, 401);
    const removed = await call(`${PATH}/people/${id}`, { method: 'DELETE', as: admin });
    assert.equal(removed.status, 200);
    const again = await call(`${PATH}/people/${id}`, { method: 'DELETE', as: admin });
    assert.deepEqual([again.status, again.code], [404, 'PERSON_NOT_FOUND']);
  });

  it('does not exist for a merchant', async () => {
    const { owner } = await open();
    assert.equal((await call(`${PATH}/people`, { as: owner })).status, 404);
  });

  it('invites the first owner of a merchant, and has no way in afterwards', async () => {
    const admin = await staff('admin');
    const { id: merchantId } = await createTestMerchant(database);
    const invite = (roles: object) =>
      call(`${PATH}/invitations`, {
        method: 'POST',
        as: admin,
        body: { name: 'Mwila Banda', email: newEmail(), roles, merchantId },
      });
    assert.equal((await invite(everywhere('maker'))).code, 'FORBIDDEN');
    const invited = await invite(everywhere('owner'));
    assert.equal((await accept(tokenOf(invited.data.link))).status, 200);
    const second = await invite(everywhere('owner'));
    assert.deepEqual([second.status, second.code], [403, 'FORBIDDEN']);
  });

  it('withdraws what a person proposed who may no longer decide', async () => {
    const [admin, other] = await Promise.all([staff('admin'), staff('admin')]);
    const { wallets, books } = await createTestMerchant(database);
    await database.query(
      {
        name: '',
        text: `insert into take_backs (id, book_id, wallet_id, funded_seq, reason, proposed_by, proposed_at, expires_at)
               values (gen_random_uuid(), $1, $2, 1, 'wrong', $3, now(), now() + interval '1 day')`,
      },
      [books.test, wallets.test.ZMW, other.id],
    );
    const body = { roles: everywhere('auditor') };
    await call(`${PATH}/people/${other.id}/roles`, { method: 'PUT', as: admin, body });
    const [row] = await database.query(
      { name: '', text: 'select ended_as, ended_by from take_backs where proposed_by = $1' },
      [other.id],
    );
    assert.deepEqual(row, { ended_as: 'withdrawn', ended_by: admin.id });
    const text = `
      select book_id, actor_id, before ->> 'proposedBy' as proposer from acts
      where kind = 'TAKE_BACK_WITHDRAWN' and subject = $1`;
    const acts = await database.query({ name: '', text }, [wallets.test.ZMW]);
    assert.deepEqual(acts, [{ book_id: books.test, actor_id: admin.id, proposer: other.name }]);
  });
});
