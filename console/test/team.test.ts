import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { totpCode } from '../../service/test/test-account.ts';
import { createTestMerchant } from '../../service/test/test-merchant.ts';
import { storePerson } from '../../service/test/test-person.ts';
import { looksOf, NARROW, nameOf, openConsole, WIDE, widthsOf } from './browser.ts';

const app = await openConsole();
after(() => app.close());

const { merchant, database } = app;
const own = { merchantId: merchant.id };
const owner = await storePerson(database, {
  name: 'Natasha Zulu',
  roles: [{ ...own, role: 'owner' }],
});
await storePerson(database, {
  name: 'Ngozi Adeyemi',
  roles: [
    { ...own, role: 'maker' },
    { ...own, role: 'approver', bookId: merchant.books.live },
  ],
});
const viewer = await storePerson(database, {
  name: 'Emeka Okafor',
  roles: [{ ...own, role: 'viewer', bookId: merchant.books.test }],
});
const LIVE = `/b/${merchant.books.live}`;

describe('the team', () => {
  for (const look of widthsOf('team')) {
    it(`gets a person invited, changed and removed at ${nameOf(look)}`, async (t) => {
      const { page, open, assertAccessible, screenshot } = await app.visit(t, {
        look,
        person: owner,
      });
      const [name, email] = [`Mwila Kasonde ${look.width}`, `mwila${look.width}@example.test`];
      await open(`${LIVE}/team`);
      await page.getByRole('button', { name: 'Invite a person…' }).click();
      await page.getByLabel('Name', { exact: true }).fill(name);
      await page.getByLabel('E-mail').fill(email);
      await page.getByLabel(/^approver/).selectOption('live');
      await page.getByText(`${name} will be approver in LIVE only.`).waitFor();
      await assertAccessible();
      await screenshot('team-invite');
      await page.getByRole('button', { name: 'Make the invitation' }).click();
      await page.getByText(/\/console\/invitation\//).waitFor();
      await screenshot('team-link');
      await page.getByRole('button', { name: 'I copied it' }).click();
      await page.getByRole('button', { name: `Withdraw the invitation of ${email}` }).click();
      await page.getByRole('button', { name: 'Withdraw it' }).click();
      await page.getByRole('row', { name: new RegExp(email) }).waitFor({ state: 'detached' });

      const leaver = await storePerson(database, {
        name: `Joseph Tembo ${look.width}`,
        roles: [{ ...own, role: 'maker' }],
      });
      await open(`${LIVE}/team`);
      await page.getByRole('button', { name: `Change ${leaver.name}` }).click();
      await page.getByLabel(/^viewer/).selectOption('all');
      await page.getByRole('button', { name: 'Save the roles' }).click();
      const row = page.getByRole('row', { name: new RegExp(leaver.name) });
      await row.getByText('viewer').waitFor();
      await row.getByRole('button').click();
      await page.getByRole('button', { name: 'Remove from the team…' }).click();
      await screenshot('team-remove');
      await page.getByRole('button', { name: `Remove ${leaver.name}`, exact: true }).click();
      await row.waitFor({ state: 'detached' });
    });
  }

  it('gives no role back that was taken away while the form was open', async (t) => {
    const person = await storePerson(database, {
      name: 'Bwalya Phiri',
      roles: [
        { ...own, role: 'maker' },
        { ...own, role: 'approver' },
      ],
    });
    const allowed = [/status of 409/];
    const { page, open } = await app.visit(t, { look: WIDE, person: owner, allowed });
    await open(`${LIVE}/team`);
    await page.getByRole('button', { name: `Change ${person.name}` }).click();
    await page.getByLabel(/^viewer/).selectOption('all');
    const taken = `delete from directory.merchant_roles where person_id = $1 and role = 'approver'`;
    await database.query({ name: '', text: taken }, [person.id]);
    const save = page.getByRole('button', { name: 'Save the roles' });
    await save.click();
    await page.getByText(/not as you saw them/).waitFor();
    await page.getByText('Close this and open it again').waitFor();
    assert.equal(await save.getAttribute('aria-disabled'), 'true');
    await page.keyboard.press('Escape');
    const row = page.getByRole('row', { name: new RegExp(person.name) });
    await row.getByText('approver').waitFor({ state: 'detached' });
    await row.getByRole('button').click();
    await page.getByLabel(/^viewer/).selectOption('all');
    await save.click();
    await row.getByText('viewer').waitFor();
    assert.equal(await row.getByText('approver').count(), 0);
  });

  it('is joined by a person who is new, and by one who is signed in already', async (t) => {
    const inviter = await app.visit(t, { look: WIDE, person: owner });
    const invite = async (name: string, email: string) => {
      const { page } = inviter;
      await inviter.open(`${LIVE}/team`);
      await page.getByRole('button', { name: 'Invite a person…' }).click();
      await page.getByLabel('Name', { exact: true }).fill(name);
      await page.getByLabel('E-mail').fill(email);
      await page.getByLabel(/^viewer/).selectOption('all');
      await page.getByRole('button', { name: 'Make the invitation' }).click();
      const link = await page.getByText(/\/console\/invitation\//).innerText();
      return new URL(link).pathname.replace('/console', '');
    };

    const fresh = await app.visit(t, { look: NARROW });
    await fresh.open(await invite('Bupe Zulu', 'bupe.zulu@example.test'));
    await fresh.page.getByLabel('Password').fill('a boat on the Kafue');
    await fresh.page.getByRole('button', { name: 'Set up the app' }).click();
    const secret = await fresh.page.locator('.totp code').innerText();
    await fresh.page
      .getByLabel('Code from your authenticator app')
      .fill(totpCode(secret.replaceAll(' ', '')));
    await fresh.assertAccessible();
    await fresh.screenshot('invitation');
    await fresh.page.getByRole('button', { name: 'Accept and sign in' }).click();
    await fresh.page.getByRole('heading', { name: 'Keep these codes now' }).waitFor();
    await fresh.page.getByRole('button', { name: 'I kept them' }).click();
    await fresh.page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();

    const elsewhere = await createTestMerchant(database);
    const known = await storePerson(database, {
      name: 'Thandiwe Mulenga',
      roles: [{ merchantId: elsewhere.id, role: 'viewer' }],
    });
    const path = await invite(known.name, known.email);
    const signedOut = await app.visit(t, { look: WIDE });
    await signedOut.open(path);
    await signedOut.page.getByRole('link', { name: 'Sign in first' }).click();
    await signedOut.page.getByLabel('E-mail').waitFor();
    assert.equal(new URL(signedOut.page.url()).searchParams.get('returnTo'), `/console${path}`);
    const signedIn = await app.visit(t, { look: WIDE, person: known });
    await signedIn.open(path);
    await signedIn.page.getByText(`You are signed in as ${known.email}.`).waitFor();
    await signedIn.assertAccessible();
    await signedIn.screenshot('invitation-known');
    await signedIn.page.getByRole('button', { name: 'Accept the invitation' }).click();
    await signedIn.page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await inviter.open(`${LIVE}/team`);
    await inviter.page.getByRole('row', { name: /Thandiwe Mulenga/ }).waitFor();
  });

  it('keeps its last owner', async (t) => {
    const { page, open } = await app.visit(t, {
      look: WIDE,
      person: owner,
      allowed: [/status of 409/],
    });
    await open(`${LIVE}/team`);
    await page.getByRole('button', { name: 'Change Natasha Zulu' }).click();
    await page.getByLabel(/^owner/).selectOption('none');
    await page.getByLabel(/^maker/).selectOption('all');
    await page.getByRole('button', { name: 'Save the roles' }).click();
    await page.getByRole('alert').filter({ hasText: 'LAST_OWNER' }).waitFor();
  });

  it('says to others who can change it', async (t) => {
    const { page, open } = await app.visit(t, { look: WIDE, person: viewer });
    await open(`/b/${merchant.books.test}/team`);
    const invite = page.getByRole('button', { name: 'Invite a person…' });
    assert.equal(await invite.getAttribute('title'), 'Only owner can do this');
    await page.getByRole('row', { name: /Ngozi Adeyemi/ }).waitFor();
  });
});

describe('team and activity', () => {
  for (const look of looksOf('team')) {
    it(`are whole and accessible at ${nameOf(look)}`, async (t) => {
      const { page, open, assertAccessible, screenshot } = await app.visit(t, {
        look,
        person: owner,
      });
      for (const [name, known] of [
        ['team', 'Ngozi Adeyemi'],
        ['activity', 'changed the roles of a person'],
      ] as const) {
        await open(`${LIVE}/${name}`);
        const found = page.getByRole('main').getByText(known).first();
        await found.waitFor();
        if (name === 'activity') {
          await found.click();
          await page.getByRole('region', { name: known }).getByText('maker, viewer').waitFor();
        }
        await assertAccessible();
        await screenshot(name);
        const width = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(width <= look.width, `${name} is ${width} px wide`);
      }
    });
  }

  it('is filtered by person, kind and time', async (t) => {
    const { page, open } = await app.visit(t, { look: WIDE, person: owner });
    await open(`${LIVE}/activity?kind=PERSON_REMOVED&actor=${owner.id}`);
    await page.getByRole('button', { name: 'removed a person' }).first().waitFor();
    assert.equal(await page.getByRole('button', { name: 'invited a person' }).count(), 0);
    await page.getByText('Natasha Zulu').first().waitFor();
    await open(`${LIVE}/activity?to=2020-01-01`);
    await page.getByRole('heading', { name: 'No act matches these filters' }).waitFor();
  });
});
