import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { forgetUsedCodes, storeAccount } from '../../service/test/test-account.ts';
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
    it(`adds a passkey and signs in with it at ${nameOf(look)}`, async (t) => {
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
      await page.getByRole('button', { name: 'Remove passkey Office laptop' }).waitFor();
    });
  }
});
