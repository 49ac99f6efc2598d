import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { storePerson } from '../../service/test/test-person.ts';
import { looksOf, nameOf, openConsole, WIDE, widthsOf } from './browser.ts';

const app = await openConsole();
after(() => app.close());

const { merchant, database } = app;
const own = { merchantId: merchant.id };
const owner = await storePerson(database, {
  name: 'Natasha Zulu',
  roles: [{ ...own, role: 'owner' }],
});
const viewer = await storePerson(database, {
  name: 'Emeka Okafor',
  roles: [{ ...own, role: 'viewer' }],
});
const admin = await storePerson(database, { name: 'Mutinta Phiri', staffRoles: ['admin'] });
const LIVE = `/b/${merchant.books.live}/limits`;
const TEST = `/b/${merchant.books.test}/limits`;

describe('the lists of a book', () => {
  for (const [index, look] of widthsOf('limits').entries()) {
    it(`deny a number with a reason and an end, and let it go at ${nameOf(look)}`, async (t) => {
      const { page, open, assertAccessible, screenshot } = await app.visit(t, {
        look,
        person: owner,
      });
      await open(`${LIVE}?which=deny`);
      await page.getByRole('button', { name: 'Deny a number…' }).click();
      await page.getByLabel('Phone number').fill(`097 743 350${index}`);
      await page.getByLabel('Reason').fill(`Stolen phone ${look.width}`);
      await page.getByLabel('Ends on').fill('2099-12-31');
      await assertAccessible();
      await screenshot('lists-form');
      await page.getByRole('button', { name: new RegExp(`^Deny .*350${index}$`) }).click();
      const row = page.getByRole('row', { name: new RegExp(`350${index}`) });
      await row.getByText(`Stolen phone ${look.width}`).waitFor();
      await row.getByText('by Natasha Zulu').waitFor();
      await row.getByText('1 Jan 2100').waitFor();
      assert.equal(await page.locator('.tabs [aria-current]').count(), 1);
      await row.getByRole('button').click();
      await page.getByLabel('Why it ends').fill('It was found');
      await screenshot('lists-end');
      await page
        .getByRole('button', { name: /^End the entry of .*\d$/ })
        .last()
        .click();
      await row.getByText('ended').waitFor();
      await open(`${LIVE}?which=deny&inForce=true&q=350${index}`);
      await page.getByRole('heading', { name: 'No number matches these filters' }).waitFor();
    });
  }

  it('says in TEST that it is one, and asks for no second factor', async (t) => {
    const { page, open } = await app.visit(t, { look: WIDE, person: owner });
    await open(`${TEST}?which=allow`);
    await page.getByRole('heading', { name: 'No number is on the allow list' }).waitFor();
    await page.getByRole('button', { name: 'Allow a number…' }).click();
    await page.getByLabel('Phone number').fill('+260977433571');
    await page.getByLabel('Reason').fill('Our own agent');
    await page.getByRole('button', { name: 'Allow +260 97 743 3571 (test)' }).click();
    await page.getByRole('row', { name: /3571/ }).getByText('no end').waitFor();
  });

  it('are read by viewers, who are told who could change them', async (t) => {
    const { page, open } = await app.visit(t, { look: WIDE, person: viewer });
    await open(`${LIVE}?which=deny`);
    const add = page.getByRole('button', { name: 'Deny a number…' });
    await add.waitFor();
    assert.equal(await add.getAttribute('title'), 'Only owner can do this');
  });
});

describe('screeners', () => {
  it('are added with a secret that is shown once, and removed', async (t) => {
    const { page, open, assertAccessible, screenshot } = await app.visit(t, {
      look: WIDE,
      person: owner,
    });
    await open(`${LIVE}?which=screeners`);
    await page.getByRole('button', { name: 'Add a screener…' }).click();
    await page.getByLabel('Name').fill('payouts');
    await page.getByLabel('Address').fill('https://screen.example.com/payouts');
    await page.getByRole('button', { name: 'Add payouts' }).click();
    await page.getByRole('heading', { name: 'Keep the secret now' }).waitFor();
    await page.getByRole('button', { name: 'I kept it' }).click();
    await page
      .getByRole('row', { name: /payouts/ })
      .getByText('5 s')
      .waitFor();
    await assertAccessible();
    await screenshot('screeners');
    await page.getByRole('button', { name: 'Remove the screener payouts' }).click();
    await page.getByRole('button', { name: 'Remove payouts', exact: true }).click();
    await page.getByRole('heading', { name: 'No screener yet' }).waitFor();
  });
});

describe('limits and lists', () => {
  for (const look of looksOf('limits')) {
    it(`are whole and accessible at ${nameOf(look)}`, async (t) => {
      const { page, open, assertAccessible, screenshot } = await app.visit(t, {
        look,
        person: owner,
      });
      for (const [name, path, known] of [
        ['limits', LIVE, 'There are no limits in this book'],
        ['lists', `${LIVE}?which=deny`, 'Payouts to these numbers are refused.'],
      ] as const) {
        await open(path);
        await page.getByText(known).first().waitFor();
        await assertAccessible();
        await screenshot(name);
        const width = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(width <= look.width, `${name} is ${width} px wide`);
      }
    });
  }
});

describe('the company’s list', () => {
  it('denies a number to every merchant', async (t) => {
    const { page, open, assertAccessible, screenshot } = await app.visit(t, {
      look: WIDE,
      person: admin,
    });
    await open('/staff/lists');
    await page.getByRole('button', { name: 'Deny a number…' }).click();
    await page.getByLabel('Phone number').fill('0977433599');
    await page.getByLabel('Reason').fill('Order of a court');
    await page.getByText('No merchant can pay this number until the entry ends.').waitFor();
    await page.getByRole('button', { name: /^Deny .*3599$/ }).click();
    await page.getByRole('row', { name: /3599/ }).getByText('Order of a court').waitFor();
    await assertAccessible();
    await screenshot('company-list');
  });
});
