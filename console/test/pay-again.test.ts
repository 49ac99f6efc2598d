import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { retryReference } from '../../service/src/domain/retry-reference.ts';
import { storePerson } from '../../service/test/test-person.ts';
import { looksOf, nameOf, openConsole, WIDE, widthsOf } from './browser.ts';

const app = await openConsole({ SANDBOX_DELAY_MS: '2000' });
after(() => app.close());

const { merchant, database } = app;
const person = await storePerson(database, {
  name: 'Thandiwe Mulenga',
  roles: [{ merchantId: merchant.id, role: 'maker' }],
});

describe('paying a failed payout again', () => {
  const transfers = `/b/${merchant.books.test}/transfers`;
  const failed = async (reference: string) => {
    const details = { phone: '0977433903', amount: 31, narration: 'Bus fare' };
    const { id } = await app.initiate({ ...details, reference });
    return app.transferOnce(id, ({ state }) => state === 'failed');
  };
  const pay = async (page: Page) => {
    await page.getByLabel('This is another one, pay it too').check();
    await page.getByRole('button', { name: /^Pay ZMW.31\.00/, disabled: false }).click();
  };

  for (const [index, look] of widthsOf('pay-again').entries()) {
    it(`gives it the reference that files and the command line give at ${nameOf(look)}`, async (t) => {
      const visit = await app.visit(t, { look, person });
      const { page, open, assertAccessible, screenshot } = visit;
      // The longest that is numbered, and one that is named by its hash.
      for (const length of [80, 81]) {
        const { id, reference } = await failed(`fare-${index}-`.padEnd(length, 'x'));
        await open(`${transfers}/${id}`);
        await page.getByRole('link', { name: 'Pay again…' }).click();
        const field = page.getByRole('textbox', { name: 'Reference' });
        await field.waitFor();
        assert.equal(await field.inputValue(), retryReference(reference));
        assert.ok(await field.isDisabled(), 'the reference can be changed');
        assert.equal(await page.getByLabel('Narration').inputValue(), 'Bus fare');
        await page.getByLabel('This is another one, pay it too').waitFor();
        await assertAccessible();
        await screenshot('pay-again');
        const width = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(width <= look.width, `the page is ${width} px wide`);
        await pay(page);
        await page.getByRole('heading', { name: 'What happened' }).waitFor();
        const answer = await app.api.get(`transfers?reference=${retryReference(reference)}`);
        assert.equal((answer.data as { items: unknown[] }).items.length, 1);

        await open(`${transfers}/${id}`);
        await page.getByRole('link', { name: 'See the payout made instead' }).waitFor();
        assert.equal(await page.getByText('Pay again…').count(), 0);
        await assertAccessible();
        await screenshot('pay-again-done');
        await page.getByRole('link', { name: 'See the payout made instead' }).click();
        await page.getByText(retryReference(reference)).first().waitFor();
      }
    });
  }

  it('leads to the payout that was made meanwhile, also when it has other details', async (t) => {
    const { page, open, assertAccessible, screenshot } = await app.visit(t, {
      look: WIDE,
      person,
      allowed: [/status of 409/],
    });
    const { id, reference } = await failed('fare-meanwhile');
    await open(`${transfers}/${id}`);
    await page.getByRole('link', { name: 'Pay again…' }).click();
    await page.getByLabel('This is another one, pay it too').waitFor();
    const form = page.url();
    const again = retryReference(reference);
    const made = await app.initiate({ reference: again, phone: '0977433575', amount: 30 });
    await pay(page);
    await page
      .getByText('A payout has this reference already, and nothing more was paid.')
      .waitFor();
    const openIt = page.getByRole('button', { name: 'Open the payout with this reference' });
    await openIt.click();
    await page.waitForURL(new RegExp(`${made.id}$`));

    // Said before anything is sent, where it is known by then.
    await page.goto(form);
    await page
      .getByText('A payout has this reference already, and nothing more was paid.')
      .waitFor();
    const button = page.getByRole('button', { name: /^Pay ZMW.31\.00/ });
    assert.equal(await button.getAttribute('aria-disabled'), 'true');
    await assertAccessible();
    await screenshot('pay-again-meanwhile');
    await openIt.click();
    await page.waitForURL(new RegExp(`${made.id}$`));
  });
});

describe('paying again what was cancelled or reversed', () => {
  const transfers = `/b/${merchant.books.test}/transfers`;
  const cancelled = async (reference: string) => {
    const { id } = await app.initiate({ reference, phone: '0977433941', amount: 37 });
    await app.api.post(`transfers/${id}/cancel`, {});
    return app.transferOnce(id, ({ state }) => state === 'cancelled');
  };
  const reversed = async (reference: string) => {
    const { id } = await app.initiate({ reference, phone: '0977433921', amount: 37 });
    return app.transferOnce(id, ({ state }) => state === 'reversed');
  };

  for (const [end, make] of Object.entries({ cancelled, reversed })) {
    for (const look of widthsOf(`pay-again-${end}`)) {
      it(`pays what was ${end} once, under the reference that follows at ${nameOf(look)}`, async (t) => {
        const { page, open, screenshot, assertAccessible } = await app.visit(t, { look, person });
        const { id, reference } = await make(`rent-${end}-${look.width}`);
        await open(`${transfers}/${id}`);
        await page.getByRole('link', { name: 'Pay again…' }).click();
        const field = page.getByRole('textbox', { name: 'Reference' });
        await field.waitFor();
        assert.equal(await field.inputValue(), retryReference(reference));
        assert.ok(await field.isDisabled(), 'the reference can be changed');
        await page.getByLabel('This is another one, pay it too').check();
        await assertAccessible();
        await screenshot(`pay-again-${end}`);
        await page.getByRole('button', { name: /^Pay ZMW.37\.00/, disabled: false }).click();
        await page.getByRole('heading', { name: 'What happened' }).waitFor();
        const made = page.url();

        await open(`${transfers}/${id}`);
        await page.getByRole('link', { name: 'See the payout made instead' }).click();
        await page.waitForURL(made);
        await page.getByText(retryReference(reference)).first().waitFor();
      });
    }
  }
});

const SAY_PAID = `
  insert into incidents (book_id, id, transfer_id, kind, opened_at)
  select t.book_id, gen_random_uuid(), t.id, 'paid_after_failure', now()
  from transfers t where t.id = $1`;
const CLOSE = `
  update incidents set closed_at = now(), closed_by = 'Support', note = 'It was not paid.'
  where transfer_id = $1 and closed_at is null`;

describe('paying again what the operator may have paid', () => {
  const transfers = `/b/${merchant.books.test}/transfers`;
  const sayPaid = (id: string) => database.query({ name: '', text: SAY_PAID }, [id]);
  const settle = (id: string) => database.query({ name: '', text: CLOSE }, [id]);
  /** One that failed, and the one that was to pay it again and was cancelled. */
  const failedAndCancelled = async (reference: string) => {
    const { id } = await app.initiate({ reference, phone: '0977433903', amount: 43 });
    await app.transferOnce(id, ({ state }) => state === 'failed');
    const again = retryReference(reference);
    const order = { reference: again, phone: '0977433941', amount: 43 };
    const cancelled = await app.initiate(order);
    await app.api.post(`transfers/${cancelled.id}/cancel`, {});
    return { first: id, second: cancelled.id };
  };
  const openForm = async (page: Page) => {
    await page.getByRole('link', { name: 'Pay again…' }).click();
    await page.getByLabel('This is another one, pay it too').check();
  };

  for (const look of looksOf('pay-again-paid')) {
    it(`says what is known and leads to the earlier payout at ${nameOf(look)}`, async (t) => {
      const { page, open, assertAccessible, screenshot } = await app.visit(t, { look, person });
      const { first, second } = await failedAndCancelled(`fee-${nameOf(look)}`);
      await sayPaid(first);
      await open(`${transfers}/${second}`);
      await openForm(page);
      const note = page.getByRole('alert').filter({ hasText: 'may have paid this already' });
      await note.waitFor();
      const button = page.getByRole('button', { name: /^Pay ZMW.43\.00/ });
      assert.equal(await button.getAttribute('aria-disabled'), 'true');
      const reason = page.locator(`[id="${await button.getAttribute('aria-describedby')}"]`);
      assert.equal(await reason.textContent(), 'The operator may have paid it already.');
      await assertAccessible();
      await screenshot('pay-again-paid');
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(width <= look.width, `the page is ${width} px wide`);

      await settle(first);
      await note.getByRole('button', { name: 'Check again' }).press('Enter');
      await page.getByRole('button', { name: /^Pay ZMW.43\.00/, disabled: false }).waitFor();
      assert.equal(await note.count(), 0);

      await sayPaid(first);
      await page.reload();
      await note.getByRole('link', { name: 'See the earlier payout' }).press('Enter');
      await page.waitForURL(new RegExp(`${first}$`));
      await page.getByText('The operator contradicts what is recorded').last().waitFor();
    });
  }

  it('says the same when the operator says so while the form is open', async (t) => {
    const { page, open } = await app.visit(t, { look: WIDE, person, allowed: [/status of 409/] });
    const { first, second } = await failedAndCancelled('fee-meanwhile');
    await open(`${transfers}/${second}`);
    await openForm(page);
    const pay = page.getByRole('button', { name: /^Pay ZMW.43\.00/, disabled: false });
    await pay.waitFor();
    await sayPaid(first);
    await pay.click();
    const note = page.getByRole('alert').filter({ hasText: 'may have paid this already' });
    const link = note.getByRole('link', { name: 'See the earlier payout' });
    await link.waitFor();
    assert.equal(await note.count(), 1);
    await link.click();
    await page.waitForURL(new RegExp(`${first}$`));
  });
});
