import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { storePerson } from '../../service/test/test-person.ts';
import { looksOf, nameOf, openConsole, WIDE, widthsOf } from './browser.ts';

const app = await openConsole();
after(() => app.close());

const { merchant, database } = app;
const person = await storePerson(database, {
  name: 'Thandiwe Mulenga',
  roles: [{ merchantId: merchant.id, role: 'owner' }],
});
/** A browser writes every 404 as an error, also that of a stream that is not offered. */
const allowed = [/status of 404 .* at \S+\/stream$/];
const path = `/b/${merchant.books.test}/wallets`;

describe('the wallets', () => {
  for (const look of looksOf('wallets')) {
    it(`are shown with their balances and are accessible at ${nameOf(look)}`, async (t) => {
      const { page, open, assertAccessible, screenshot } = await app.visit(t, {
        look,
        person,
        allowed,
      });
      await open(path);
      await page.getByRole('row', { name: /^Test .*ZMW/ }).waitFor();
      await assertAccessible();
      await screenshot('wallets');
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(width <= look.width, `the page is ${width} px wide`);
    });
  }

  for (const look of widthsOf('wallets')) {
    it(`are filtered by the address at ${nameOf(look)}`, async (t) => {
      const { page, open } = await app.visit(t, { look, person, allowed });
      await open(`${path}?currency=NGN`);
      await page.getByRole('row', { name: /^Test .*NGN/ }).waitFor();
      assert.equal(await page.getByRole('row', { name: /^Test .*ZMW/ }).count(), 0);
      await page.getByRole('button', { name: 'Remove Currency' }).click();
      await page.getByRole('row', { name: /^Test .*ZMW/ }).waitFor();
      assert.ok(page.url().endsWith('/wallets'));
    });
  }
});

describe('pages of a list', () => {
  it('go back one at a time, also after the page was loaded again', async (t) => {
    const { page, open } = await app.visit(t, { look: WIDE, person, allowed });
    const pages = ['', 'two', 'three'];
    await page.route(/\/payments\/wallets\?/, async (route) => {
      const at = pages.indexOf(new URL(route.request().url()).searchParams.get('cursor') ?? '');
      const wallet = { id: `w${at}`, name: null, currency: 'ZMW', status: 'active' };
      const items = [{ ...wallet, available: `${at + 1}00.00`, held: '0.00' }];
      await route.fulfill({ json: { data: { items, nextCursor: pages[at + 1] ?? null } } });
    });
    await open(path);
    for (const sum of ['200.00', '300.00']) {
      await page.getByRole('button', { name: 'Older' }).click();
      await page.getByRole('row', { name: new RegExp(sum) }).waitFor();
    }
    await page.reload();
    for (const sum of ['200.00', '100.00']) {
      await page.getByRole('button', { name: 'Newer' }).click();
      await page.getByRole('row', { name: new RegExp(sum) }).waitFor();
    }
  });
});

describe('the frame', () => {
  it('names the book, and the other book opens the same list', async (t) => {
    const { page, open } = await app.visit(t, { look: WIDE, person, allowed });
    await open(path);
    await page.getByRole('button', { name: /^TEST .* Change the book$/ }).waitFor();
    await page.keyboard.press('b');
    await page.getByRole('menuitem', { name: /LIVE/ }).click();
    await page.getByRole('button', { name: /^LIVE .* Change the book$/ }).waitFor();
    assert.match(page.url(), new RegExp(`/b/${merchant.books.live}/wallets$`));
    await page.waitForFunction(() => document.title.endsWith(' LIVE · Kafue'));
  });

  it('lists its keys, and gives focus back when the list is closed', async (t) => {
    const { page, open, assertAccessible } = await app.visit(t, { look: WIDE, person, allowed });
    await open(path);
    const link = page.getByRole('link', { name: 'Wallets' });
    await link.focus();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard' }).waitFor();
    await assertAccessible();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Keyboard' }).waitFor({ state: 'detached' });
    await link.and(page.locator(':focus')).waitFor();
  });

  it('has no book that belongs to others', async (t) => {
    const { page, open } = await app.visit(t, { look: WIDE, person, allowed });
    await open('/b/00000000-0000-7000-8000-000000000000/wallets');
    await page.getByRole('heading', { name: 'There is no such page' }).waitFor();
  });
});
