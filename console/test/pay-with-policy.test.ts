import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { storePerson } from '../../service/test/test-person.ts';
import { looksOf, nameOf, openConsole, WIDE } from './browser.ts';

const app = await openConsole({ SANDBOX_DELAY_MS: '2000' });
after(() => app.close());

const { merchant, database } = app;
const own = { merchantId: merchant.id };
const person = (name: string, role: 'owner' | 'maker' | 'approver') =>
  storePerson(database, { name, roles: [{ ...own, role }] });
const owner = await person('Natasha Zulu', 'owner');
const maker = await person('Thandiwe Mulenga', 'maker');
const approver = await person('Joseph Tembo', 'approver');
const TEST = `/b/${merchant.books.test}`;
/** In Zambia, whichever wallet comes first. */
const PAY = `${TEST}/pay?walletId=${merchant.wallets.test.ZMW}`;

/** As a program of the owner would, past every page. */
async function ask(method: string, path: string, body?: object): Promise<void> {
  const answer = await fetch(`${app.url}/api/v1/payments/${path}`, {
    method,
    headers: {
      ...owner.headers,
      origin: app.url,
      'x-book': merchant.books.test,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    body: body === undefined ? null : JSON.stringify(body),
  });
  assert.equal(answer.status, 200, await answer.text());
}

await ask('PUT', 'policy/draft', {
  rules: [
    {
      name: 'big',
      when: { amountAtLeast: '5000.00' },
      require: { approvals: 1, of: ['approver', 'owner'] },
    },
    {
      name: 'of one person',
      when: { sum: { by: 'person', day: true, above: '40000.00' } },
      require: { refuse: true },
    },
    {
      name: 'of one recipient',
      when: { count: { by: 'recipient', day: true, above: 4 } },
      require: { refuse: true },
    },
    { name: 'again', when: { similarWithin: 'PT24H' }, require: { warn: true } },
  ],
});
await ask('POST', 'policy/draft/publish');

describe('paying under a policy', () => {
  it('asks for approval, which another person gives, and both see it paid', async (t) => {
    const making = await app.visit(t, { look: WIDE, person: maker });
    const { page } = making;
    await making.open(PAY);
    await page.getByLabel('Phone number').fill('0977433571');
    await page.getByLabel('Recipient’s name').fill('Chileshe Mumba');
    await page.getByLabel('Amount').fill('7,500.00');
    await page.getByText('Needs 1 approval').waitFor();
    await page.getByText('by “big”. Joseph Tembo or Natasha Zulu can give it.').waitFor();
    const act = page.getByRole('button', { name: /^Ask for approval: ZMW.7,500\.00 to Chileshe/ });
    await act.click();
    await page.getByRole('heading', { name: 'Rules and approvals' }).waitFor();
    await page.getByText('0 of 1 approvals given').waitFor();
    await page.evaluate(() => Object.assign(window, { isSamePage: true }));

    const deciding = await app.visit(t, { look: WIDE, person: approver });
    await deciding.open(`${TEST}/overview`);
    await deciding.page.getByText('Payouts that wait for approval').waitFor();
    await deciding.page.getByRole('link', { name: /^Approvals/ }).click();
    await deciding.page.getByText('“big”').waitFor();
    await deciding.screenshot('approval-of-big');
    await deciding.page.getByRole('link', { name: 'Open the transfer' }).click();
    await deciding.page.getByRole('button', { name: /^Approve 1 payout, ZMW.7,500\.00/ }).click();

    for (const visitor of [deciding, making]) {
      await visitor.page.getByText('How it ended: The recipient was paid.').waitFor();
    }
    await page.getByText('1 of 1 approvals given').waitFor();
    assert.ok(await page.evaluate(() => 'isSamePage' in window), 'the page was loaded again');
    await making.assertAccessible();
    await making.screenshot('transfer-approved');
  });

  for (const look of looksOf('pay-with-policy')) {
    it(`shows limits with the payout drawn in, and asks about warnings at ${nameOf(look)}`, async (t) => {
      const { page, open, assertAccessible, screenshot } = await app.visit(t, {
        look,
        person: maker,
      });
      await open(PAY);
      await page.getByLabel('Phone number').fill('0977433571');
      await page.getByLabel('Amount').fill('7500');
      await page.getByText('rule “of one person”').waitFor();
      await page.getByText('ZMW32,500.00 left').waitFor();
      await page.getByText('3 payouts left').waitFor();
      await page.getByText(/^Rule “again”: same number and amount .* 24 hours\.$/).waitFor();
      await page.getByLabel('This is another one, pay it too').check();
      await page.getByText('First answer the warning of the policy.').last().waitFor();
      await assertAccessible();
      await screenshot('pay-limits');
      await page.getByLabel('I have looked at it, pay it').check();
      await page.getByRole('button', { name: /^Ask for approval/, disabled: false }).waitFor();
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(width <= look.width, `the page is ${width} px wide`);
    });
  }

  for (const look of looksOf('pay-with-policy-2')) {
    it(`leaves its traces in what is left at ${nameOf(look)}`, async (t) => {
      const { page, open, assertAccessible, screenshot } = await app.visit(t, {
        look,
        person: owner,
      });
      await open(`${TEST}/limits?phone=0977433571`);
      const mine = page.getByRole('row', { name: /Thandiwe Mulenga.*ZMW/ });
      await mine.getByText('32,500.00').waitFor();
      const row = page.getByRole('row', { name: /\+260 97 743 3571/ }).first();
      await row.getByText('3 payouts', { exact: true }).waitFor();
      await assertAccessible();
      await screenshot('limits-left');
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(width <= look.width, `the page is ${width} px wide`);
    });
  }

  it('says which rule refuses before anything is sent', async (t) => {
    const { page, open, screenshot } = await app.visit(t, { look: WIDE, person: maker });
    await open(PAY);
    await page.getByLabel('Phone number').fill('0977433572');
    await page.getByLabel('Amount').fill('35000');
    await page
      .getByText(/of one person/)
      .first()
      .waitFor();
    await page.getByText('First correct what is marked.').last().waitFor();
    await screenshot('pay-refused');
  });
});
