import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { storePerson } from '../test-person.ts';
import { openContract } from './open-contract.ts';
import { newEmail, openTeams, PASSWORD, tokenOf } from './open-teams.ts';

// A service of its own, by any setting that others do not have: calls without a session are limited by network, and
// other tests have the same.
const contract = await openContract({ RATE_LIMIT_PER_SECOND: '999' });
after(() => contract.close());
const { database } = contract;
const { call, open, accept } = openTeams(contract);

describe('a person who was removed', () => {
  const removeFrom = ({ path, owner }: Awaited<ReturnType<typeof open>>, id: string) =>
    call(`${path}/people/${id}`, { method: 'DELETE', as: owner });
  const signInWith = (email: string, code?: string) =>
    call('session', { method: 'POST', body: { email, password: PASSWORD, code } });

  it('makes the account anew when invited again, and stays the same person', async () => {
    const team = await open();
    const email = newEmail();
    const first = await accept(tokenOf((await team.invite({ email })).data.link));
    const { id } = first.data.person;
    assert.equal((await removeFrom(team, id)).status, 200);
    const [recoveryCode] = first.data.recoveryCodes ?? [];
    assert.equal((await signInWith(email, recoveryCode)).status, 401);

    const token = tokenOf((await team.invite({ email })).data.link);
    assert.equal((await call(`session/invitations/${token}`)).data.hasAccount, false);
    const again = await accept(token);
    assert.equal(again.status, 200, again.text);
    assert.deepEqual([again.data.person.id, again.data.memberships.length], [id, 1]);
    assert.equal((await signInWith(email, recoveryCode)).status, 401);
    const [own] = again.data.recoveryCodes ?? [];
    assert.equal((await signInWith(email, own)).status, 200);
  });

  it('keeps the account while another team has them, which no invitation makes anew', async () => {
    const [one, two] = await Promise.all([open(), open()]);
    const email = newEmail();
    const first = await accept(tokenOf((await one.invite({ email })).data.link));
    const second = `session/invitations/${tokenOf((await two.invite({ email })).data.link)}`;
    const as = first.setCookie ?? '';
    assert.equal((await call(second, { method: 'POST', as, body: {} })).status, 200);
    assert.equal((await removeFrom(one, first.data.person.id)).status, 200);
    const token = tokenOf((await one.invite({ email })).data.link);
    assert.equal((await call(`session/invitations/${token}`)).data.hasAccount, true);
    assert.equal((await accept(token)).status, 401);
    const [recoveryCode] = first.data.recoveryCodes ?? [];
    assert.equal((await signInWith(email, recoveryCode)).status, 200);
  });

  it("with a key for the command line is no merchant's to make anew", async () => {
    const admin = await storePerson(database, { staffRoles: ['admin'] });
    const { invite } = await open();
    const token = tokenOf((await invite({ email: admin.email })).data.link);
    assert.equal((await call(`session/invitations/${token}`)).data.hasAccount, true);
    assert.equal((await accept(token)).status, 401);
  });
});
