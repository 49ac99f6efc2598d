import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { forgetUsedCodes, storeAccount } from '../../service/test/test-account.ts';
import { createTestMerchant } from '../../service/test/test-merchant.ts';
import { nameOf, openConsole, WIDE, widthsOf } from './browser.ts';
import { signInThroughPage } from './sign-in.ts';

const app = await openConsole();
after(() => app.close());

const { merchant, database } = app;
/** A browser writes every 404 as an error, also that of a stream that is not offered. */
const allowed = [/status of 404 .* at \S+\/stream$/];
const store = () => storeAccount(database, { roles: [{ merchantId: merchant.id, role: 'owner' }] });

const CLICK_TIMEOUT_MS = 500;

describe('signing in', () => {
  for (const look of widthsOf('sign-in')) {
    it(`leads to the page that was asked for at ${nameOf(look)}`, async (t) => {
      const account = await store();
      const { page, open } = await app.visit(t, { look, allowed });
      await open(`/b/${merchant.books.test}/wallets?currency=ZMW`);
      await signInThroughPage(page, account);
      await page.getByRole('heading', { level: 1, name: 'Wallets' }).waitFor();
      assert.match(page.url(), /\/console\/b\/[^/]+\/wallets\?currency=ZMW$/);
      await page.waitForFunction(() => /^Wallets · .* TEST · Kafue$/.test(document.title));
    });
  }

  it('answers what is wrong in one sentence, and keeps what was typed', async (t) => {
    const account = await store();
    const { page, open } = await app.visit(t, { allowed: [/status of 401/, ...allowed] });
    await open('');
    await signInThroughPage(page, { ...account, password: 'not the password at all' });
    const alert = page.getByRole('alert').filter({ hasText: 'That did not match' });
    await alert.waitFor();
    assert.equal(await page.getByLabel('E-mail').inputValue(), account.email);
    assert.equal(await page.getByLabel('Code from your authenticator app').inputValue(), '');
  });

  it('opens LIVE once it has something to show, TEST before, and then where the person was', async (t) => {
    const { id, books, createWallet } = await createTestMerchant(database, { fundedMinor: 0n });
    const account = await storeAccount(database, { roles: [{ merchantId: id, role: 'owner' }] });
    const first = await app.visit(t, { allowed });
    await first.open('');
    await signInThroughPage(first.page, account);
    await first.page.waitForURL(`**/b/${books.test}/overview`);
    await first.open(`/b/${books.live}/wallets`);
    await first.page.getByRole('row', { name: /ZMW/ }).first().waitFor();
    await first.open('');
    await first.page.waitForURL(`**/b/${books.live}/overview`);

    await createWallet({ mode: 'live', fundedMinor: 100n });
    await forgetUsedCodes(database, account);
    const second = await app.visit(t, { allowed });
    await second.open('');
    await signInThroughPage(second.page, account);
    await second.page.waitForURL(`**/b/${books.live}/overview`);
  });

  it('never leads to another host', async (t) => {
    const account = await store();
    const { page, open } = await app.visit(t, { allowed });
    await open('/sign-in?returnTo=//elsewhere.test/console/');
    await signInThroughPage(page, account);
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    assert.ok(page.url().startsWith(app.url));
  });

  it('over the page keeps what was there when the session has ended', async (t) => {
    const account = await store();
    const { page, open, assertAccessible } = await app.visit(t, {
      look: WIDE,
      allowed: [/status of 401/, ...allowed],
    });
    await open('/account');
    await signInThroughPage(page, account);
    const zone = page.getByLabel('Time zone');
    await zone.fill('Africa/Nowh');
    await database.query({ name: '', text: 'delete from sessions where person_id = $1' }, [
      account.id,
    ]);
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    // The stream may notice the end before the click does: then the dialog covers what is clicked.
    await page
      .getByText('Compact')
      .click({ timeout: CLICK_TIMEOUT_MS })
      .catch(() => undefined);
    await dialog.waitFor();
    await assertAccessible();
    await forgetUsedCodes(database, account);
    await signInThroughPage(dialog, account);
    await dialog.waitFor({ state: 'detached' });
    assert.equal(await zone.inputValue(), 'Africa/Nowh');
  });
});
