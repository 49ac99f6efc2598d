import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Route } from 'playwright-core';
import { storePerson } from '../../service/test/test-person.ts';
import { looksOf, nameOf, openConsole, WIDE } from './browser.ts';

const app = await openConsole({ SANDBOX_DELAY_MS: '200' });
after(() => app.close());

const { merchant, database } = app;
const person = await storePerson(database, {
  name: 'Natasha Zulu',
  roles: [{ merchantId: merchant.id, role: 'owner' }],
});
const base = `/b/${merchant.books.test}`;

describe('the overview', () => {
  it('teaches while the book is empty', async (t) => {
    const { page, open, assertAccessible, screenshot } = await app.visit(t, { look: WIDE, person });
    await open(base);
    await page.getByText('Nothing needs you now.').waitFor();
    await page.getByText('No payout was created today yet.').waitFor();
    await assertAccessible();
    await screenshot('overview-empty');
  });

  for (const look of looksOf('overview')) {
    it(`shows money, states and plots, and is accessible at ${nameOf(look)}`, async (t) => {
      await storeDay();
      const { page, open, assertAccessible, screenshot } = await app.visit(t, { look, person });
      await open(`${base}/overview`);
      await page.getByRole('link', { name: 'Open: Payouts in doubt' }).waitFor();
      const wallet = page.getByRole('region', { name: 'Test' }).filter({ hasText: 'ZMW' });
      await wallet.getByText('In doubt').waitFor();
      await wallet.getByRole('link', { name: 'Statement' }).waitFor();
      await page.getByRole('img', { name: /^Time to paid over/ }).waitFor();
      await page.getByRole('row', { name: /Airtel/ }).waitFor();
      await assertAccessible();
      await screenshot('overview');
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(width <= look.width, `the page is ${width} px wide`);
    });
  }

  it('leads to the payouts that it counts', async (t) => {
    await storeDay();
    const { page, open } = await app.visit(t, { look: WIDE, person });
    await open(`${base}/overview`);
    await page.getByRole('link', { name: /^Paid/ }).click();
    await page.getByRole('row', { name: /Chileshe Mumba.*Paid/ }).waitFor();
    assert.match(page.url(), /transfers\?state=succeeded&created=today-utc$/);
  });

  it('does not say that it is up to date when it could not be loaded again', async (t) => {
    const allowed = [/status of 500/];
    const { page, open } = await app.visit(t, { look: WIDE, person, allowed });
    await open(`${base}/overview`);
    await page.getByText('Up to date,').waitFor();
    await page.route(/\/payments\/overview/, refuseAll);
    await app.initiate({ amount: 2 });
    await page.getByText('Not all of this page is up to date').waitFor();
    assert.equal(await page.getByText('Up to date,').count(), 0);
    await page.unrouteAll();
    await app.initiate({ amount: 2 });
    await page.getByText('Up to date,').waitFor();
  });
});

describe('signing out', () => {
  it('says that the person is still signed in when it fails', async (t) => {
    const allowed = [/status of 500/];
    const { page, open } = await app.visit(t, { look: WIDE, person, allowed });
    await open(`${base}/overview`);
    await page.route(/\/api\/v1\/session$/, (route) =>
      route.request().method() === 'DELETE' ? refuseAll(route) : route.fallback(),
    );
    await page.getByRole('button', { name: /My account/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByText('You are still signed in. It broke').first().waitFor();
  });
});

function refuseAll(route: Route): Promise<void> {
  const error = { code: 'INTERNAL_ERROR', retryable: false, requestId: 'r' };
  return route.fulfill({ status: 500, json: { message: 'It broke', data: { error } } });
}

let stored: Promise<unknown> | undefined;

/** One payout that is paid, one that fails and one that stays in doubt; the overview has seen them. */
function storeDay(): Promise<unknown> {
  stored ??= (async () => {
    const paid = await app.initiate({ recipientName: 'Chileshe Mumba', amount: 1850 });
    const failed = await app.initiate({ phone: '0977433901', amount: 4100 });
    const doubt = await app.initiate({ phone: '0967782913', operator: 'mtn', amount: 3450 });
    await app.transferOnce(paid.id, ({ state }) => state === 'succeeded');
    await app.transferOnce(failed.id, ({ state }) => state === 'failed');
    await app.transferOnce(doubt.id, ({ state }) => state === 'in_doubt');
  })();
  return stored;
}
