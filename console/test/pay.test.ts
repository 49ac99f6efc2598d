import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Request } from 'playwright-core';
import { storePerson } from '../../service/test/test-person.ts';
import { looksOf, nameOf, openConsole, WIDE, widthsOf } from './browser.ts';

const app = await openConsole({ SANDBOX_DELAY_MS: '2000' });
after(() => app.close());

const { merchant, database } = app;
const person = await storePerson(database, {
  name: 'Thandiwe Mulenga',
  roles: [{ merchantId: merchant.id, role: 'maker' }],
});
const viewer = await storePerson(database, {
  name: 'Natasha Zulu',
  roles: [{ merchantId: merchant.id, role: 'viewer' }],
});
// In Zambia, whichever wallet comes first.
const path = `/b/${merchant.books.test}/pay?walletId=${merchant.wallets.test.ZMW}`;

describe('paying one', () => {
  for (const [index, look] of widthsOf('pay').entries()) {
    it(`pays, finds it by phone and sees it become paid without a reload at ${nameOf(look)}`, async (t) => {
      const { page, open } = await app.visit(t, { look, person });
      const phone = `097 743 357${index}`;
      await open(path);
      await page.getByLabel('Phone number').fill(phone);
      await page.getByLabel('Amount').fill('7,500.00');
      await page.getByText(/^Airtel has this number as/).waitFor();
      await page.getByRole('button', { name: 'Use it' }).click();
      const pay = page.getByRole('button', { name: /^Pay ZMW.7,500\.00 to .* \(test\)$/ });
      await page.getByText('Airtel takes payouts now.').waitFor();
      // Two clicks are one payout.
      await pay.dblclick();
      await page.getByRole('heading', { name: 'What happened' }).waitFor();

      await page.getByRole('searchbox', { name: 'Search' }).fill(phone);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'What happened' }).waitFor();
      await page.evaluate(() => Object.assign(window, { isSamePage: true }));
      await page.getByText('How it ended: The recipient was paid.').waitFor();
      assert.ok(await page.evaluate(() => 'isSamePage' in window), 'the page was loaded again');
      const { data } = await app.api.get(`transfers?phone=${encodeURIComponent(phone)}`);
      assert.equal((data as { items: unknown[] }).items.length, 1);
    });
  }

  for (const look of looksOf('pay')) {
    it(`shows the consequences and is accessible at ${nameOf(look)}`, async (t) => {
      const similar = await app.initiate({ phone: '0977433560', amount: 42 });
      const { page, open, assertAccessible, screenshot } = await app.visit(t, { look, person });
      await open(path);
      await page.getByLabel('Phone number').fill('0977433560');
      await page.getByLabel('Recipient’s name').fill('Chileshe Mumba');
      await page.getByLabel('Amount').fill('42');
      await page.getByText('Looks like a payout of the last 24 hours.').waitFor();
      await page.getByRole('link', { name: similar.reference }).waitFor();
      await page.getByText('First answer the question about the similar payout.').last().waitFor();
      await assertAccessible();
      await screenshot('pay');
      await page.getByLabel('This is another one, pay it too').check();
      await page.getByRole('button', { name: /^Pay ZMW.42\.00/, disabled: false }).waitFor();
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(width <= look.width, `the page is ${width} px wide`);
    });
  }

  it('keeps the reference over a reload, and finds what was stored when the answer is lost', async (t) => {
    const allowed = [/ERR_FAILED|Failed to load resource/];
    const { page, open, screenshot } = await app.visit(t, { look: WIDE, person, allowed });
    await open(path);
    const reference = await page.getByLabel('Reference').inputValue();
    await page.reload();
    assert.equal(await page.getByLabel('Reference').inputValue(), reference);
    await page.route(/transfers\/mobile-money$/, async (route) => {
      await route.fetch();
      await route.abort();
    });
    await page.getByLabel('Phone number').fill('0977433599');
    await page.getByLabel('Amount').fill('5');
    await page.getByRole('button', { name: /^Pay ZMW.5\.00/, disabled: false }).click();
    await page.getByText('We do not know whether it was stored.').waitFor();
    await screenshot('pay-not-known');
    await page.getByRole('button', { name: 'Look it up by its reference' }).click();
    await page.getByRole('heading', { name: 'What happened' }).waitFor();
    await page.getByText(reference).first().waitFor();
  });

  it('does not take the operator of another number when the number cannot be checked', async (t) => {
    const allowed = [/status of 500/];
    const { page, open } = await app.visit(t, { look: WIDE, person, allowed });
    await open(path);
    await page.getByLabel('Phone number').fill('0967782910');
    await page.getByLabel('Amount').fill('5');
    await page.getByText('MTN takes payouts now.').waitFor();
    const operator = page.getByLabel('Operator');
    assert.equal(await operator.inputValue(), 'mtn');
    const error = { code: 'INTERNAL_ERROR', retryable: false, requestId: 'r' };
    await page.route(/mobile-money\/preflight$/, (route) =>
      route.fulfill({ status: 500, json: { message: 'It broke', data: { error } } }),
    );
    await page.getByLabel('Phone number').fill('0977433571');
    await page.getByText('It could not be checked.').waitFor();
    assert.equal(await operator.inputValue(), '');
    await page.getByText('Still missing: operator.').last().waitFor();
    await operator.selectOption('airtel');
    await page.getByRole('button', { name: /^Pay ZMW.5\.00/, disabled: false }).waitFor();
  });

  it('asks again when another rule warns than the one that was answered', async (t) => {
    const { page, open } = await app.visit(t, { look: WIDE, person });
    await page.route(/mobile-money\/preflight$/, async (route) => {
      const { operator = 'airtel' } = route.request().postDataJSON() as { operator?: string };
      const response = await route.fetch();
      const { data } = (await response.json()) as { data: object };
      const warnings = [{ code: 'WARNED', rule: operator, message: `Rule ${operator} warns` }];
      await route.fulfill({ response, json: { data: { ...data, warnings } } });
    });
    await open(path);
    await page.getByLabel('Phone number').fill('0977433574');
    await page.getByLabel('Amount').fill('5');
    await page.getByText('Rule airtel warns').waitFor();
    const answer = page.getByLabel('I have looked at it, pay it');
    await answer.check();
    await page.getByRole('button', { name: /^Pay ZMW.5\.00/, disabled: false }).waitFor();
    await page.getByLabel('Operator').selectOption('zamtel');
    await page.getByText('Rule zamtel warns').waitFor();
    assert.equal(await answer.isChecked(), false);
    await page.getByText('First answer the warning of the policy.').last().waitFor();
  });

  for (const look of widthsOf('pay-amounts')) {
    it(`says what to write for an amount with a decimal comma at ${nameOf(look)}`, async (t) => {
      const { page, open, assertAccessible, screenshot } = await app.visit(t, { look, person });
      await open(path);
      await page.getByLabel('Phone number').fill('0977433572');
      const amount = page.getByLabel('Amount');
      await amount.fill('12,50');
      await amount.blur();
      await page.getByText('It can be read in two ways. Write a dot before the decimals').waitFor();
      const pay = page.getByRole('button', { name: /^Pay/ }).last();
      await page.getByText('First correct what is marked.').last().waitFor();
      await page.getByText('Airtel takes payouts now.').waitFor();
      await page.locator('.checking').waitFor({ state: 'detached' });
      assert.equal(await pay.getAttribute('aria-disabled'), 'true');
      await assertAccessible();
      await screenshot('pay-amount');
      await amount.fill('12.50');
      await page.getByRole('button', { name: /^Pay ZMW.12\.50/, disabled: false }).waitFor();
    });
  }

  for (const look of widthsOf('pay-times')) {
    it(`is not sent while its time is half typed, and says when it is sent at ${nameOf(look)}`, async (t) => {
      const { page, open, assertAccessible, screenshot } = await app.visit(t, { look, person });
      await open(path);
      await page.getByLabel('Phone number').fill('0977433573');
      await page.getByLabel('Amount').fill('5');
      await page.getByLabel('Amount').blur();
      await page.getByText('sent at once').waitFor();
      await page.getByRole('button', { name: /^Pay ZMW.5\.00/, disabled: false }).waitFor();
      const sendAt = page.getByLabel('Send at');
      await sendAt.focus();
      // Month, day and year, and no time.
      await page.keyboard.type('11302030');
      const pay = page.getByRole('button', { name: /^Pay ZMW.5\.00/ });
      assert.equal(await pay.getAttribute('aria-disabled'), 'true');
      await pay.click({ force: true });
      await page.getByText('The date or time is not complete.').waitFor();
      assert.equal(await page.getByText('sent at once').count(), 0);
      assert.equal(await sendAt.getAttribute('aria-invalid'), 'true');
      await assertAccessible();
      await screenshot('pay-half-typed');
      const { data } = await app.api.get('transfers?phone=0977433573');
      assert.deepEqual((data as { items: unknown[] }).items, []);
      const later = new Date(Date.now() + 3 * 24 * 60 * 60_000).toISOString().slice(0, 10);
      await sendAt.fill(`${later}T08:00`);
      await page.getByText(/^sent at .*08:00 \(Lusaka, UTC\+2\)$/).waitFor();
      await page.getByRole('button', { name: /^Pay ZMW.5\.00/, disabled: false }).waitFor();
      await screenshot('pay-later');
    });
  }

  it('looks up what was sent, and changes nothing of it while the outcome is unknown', async (t) => {
    const allowed = [/ERR_FAILED|Failed to load resource/];
    const { page, open, screenshot } = await app.visit(t, { look: WIDE, person, allowed });
    await open(path);
    await page.route(/transfers\/mobile-money$/, async (route) => {
      await route.fetch();
      await route.abort();
    });
    await page.getByLabel('Phone number').fill('0977433598');
    await page.getByLabel('Amount').fill('6');
    await page.getByLabel('Reference').fill('sent-with-this');
    await page.getByRole('button', { name: /^Pay ZMW.6\.00/, disabled: false }).click();
    await page.getByText('We do not know whether it was stored.').waitFor();
    for (const label of ['Phone number', 'Amount', 'Reference', 'Send at', 'From wallet']) {
      assert.ok(await page.getByLabel(label).isDisabled(), `${label} can be changed`);
    }
    await screenshot('pay-locked');
    const lookUp = page.getByRole('button', { name: 'Look it up by its reference' });
    // A question that is refused answers nothing.
    await page.route(/transfers\?reference=/, (route) =>
      route.fulfill({ status: 404, contentType: 'application/json', body: '{}' }),
    );
    await lookUp.click();
    await page.getByText('It could not be looked up.').waitFor();
    await page.getByText('We do not know whether it was stored.').waitFor();
    assert.ok(await page.getByLabel('Reference').isDisabled());
    await page.unroute(/transfers\?reference=/);
    await lookUp.click();
    await page.getByRole('heading', { name: 'What happened' }).waitFor();
    await page.getByText('sent-with-this').first().waitFor();
  });

  for (const look of widthsOf('pay-absent')) {
    it(`keeps its reference while it is not found, since it may still be stored, at ${nameOf(look)}`, async (t) => {
      const allowed = [/Failed to load resource/];
      const visit = await app.visit(t, { look, person, allowed });
      const { page, open, assertAccessible, screenshot } = visit;
      const reference = `late-${look.width}`;
      await open(path);
      // A proxy gives the order up, and the service gets it later.
      let order: Request | undefined;
      await page.route(/transfers\/mobile-money$/, async (route) => {
        order = route.request();
        await route.fulfill({ status: 504, contentType: 'text/html', body: 'Gateway Timeout' });
      });
      await page.getByLabel('Phone number').fill('0977433597');
      await page.getByLabel('Amount').fill(String(look.width));
      await page.getByLabel('Reference').fill(reference);
      const pay = page.getByRole('button', { name: /^Pay ZMW/, disabled: false });
      await pay.click();
      await page.getByText('We do not know whether it was stored.').waitFor();
      const lookUp = page.getByRole('button', { name: 'Look it up by its reference' });
      await lookUp.click();
      await page.getByText('It is not stored so far. It may still be under way.').waitFor();
      assert.equal(await page.getByText('nothing was paid').count(), 0);
      for (const label of ['Phone number', 'Amount', 'Reference', 'Send at', 'From wallet']) {
        assert.ok(await page.getByLabel(label).isDisabled(), `${label} can be changed`);
      }
      await lookUp.click();
      await pay.waitFor();
      await assertAccessible();
      await screenshot('pay-absent');

      await page.unroute(/transfers\/mobile-money$/);
      assert.ok(order);
      assert.equal((await page.request.fetch(order)).status(), 201);
      await pay.click();
      const found = page.getByRole('button', { name: 'Open the payout with this reference' });
      await found.waitFor();
      const field = page.getByRole('textbox', { name: 'Reference' });
      assert.ok(await field.isDisabled(), 'the reference can be changed');
      assert.ok(await page.getByLabel('Amount').isEnabled(), 'a refused form cannot be corrected');
      await page.getByText('What was sent with it may still be stored').waitFor();
      await screenshot('pay-absent-stored');
      await found.click();
      await page.getByRole('heading', { name: 'What happened' }).waitFor();
      await page.getByText(reference).first().waitFor();
      const { data } = await app.api.get(`transfers?reference=${reference}`);
      assert.equal((data as { items: unknown[] }).items.length, 1);
    });
  }

  it('is not for viewers, and says who could', async (t) => {
    const { page, open } = await app.visit(t, { look: WIDE, person: viewer });
    await open(path);
    await page.getByText('Only owner, maker, or developer can do this').first().waitFor();
    assert.equal(await page.getByLabel('Phone number').count(), 0);
  });
});

describe('the search', () => {
  it('says what it looked for when nothing is found, and keeps it in the field', async (t) => {
    const { page, open, assertAccessible, screenshot } = await app.visit(t, { look: WIDE, person });
    await open(`/b/${merchant.books.test}/search?q=9914023377`);
    await page.getByText(/^No payout with the .*receipt.* 9914023377 in .* TEST$/).waitFor();
    const field = page.getByRole('searchbox', { name: 'Search' });
    assert.equal(await field.inputValue(), '9914023377');
    await field.fill('9914023378');
    await field.press('Enter');
    await page.getByText(/9914023378 in .* TEST$/).waitFor();
    await page.goBack();
    await page.getByText(/9914023377 in .* TEST$/).waitFor();
    assert.equal(await field.inputValue(), '9914023377');
    await assertAccessible();
    await screenshot('search-none');
  });
});
