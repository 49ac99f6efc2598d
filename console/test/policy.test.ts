import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { storePerson } from '../../service/test/test-person.ts';
import { looksOf, nameOf, openConsole, WIDE, WIDTHS } from './browser.ts';

const app = await openConsole();
after(() => app.close());

const { merchant, database } = app;
const own = { merchantId: merchant.id };
const person = (name: string, role: 'owner' | 'approver' | 'viewer') =>
  storePerson(database, { name, roles: [{ ...own, role }] });
const first = await person('Natasha Zulu', 'owner');
const second = await person('Ngozi Adeyemi', 'owner');
await person('Joseph Tembo', 'approver');
const viewer = await person('Emeka Okafor', 'viewer');
const LIVE = `/b/${merchant.books.live}/policy`;
const TEST = `/b/${merchant.books.test}/policy`;

const rule = (page: Page, name: string) =>
  page
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { level: 3, name, exact: true }) });

describe('the policy of a live book', () => {
  it('is drafted in place, replayed, published by one owner and confirmed by another', async (t) => {
    const one = await app.visit(t, { look: WIDE, person: first });
    const { page } = one;
    await one.open(LIVE);
    await page.getByRole('heading', { name: 'No policy is in force' }).waitFor();
    await page.getByRole('button', { name: 'Begin with examples' }).click();
    await rule(page, 'big').getByRole('button', { name: '5,000.00' }).click();
    const amount = page.getByLabel('Amount at least', { exact: true });
    await amount.and(page.locator(':focus')).waitFor();
    await amount.fill('7500,00');
    await page.getByText('It can be read in two ways.').first().waitFor();
    const keep = page.getByRole('button', { name: 'Keep the rule' });
    assert.equal(await keep.getAttribute('aria-disabled'), 'true');
    await amount.fill('7,500.00');
    await page.getByLabel('Add a condition').selectOption('firstPayment');
    await page.getByRole('button', { name: 'Keep the rule' }).click();
    await rule(page, 'big').getByText('first payment').waitFor();
    await rule(page, 'big').getByRole('button', { name: '7,500.00' }).waitFor();
    const publish = page.getByRole('button', { name: 'Publish version 1 for LIVE…' });
    assert.equal(await publish.getAttribute('title'), 'First replay the last 30 days');
    await page.getByRole('button', { name: 'Replay the last 30 days' }).click();
    await page.getByRole('table', { name: 'Replay of the draft' }).waitFor();
    await page.getByText('Every approval can be given: 3 people for “big”.').waitFor();
    await publish.click();
    await one.assertAccessible();
    await one.screenshot('policy-publish');
    await page.getByRole('button', { name: 'Publish version 1 for LIVE', exact: true }).click();
    await page.getByText('It waits for Ngozi Adeyemi to confirm.').waitFor();

    const other = await app.visit(t, { look: WIDE, person: second });
    const people = Promise.withResolvers<void>();
    await other.page.route(/\/people$/, async (route) => {
      await people.promise;
      await route.fallback();
    });
    await other.open(LIVE);
    await rule(other.page, 'big').waitFor();
    assert.equal(await other.page.getByRole('button', { name: /^Confirm/ }).count(), 0);
    people.resolve();
    await other.page.getByText('published it').waitFor();
    await other.page.getByRole('button', { name: 'Confirm version 1 for LIVE…' }).click();
    await other.screenshot('policy-confirm');
    await other.page
      .getByRole('button', { name: 'Confirm version 1 for LIVE', exact: true })
      .click();
    await other.page
      .getByText(/^In force: version 1, since .* by Natasha Zulu and Ngozi Adeyemi\.$/)
      .waitFor();
    await other.page.getByRole('button', { name: 'Versions' }).click();
    const dialog = other.page.getByRole('dialog');
    await dialog.getByText('Natasha Zulu and Ngozi Adeyemi').waitFor();
    await dialog.getByRole('button', { name: 'Version 1' }).click();
    await dialog.getByText('Needs 1 approval of approver or owner').waitFor();
    await other.assertAccessible();
    await other.screenshot('policy-version');
  });

  it('is only read by others', async (t) => {
    const { page, open } = await app.visit(t, { look: WIDE, person: viewer });
    await open(LIVE);
    const change = page.getByRole('button', { name: 'Change the policy' });
    assert.equal(await change.getAttribute('title'), 'Only owner can do this');
    assert.equal(await page.getByRole('button', { name: 'Edit rule big' }).count(), 0);
  });
});

describe('the policy of a test book', () => {
  for (const look of WIDTHS) {
    it(`shows a draft against what is in force, and publishes at once at ${nameOf(look)}`, async (t) => {
      const visitor = await app.visit(t, { look, person: first, allowed: [/status of 400/] });
      const { page, open } = visitor;
      const isFirst = look === WIDTHS[0];
      await open(TEST);
      await page
        .getByRole('button', { name: isFirst ? 'Begin a draft' : 'Change the policy' })
        .click();
      const name = `rule of ${look.width}`;
      await page.getByRole('button', { name: 'Add a rule' }).click();
      await page.getByLabel('Name', { exact: true }).fill(name);
      await page.getByLabel('Amount at least', { exact: true }).fill('5 thousand');
      await page.getByText('Write figures only, like 1250.50').first().waitFor();
      await page.getByLabel('Amount at least', { exact: true }).fill('');
      await page.getByRole('button', { name: 'Keep the rule' }).click();
      await page.getByText(/^Amount at least: Must be decimal text/).waitFor();
      await visitor.screenshot('policy-problem');
      await page.getByLabel('Amount at least', { exact: true }).fill('5 000');
      await page.getByLabel('Approvals', { exact: true }).fill(isFirst ? '2' : '1');
      await page.getByRole('button', { name: 'Keep the rule' }).click();
      await rule(page, name)
        .getByText(/^Needs [12] approvals? of approver or owner$/)
        .waitFor();
      await rule(page, name).getByText('added').waitFor();
      await visitor.assertAccessible();
      await visitor.screenshot('policy-draft');
      if (!isFirst) {
        // Two rules may match together: four people, where three are here.
        await page.getByRole('button', { name: `Edit rule ${name}` }).click();
        await page.getByLabel('Approvals', { exact: true }).fill('2');
        await page.getByRole('button', { name: 'Keep the rule' }).click();
        await page
          .getByText(/^rules\.\d\.require$/)
          .first()
          .waitFor();
        await visitor.screenshot('policy-impossible');
        await page.getByRole('button', { name: `Edit rule ${name}` }).click();
        await page.getByLabel('Approvals', { exact: true }).fill('1');
        await page.getByRole('button', { name: 'Keep the rule' }).click();
        await page.getByRole('button', { name: 'Edit rule rule of 1280' }).click();
        await page.getByRole('button', { name: 'Remove the rule' }).click();
        await rule(page, 'rule of 1280').getByText('removed').waitFor();
        await visitor.screenshot('policy-removed');
        await page.getByRole('button', { name: 'Restore rule rule of 1280' }).click();
        await page.getByRole('button', { name: 'Edit rule rule of 1280' }).waitFor();
      }
      const version = isFirst ? 1 : 2;
      await page.getByRole('button', { name: `Publish version ${version} for TEST…` }).click();
      await page
        .getByRole('button', { name: `Publish version ${version} for TEST`, exact: true })
        .click();
      await page.getByText(`In force: version ${version}, since`).waitFor();
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(width <= look.width, `the page is ${width} px wide`);
    });
  }

  for (const look of looksOf('policy')) {
    it(`is whole and accessible with an open rule at ${nameOf(look)}`, async (t) => {
      const { page, open, assertAccessible, screenshot } = await app.visit(t, {
        look,
        person: second,
      });
      await open(TEST);
      const begin = page.getByRole('button', { name: 'Change the policy' });
      const edit = page.getByRole('button', { name: 'Edit rule rule of 1280' });
      await begin.or(edit).first().waitFor();
      if ((await begin.count()) > 0) await begin.click();
      await edit.click();
      for (const condition of ['sum', 'count', 'hours', 'operator', 'metadata']) {
        await page.getByLabel('Add a condition').selectOption(condition);
      }
      await assertAccessible();
      await screenshot('policy-edit');
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(width <= look.width, `the page is ${width} px wide`);
    });
  }

  it('keeps two changes that follow each other before the first is stored', async (t) => {
    const { page, open } = await app.visit(t, { look: WIDE, person: first });
    await open(TEST);
    const begin = page.getByRole('button', { name: 'Change the policy' });
    const edit = page.getByRole('button', { name: 'Edit rule rule of 1280' });
    await begin.or(edit).first().waitFor();
    if ((await begin.count()) > 0) await begin.click();
    await page.route('**/policy/draft', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 500));
      await route.continue();
    });
    for (const [name, amount] of [
      ['rule of 1280', '6000'],
      ['rule of 390', '7000'],
    ]) {
      await page.getByRole('button', { name: `Edit rule ${name}` }).click();
      await page.getByLabel('Amount at least', { exact: true }).fill(amount as string);
      await page.getByRole('button', { name: 'Keep the rule' }).click();
    }
    await rule(page, 'rule of 390').getByRole('button', { name: '7,000.00' }).waitFor();
    assert.equal(
      await rule(page, 'rule of 1280').getByRole('button', { name: '6,000.00' }).count(),
      1,
    );
  });
});
