import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it, type TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import {
  forgetUsedCodes,
  storeAccount,
  type TestAccount,
  totpCode,
} from '../../service/test/test-account.ts';
import { storePerson } from '../../service/test/test-person.ts';
import { looksOf, nameOf, openConsole, WIDE, widthsOf } from './browser.ts';
import { addVirtualPasskeys } from './passkey.ts';
import { signInThroughPage } from './sign-in.ts';

const app = await openConsole();
after(() => app.close());

const { merchant, database } = app;
/** A browser writes every 404 as an error, also that of a stream that is not offered. */
const allowed = [/status of 404 .* at \S+\/stream$/];
const store = () => storeAccount(database, { roles: [{ merchantId: merchant.id, role: 'owner' }] });

/** Scans the key that the dialog shows, and sends a code of the new app. Returns the key. */
async function setUpShownApp(page: Page): Promise<string> {
  const secret = (await page.locator('.totp code').innerText()).replaceAll(' ', '');
  await page.getByLabel('Code from your authenticator app').fill(totpCode(secret));
  await page.getByRole('dialog').getByRole('button', { name: 'Set up an app' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  return secret;
}

/** Signs in elsewhere, by the app that has this key. */
async function assertOpens(t: TestContext, account: TestAccount): Promise<void> {
  await forgetUsedCodes(database, account);
  const { page, open } = await app.visit(t, { look: WIDE, allowed });
  await open('/account');
  await signInThroughPage(page, account);
  await page.getByRole('button', { name: 'Replace it…' }).waitFor();
}

describe('my account', () => {
  for (const look of looksOf('account')) {
    it(`shows factors and sessions and is accessible at ${nameOf(look)}`, async (t) => {
      const account = await store();
      const visitor = await app.visit(t, { look, allowed });
      const { page, open, assertAccessible, screenshot } = visitor;
      await open('/account');
      await signInThroughPage(page, account);
      await page.getByText('10 codes left of 10').waitFor();
      await page.getByText('this one', { exact: true }).waitFor();
      await assertAccessible();
      await screenshot('account');
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(width <= look.width, `the page is ${width} px wide`);
    });
  }

  it('keeps the theme that was chosen, also in another browser', async (t) => {
    const account = await store();
    const first = await app.visit(t, { look: WIDE, allowed });
    await first.open('/account');
    await signInThroughPage(first.page, account);
    const kept = first.page.waitForResponse(
      (answer) => answer.url().endsWith('/preferences') && answer.request().method() === 'PUT',
    );
    await first.page.getByText('Dark', { exact: true }).click();
    assert.equal((await kept).status(), 200);
    await forgetUsedCodes(database, account);
    const second = await app.visit(t, { look: WIDE, allowed });
    await second.open('/account');
    await signInThroughPage(second.page, account);
    await second.page.locator('html[data-theme=dark]').waitFor();
  });

  for (const look of widthsOf('account app')) {
    it(`replaces the authenticator app by the old one at ${nameOf(look)}`, async (t) => {
      const account = await store();
      const { page, open, assertAccessible, screenshot } = await app.visit(t, { look, allowed });
      await open('/account');
      await signInThroughPage(page, account);
      await page.getByRole('button', { name: 'Replace it…' }).click();
      await assertAccessible();
      await screenshot('replace-app');
      await page
        .getByLabel('Code from your authenticator app')
        .fill(totpCode(account.totpSecret, 1));
      await page.getByRole('button', { name: 'Show the new key' }).click();
      await assertOpens(t, { ...account, totpSecret: await setUpShownApp(page) });
    });

    it(`replaces a lost authenticator app by recovery codes at ${nameOf(look)}`, async (t) => {
      const account = await store();
      const [first = '', second = ''] = account.recoveryCodes;
      const { page, open, assertAccessible, screenshot } = await app.visit(t, { look, allowed });
      await open('/account');
      await page.getByLabel('E-mail', { exact: true }).fill(account.email);
      await page.getByLabel('Password', { exact: true }).fill(account.password);
      await page.getByRole('button', { name: 'Use a recovery code' }).click();
      await page.getByLabel('Recovery code').fill(first);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.getByRole('button', { name: 'Replace it…' }).click();
      await page.getByRole('button', { name: 'Use a recovery code' }).click();
      await page.locator('input:focus').fill(second);
      await assertAccessible();
      await screenshot('replace-lost-app');
      await page.getByRole('button', { name: 'Show the new key' }).click();
      const totpSecret = await setUpShownApp(page);
      await page.getByText('8 codes left of 10').waitFor();
      await assertOpens(t, { ...account, totpSecret });
    });
  }

  it('says where the factors are that a first single sign-on ended', async (t) => {
    const person = await storePerson(database, {
      roles: [{ merchantId: merchant.id, role: 'owner' }],
    });
    await database.query(
      {
        name: '',
        text: `insert into directory.acts (id, actor_kind, actor_id, actor_name, kind, subject, acted_at)
               values ($1, 'person', $2, $3, 'ACCOUNT_RESET', $4, now())`,
      },
      [randomUUID(), person.id, person.name, person.id],
    );
    const visitor = await app.visit(t, { look: WIDE, person, allowed });
    await visitor.open('/account');
    await visitor.page.getByText('You first signed in with your company account').waitFor();
    await visitor.assertAccessible();
    await visitor.screenshot('account-reset');
  });

  it('asks for the second factor after single sign-on with one, and says what to do where it is of another person', async (t) => {
    const account = await store();
    const { page, open, assertAccessible, screenshot } = await app.visit(t, {
      look: WIDE,
      allowed: [...allowed, /status of 403 .* at \S+\/stream$/],
    });
    await open('/account');
    await signInThroughPage(page, account);
    await page.getByText('10 codes left of 10').waitFor();
    const signOn = `update sessions set has_second_factor = false, by_single_sign_on = true where person_id = $1`;
    await database.query({ name: '', text: signOn }, [account.id]);
    await forgetUsedCodes(database, account);
    await open('/account');
    await page.getByRole('button', { name: 'Show it…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('to remove you and invite you again').waitFor();
    await assertAccessible();
    await screenshot('account-not-shown');
    await dialog.getByLabel('Code from your authenticator app').fill(totpCode(account.totpSecret));
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Show it…' }).waitFor({ state: 'detached' });
    const text = 'select vouched_at from people where id = $1 and vouched_at is not null';
    assert.equal((await database.query({ name: '', text }, [account.id])).length, 1);
  });

  it('adds one passkey for two clicks', async (t) => {
    const person = await storePerson(database, {
      roles: [{ merchantId: merchant.id, role: 'owner' }],
    });
    const { page, open } = await app.visit(t, {
      look: WIDE,
      person,
      allowed: [...allowed, /ERR_FAILED/],
    });
    let asked = 0;
    const held = Promise.withResolvers<void>();
    const came = Promise.withResolvers<void>();
    await page.route(/\/factors\/passkeys\/options$/, async (route) => {
      asked += 1;
      came.resolve();
      await held.promise;
      await route.abort().catch(() => undefined);
    });
    await open('/account');
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByLabel('Name of the passkey').fill('Office laptop');
    const add = page.getByRole('dialog').getByRole('button', { name: 'Add a passkey' });
    await add.click();
    await page.getByRole('dialog').locator('[aria-busy=true]').waitFor();
    await add.click({ force: true });
    await came.promise;
    held.resolve();
    await page
      .getByRole('dialog')
      .getByText('We do not know whether it was stored')
      .first()
      .waitFor();
    assert.equal(asked, 1);
  });

  for (const look of widthsOf('account')) {
    it(`adds a passkey, signs in with it and shows it again at ${nameOf(look)}`, async (t) => {
      const person = await storePerson(database, {
        roles: [{ merchantId: merchant.id, role: 'owner' }],
      });
      const { page, open } = await app.visit(t, { look, isAlone: true, person, allowed });
      const passkeys = await addVirtualPasskeys(page);
      await open('/account');
      await page.getByRole('button', { name: 'Add a passkey' }).click();
      await page.getByLabel('Name of the passkey').fill('Office laptop');
      await page.getByRole('dialog').getByRole('button', { name: 'Add a passkey' }).click();
      await page.getByRole('button', { name: 'Remove passkey Office laptop' }).waitFor();
      assert.equal(await passkeys.count(), 1);
      await page.context().clearCookies();
      await open('/account');
      await page.getByRole('button', { name: 'Use a passkey' }).click();
      await page.getByRole('button', { name: 'Make new codes…' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Use a passkey' }).click();
      await page.getByRole('heading', { name: 'Keep these codes now' }).waitFor();
    });
  }
});
