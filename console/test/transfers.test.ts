import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, describe, it } from 'node:test';
import { TRANSFERS } from '../../service/test/contract/open-contract.ts';
import { pollUntil } from '../../service/test/poll.ts';
import { storePerson } from '../../service/test/test-person.ts';
import { looksOf, NARROW, nameOf, openConsole, WIDE } from './browser.ts';

/** A payout takes this long, and a closed operator opens after three times as long. */
const DELAY_MS = 5_000;
const app = await openConsole({ SANDBOX_DELAY_MS: String(DELAY_MS) });
after(() => app.close());

const { merchant, database } = app;
const person = await storePerson(database, {
  name: 'Thandiwe Mulenga',
  roles: [{ merchantId: merchant.id, role: 'owner' }],
});
const path = `/b/${merchant.books.test}/transfers`;

/** A number whose payouts wait for the operator to open. */
const CLOSED = '0977433941';
const PAID = await app.initiate({
  recipientName: 'Chileshe Mumba',
  amount: 1850,
  narration: 'Salary October',
});
const FAILED = await app.initiate({
  recipientName: 'Luyando Hamoonga',
  phone: '0977433901',
  amount: 4100,
});
const DOUBT = await app.initiate({
  recipientName: 'Gift Banda',
  phone: '0967782913',
  operator: 'mtn',
});
await app.transferOnce(PAID.id, ({ state }) => state === 'succeeded');

describe('the transfers', () => {
  for (const look of looksOf('transfers-2')) {
    it(`are listed with their states and are accessible at ${nameOf(look)}`, async (t) => {
      const { page, open, assertAccessible, screenshot } = await app.visit(t, { look, person });
      await open(path);
      await page.getByRole('row', { name: /Chileshe Mumba/ }).waitFor();
      await page.getByRole('row', { name: /Gift Banda.*In doubt/ }).waitFor();
      await assertAccessible();
      await screenshot('transfers');
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(width <= look.width, `the page is ${width} px wide`);
    });
  }

  it('are filtered by the address, and say which filters leave nothing', async (t) => {
    const { page, open } = await app.visit(t, { look: WIDE, person });
    await open(`${path}?state=in_doubt&created=today`);
    await page.getByRole('row', { name: /Gift Banda/ }).waitFor();
    assert.equal(await page.getByRole('row', { name: /Chileshe/ }).count(), 0);
    await open(`${path}?operator=vodacom&amountFrom=500`);
    await page.getByRole('heading', { name: 'Nothing matches these filters' }).waitFor();
    await page.getByRole('button', { name: 'Without Operator Vodacom' }).click();
    await page.getByRole('row', { name: /Chileshe Mumba/ }).waitFor();
    assert.ok(page.url().endsWith('?amountFrom=500'), page.url());
  });

  it('are not filtered by an amount that can be read in two ways', async (t) => {
    const { page, open } = await app.visit(t, { look: WIDE, person });
    await open(path);
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Filters' });
    await dialog.getByLabel('Amount at least').fill('12,50');
    await dialog.getByText('It can be read in two ways.').waitFor();
    const apply = dialog.getByRole('button', { name: 'Apply' });
    assert.equal(await apply.getAttribute('aria-disabled'), 'true');
    await apply.click({ force: true });
    await dialog.getByLabel('Amount at least').press('Enter');
    assert.ok(page.url().endsWith('/transfers'), page.url());
    await dialog.getByLabel('Amount at least').fill('1,250.00');
    await apply.click();
    await page.waitForURL(/amountFrom=1(?:%2C|,)250\.00$/);
    await page.getByText('Amount at least 1,250.00').waitFor();
  });

  it('say nothing of days that do not count beside a period', async (t) => {
    const { page, open } = await app.visit(t, { look: WIDE, person });
    await open(`${path}?created=today&from=2020-01-01&to=2020-01-31`);
    await page.getByRole('row', { name: /Chileshe Mumba/ }).waitFor();
    const chips = page.getByRole('group', { name: 'Filters' }).locator('.chip');
    assert.deepEqual(await chips.allInnerTexts(), ['Created\ntoday', 'Filter']);
    await page.getByRole('button', { name: 'Export…' }).click();
    const exporting = page.getByRole('dialog');
    await exporting.getByText('Created today').waitFor();
    assert.equal(await exporting.getByText('2020').count(), 0);
    await page.keyboard.press('Escape');

    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Filters' });
    await dialog.getByLabel('Created', { exact: true }).waitFor();
    assert.equal(await dialog.getByLabel('From the day').count(), 0);
    await dialog.getByLabel('Created', { exact: true }).selectOption('');
    await dialog.getByLabel('From the day').fill('2021-01-01');
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await page.waitForURL(/\?from=2021-01-01$/);
  });

  it('keep a view under a name, and delete it', async (t) => {
    const { page, open } = await app.visit(t, { look: WIDE, person });
    await open(`${path}?operator=mtn`);
    await page.getByRole('button', { name: 'Save this view' }).click();
    await page.getByLabel('Name').fill('MTN only');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const views = page.getByRole('navigation', { name: 'Views' });
    await views.getByRole('link', { name: 'MTN only' }).waitFor();
    await views.getByRole('link', { name: 'All' }).click();
    await page.getByRole('row', { name: /Chileshe/ }).waitFor();
    await views.getByRole('link', { name: 'MTN only' }).click();
    await page.getByRole('button', { name: 'Change this view' }).click();
    await page.getByRole('button', { name: 'Delete the view' }).click();
    await views.getByRole('link', { name: 'MTN only' }).waitFor({ state: 'detached' });
  });

  it('are cancelled together, with an answer for each', async (t) => {
    const queued = await app.initiate({ recipientName: 'Mutale Kapambwe', phone: CLOSED });
    const { page, open, assertAccessible, screenshot } = await app.visit(t, { look: WIDE, person });
    await open(path);
    await page.getByLabel(`Select ${queued.reference}`).check();
    await page.getByLabel(`Select ${PAID.reference}`).check();
    await screenshot('transfers-selected');
    await page.getByRole('button', { name: 'Cancel 1 queued…' }).click();
    await page.getByText(/1 selected row is not queued/).waitFor();
    await assertAccessible();
    await screenshot('transfers-cancel');
    await page.getByRole('button', { name: 'Cancel 1 payout, ZMW 1.00 (test)' }).click();
    await page.getByText('1 of 1 answered').waitFor();
    // Read out where the reader is: what is behind the dialog is not.
    const said = page.getByRole('dialog').getByRole('alert');
    await said.filter({ hasText: '1 of 1 payout cancelled' }).waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'Close' }).last().click();
    const row = page.getByRole('row', { name: /Mutale Kapambwe.*Cancelled/ });
    await row.waitFor();
    // A row opens in another tab as every link does, and by the keyboard here.
    const [tab] = await Promise.all([
      page.context().waitForEvent('page'),
      row.getByRole('link').click({ modifiers: ['ControlOrMeta'] }),
    ]);
    await tab.waitForURL((url) => url.pathname.endsWith(`/transfers/${queued.id}`));
    await tab.close();
    await row.getByRole('link').press('Enter');
    await page.waitForURL((url) => url.pathname.endsWith(`/transfers/${queued.id}`));
  });

  it('stay selected when the reader keeps them', async (t) => {
    const queued = await app.initiate({ recipientName: 'Mulenga Phiri', phone: CLOSED });
    const { page, open } = await app.visit(t, { look: WIDE, person });
    await open(path);
    await page.getByLabel(`Select ${queued.reference}`).check();
    await page.getByRole('button', { name: 'Cancel 1 queued…' }).click();
    await page.getByRole('button', { name: 'Keep them' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    assert.equal(await page.getByLabel(`Select ${queued.reference}`).isChecked(), true);
  });

  it('tell of those that came while another page was open', async (t) => {
    const { page, open } = await app.visit(t, { look: WIDE, person });
    await open(path);
    await page.getByRole('row', { name: /Chileshe Mumba/ }).waitFor();
    await page.getByRole('link', { name: 'Overview' }).first().click();
    const paid = page.getByRole('main').getByRole('link', { name: /^Paid/ });
    const before = await paid.innerText();
    const { id, reference } = await app.initiate({ recipientName: 'Bwalya Chanda' });
    await app.transferOnce(id, ({ state }) => state === 'succeeded');
    // The stream has told it by then, and the list was not there to hear it.
    await pollUntil('the overview counts it', async () => (await paid.innerText()) !== before);
    await page.getByRole('link', { name: 'Transfers' }).first().click();
    await page.getByRole('button', { name: /newer transfer/ }).click();
    await page.getByLabel(`Select ${reference}`).waitFor();
  });

  it('are exported whole as CSV', async (t) => {
    const { page, open } = await app.visit(t, { look: WIDE, person });
    await open(`${path}?operator=mtn`);
    await page.getByRole('row', { name: /Gift Banda/ }).waitFor();
    await page.keyboard.press('e');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export', exact: true }).click(),
    ]);
    const lines = (await readFile(await download.path(), 'utf8')).trim().split(/\r?\n/);
    assert.match(lines[0] ?? '', /^id,reference,/);
    assert.equal(lines.length, 2);
    assert.match(lines[1] ?? '', /Gift Banda/);
  });

  it('open by the keyboard, and go to the next one and back to the list', async (t) => {
    const { page, open } = await app.visit(t, { look: WIDE, person });
    await open(`${path}?created=today`);
    await page.getByRole('row', { name: /Chileshe Mumba/ }).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'What happened' }).waitFor();
    const first = page.url();
    await page.keyboard.press(']');
    await page.waitForURL((url) => url.href !== first);
    await page.keyboard.press('Escape');
    await page.waitForURL(/transfers\?created=today$/);
  });
});

describe('a long list', () => {
  it('shows new rows on request, then their changes in place', async (t) => {
    const { page, open } = await app.visit(t, { look: WIDE, person });
    await open(`${path}?operator=airtel`);
    await page.getByRole('row', { name: /Chileshe Mumba/ }).waitFor();
    await app.initiate({ recipientName: 'Elsewhere', phone: '0967782200', operator: 'mtn' });
    await app.initiate({ recipientName: 'Misozi Lungu' });
    const row = page.getByRole('row', { name: /Misozi Lungu/ });
    await page.getByRole('button', { name: '1 newer transfer. Show it' }).waitFor();
    assert.equal(await row.count(), 0, 'a row was pushed in');
    await page.keyboard.press('.');
    await row.waitFor();
    await page.getByRole('row', { name: /Misozi Lungu.*Paid/ }).waitFor();
  });

  it('loads older rows as one scrolls, and has only those in sight in the page', async (t) => {
    const count = 220;
    const transfers = Array.from({ length: count }, (_, index) =>
      app.order({ phone: '0957710000', operator: 'zamtel', narration: `no ${index}` }),
    );
    const stored = await app.api.post(`${TRANSFERS}/bulk`, { transfers });
    assert.equal(stored.status, 200, stored.text);
    const { page, open } = await app.visit(t, { look: WIDE, person });
    await open(`${path}?operator=zamtel`);
    const strip = page.locator('.strip-idle b');
    await page.getByText('The newest 50 payouts').waitFor();
    const whole = `${count} payouts`;
    while ((await strip.textContent()) !== whole) {
      const before = await strip.textContent();
      await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
      // The last page may have come before the text was read.
      await page.waitForFunction(
        (texts) => !texts.includes(document.querySelector('.strip-idle b')?.textContent ?? ''),
        before === whole ? [] : [before ?? ''],
      );
      await page.evaluate(() => scrollTo(0, 0));
    }
    assert.ok((await page.locator('tbody tr').count()) < 60, 'all rows are in the page');
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    const last = page.locator(`tr[aria-rowindex="${count + 1}"]`);
    await last.waitFor();
    // Opening a row and coming back finds the place again.
    await last.getByRole('link').click();
    await page.getByRole('heading', { name: 'What happened' }).waitFor();
    await page.goBack();
    await last.waitFor();
  });
});

describe('one transfer', () => {
  const shown = [
    ...looksOf('transfers').map((look) => ({
      name: 'doubt',
      look,
      id: DOUBT.id,
      says: 'Why it waits',
    })),
    { name: 'paid', look: WIDE, id: PAID.id, says: 'How it ended' },
    { name: 'failed', look: NARROW, id: FAILED.id, says: 'Why it failed' },
  ];
  for (const { name, look, id, says } of shown) {
    it(`tells what happened to one (${name}) and is accessible at ${nameOf(look)}`, async (t) => {
      const { page, open, assertAccessible, screenshot } = await app.visit(t, { look, person });
      await open(`${path}/${id}`);
      await page.getByRole('heading', { name: 'What happened' }).waitFor();
      await page.getByText(`${says}:`).waitFor();
      await assertAccessible();
      await screenshot(`transfer-${name}`);
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(width <= look.width, `the page is ${width} px wide`);
    });
  }

  it('is cancelled while it is queued', async (t) => {
    const queued = await app.initiate({ recipientName: 'Inonge Wina', phone: CLOSED });
    const { page, open, assertAccessible, screenshot } = await app.visit(t, { look: WIDE, person });
    await open(`${path}/${queued.id}`);
    await page.getByRole('button', { name: 'Cancel…' }).click();
    await page.getByRole('dialog', { name: 'Cancel this payout?' }).waitFor();
    await assertAccessible();
    await screenshot('transfer-cancel');
    await page.getByRole('button', { name: 'Cancel 1 payout, ZMW 1.00 (test)' }).click();
    await page.getByText('How it ended:').waitFor();
    assert.equal((await app.transfer(queued.id)).state, 'cancelled');
  });
});
