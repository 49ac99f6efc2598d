import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { after, beforeEach, describe, it } from 'node:test';
import {
  type AddedAdministrator,
  addAdministrator,
} from '../../src/administrators/add-administrator.ts';
import { removeAdministrator } from '../../src/administrators/remove-administrator.ts';
import { replaceAdministrator } from '../../src/administrators/replace-administrator.ts';
import type { Actor } from '../../src/domain/actor.ts';
import { invitePerson } from '../../src/people/invite-person.ts';
import { STAFF } from '../../src/people/team.ts';
import { TEST_ACTOR } from '../test-actor.ts';
import { cellsOf } from '../test-database.ts';
import { openContract } from './open-contract.ts';
import { newEmail, openTeams, PASSWORD, tokenOf } from './open-teams.ts';

// A service of its own, by any setting that others do not have: an administrator is replaced while there is no other.
const contract = await openContract({ RATE_LIMIT_PER_SECOND: '998' });
after(() => contract.close());
const { database } = contract;
const { call, open, accept } = openTeams(contract);

const deps = {
  directory: database,
  cells: cellsOf({ main: database }),
  now: () => new Date(),
  newId: () => randomUUID(),
  randomBytes,
  logger: { warn: () => undefined },
  consoleOrigin: () => 'http://localhost:3000',
  sendMail: undefined,
};
const actorOf = ({ id, name }: AddedAdministrator) => ({ kind: 'person', id, name }) as const;
const add = (actor: Actor, name: string) => addAdministrator(deps, { actor, name });
const replace = async (name: string) =>
  (await replaceAdministrator(deps, { actor: TEST_ACTOR, name, reason: 'key lost' })).added;

describe('an administrator who gets a key again', () => {
  const name = 'Mutinta Banda';
  let first: AddedAdministrator;
  let email: string;
  beforeEach(async () => {
    await database.query({ name: '', text: 'delete from staff_roles' });
    first = await add(TEST_ACTOR, `Chanda ${randomUUID()}`);
    email = newEmail();
  });

  const inviteBy = async (
    inviter: AddedAdministrator,
    changes: Readonly<{ name?: string; email?: string }> = {},
  ) => {
    const roles = [{ role: 'admin', bookId: null }] as const;
    const request = { actor: actorOf(inviter), team: STAFF, name, email, roles, ...changes };
    return tokenOf((await invitePerson(deps, request)).link);
  };
  const signIn = (code: string | undefined, address = email) =>
    call('session', { method: 'POST', body: { email: address, password: PASSWORD, code } });

  /** Accepts an invitation, and signs in with what that set up; returns the person. */
  async function enter(token: string, address = email): Promise<string> {
    assert.equal((await call(`session/invitations/${token}`)).data.hasAccount, false);
    const accepted = await accept(token, { name });
    assert.equal(accepted.status, 200, accepted.text);
    const [code] = accepted.data.recoveryCodes ?? [];
    const signedIn = await signIn(code, address);
    assert.deepEqual([signedIn.status, signedIn.data.staffRoles], [200, ['admin']]);
    return accepted.data.person.id;
  }

  /** Has an account, was removed, and has a key again. */
  async function returned(): Promise<AddedAdministrator> {
    const added = await add(actorOf(first), `${name} ${randomUUID()}`);
    assert.equal(await enter(await inviteBy(first, { name: added.name })), added.id);
    await removeAdministrator(deps, { actor: actorOf(first), name: added.name });
    const again = await add(actorOf(first), added.name);
    assert.deepEqual([again.id, again.returned], [added.id, true]);
    return again;
  }

  it('makes the account anew when invited, and stays the same person', async () => {
    const { id, name: own } = await returned();
    assert.equal(await enter(await inviteBy(first, { name: own })), id);
  });

  it('stays the same person when invited in another name, or to another address', async () => {
    const one = await returned();
    assert.equal(await enter(await inviteBy(first, { name: 'M. Banda' })), one.id);
    email = newEmail();
    const two = await returned();
    const other = newEmail();
    const token = await inviteBy(first, { name: two.name, email: other });
    assert.equal(await enter(token, other), two.id);
  });

  it('makes it anew after a replacement by another and back', async () => {
    assert.equal(await enter(await inviteBy(first, { name: first.name })), first.id);
    await replace(`Bwalya ${randomUUID()}`);
    const back = await replace(first.name);
    assert.equal(back.id, first.id);
    assert.equal(await enter(await inviteBy(back, { name: back.name })), first.id);
  });

  it('is opened by the link of one invitation alone', async () => {
    const { name: own } = await returned();
    const [one, two] = [
      await inviteBy(first, { name: own }),
      await inviteBy(first, { name: own, email: newEmail() }),
    ];
    await enter(one);
    assert.equal((await call(`session/invitations/${two}`)).data.hasAccount, true);
    assert.equal((await accept(two)).status, 401);
  });

  it('is not taken over by the link of a merchant, also one from before the key', async () => {
    const added = await add(actorOf(first), `${name} ${randomUUID()}`);
    await enter(await inviteBy(first, { name: added.name }));
    await removeAdministrator(deps, { actor: actorOf(first), name: added.name });
    const [one, two] = await Promise.all([open(), open()]);
    const before = tokenOf((await one.invite({ email })).data.link);
    assert.equal((await call(`session/invitations/${before}`)).data.hasAccount, false);
    await add(actorOf(first), added.name);
    for (const token of [before, tokenOf((await two.invite({ email })).data.link)]) {
      assert.equal((await call(`session/invitations/${token}`)).data.hasAccount, true);
      assert.equal((await accept(token)).status, 401);
    }
    assert.equal(await enter(await inviteBy(first, { name: added.name })), added.id);
  });
});
