import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { poll } from '../../service/test/contract/open-contract.ts';
import { createTestMerchant } from '../../service/test/test-merchant.ts';
import { storePerson } from '../../service/test/test-person.ts';
import { looksOf, nameOf, openConsole, WIDE, widthsOf } from './browser.ts';

const DAY_MS = 24 * 60 * 60_000;
const app = await openConsole();
after(() => app.close());

const { merchant, database } = app;
const maker = await storePerson(database, {
  name: 'Thandiwe Mulenga',
  roles: [{ merchantId: merchant.id, role: 'maker' }],
});
const viewer = await storePerson(database, {
  roles: [{ merchantId: merchant.id, role: 'viewer' }],
});
const admin = await storePerson(database, { name: 'Grace Phiri', staffRoles: ['admin'] });
/** A browser writes every 404 as an error, also that of a stream that is not offered. */
const allowed = [/status of 404 .* at \S+\/stream$/];
const path = `/b/${merchant.books.test}/schedules`;

const ROW = { phone: '0977433571', operator: 'airtel', country: 'zm', amount: 1_250.5 };
const orderOf = (name: string) => ({
  name,
  walletId: merchant.wallets.test.ZMW,
  recurrence: { every: 'month', day: 25, at: '08:30', ifHoliday: 'before' },
  rows: [ROW, { ...ROW, phone: '0966433571', operator: 'mtn' }],
});

async function storeSchedule(name: string): Promise<string> {
  const answer = await app.api.post('schedules', orderOf(name));
  assert.equal(answer.status, 201, answer.text);
  return (answer.data as { id: string }).id;
}

describe('the calendar', () => {
  for (const look of looksOf('schedules')) {
    it(`shows count and sum of each day, holidays and schedules at ${nameOf(look)}`, async (t) => {
      await storeSchedule(`Salaries ${nameOf(look)}`);
      const { page, open, assertAccessible, screenshot } = await app.visit(t, {
        look,
        person: maker,
        allowed,
      });
      // Christmas of 2027 is a Saturday: what is due then is paid on the Friday before.
      await open(`${path}?day=2027-12-24`);
      await page.getByRole('heading', { name: 'December 2027', exact: true }).waitFor();
      await page
        .getByRole('link', { name: /^Friday 24 December 2027, \d+ payouts, ZMW/ })
        .waitFor();
      await page.getByRole('link', { name: /nothing, holiday: Christmas Day$/ }).waitFor();
      await page.getByText('Public Holidays Act of Zambia · entered by Kafue').waitFor();
      const item = page.getByRole('article', { name: `Salaries ${nameOf(look)}` });
      await item.getByRole('listitem').nth(4).waitFor();
      assert.equal(await item.getByRole('listitem').count(), 5);
      await assertAccessible();
      await screenshot('schedules');
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(width <= look.width, `the page is ${width} px wide`);
    });
  }

  it('goes from month to month by the address', async (t) => {
    const { page, open } = await app.visit(t, { look: WIDE, person: viewer, allowed });
    await open(`${path}?month=2027-12`);
    await page.getByRole('link', { name: 'Next month' }).click();
    await page.getByRole('heading', { name: 'January 2028', exact: true }).waitFor();
    await page.getByLabel('Days and holidays of').selectOption('ng');
    await page.getByText('Public Holidays Act of Nigeria · entered by Kafue').waitFor();
    assert.match(page.url(), /month=2028-01&country=ng$/);
    const add = page.getByRole('button', { name: 'Schedule…' });
    assert.equal(await add.getAttribute('aria-disabled'), 'true');
  });
});

describe('a schedule', () => {
  it('whose payout file was not submitted leads to the draft', async (t) => {
    const name = 'Refused wages';
    const own = await createTestMerchant(database);
    const owner = await storePerson(database, { roles: [{ merchantId: own.id, role: 'owner' }] });
    const bookId = own.books.test;
    const walletId = own.wallets.test.ZMW;
    const run = (text: string, values: readonly unknown[]) =>
      database.query<{ file_id: string; day: string }>({ name: '', text }, values);
    await run('update books set send_late_within_ms = $2 where id = $1', [bookId, 40 * DAY_MS]);
    const answer = await app.apiWith(own.keys.test).post('schedules', {
      ...orderOf(name),
      walletId,
    });
    assert.equal(answer.status, 201, answer.text);
    await run(`update wallets set status = 'frozen' where id = $1`, [walletId]);
    await run(
      `update schedules set next_period = next_period - 1, next_at = now() - interval '1 hour' where name = $1`,
      [name],
    );
    const [made] = await poll(
      () =>
        run(
          `select file_id, to_char(pay_at, 'YYYY-MM-DD') as day from schedule_occurrences
           where book_id = $1 and state = 'refused'`,
          [bookId],
        ),
      (rows) => rows.length > 0,
    );
    const file = new RegExp(`/files/${made?.file_id ?? ''}$`);
    const { page, open, assertAccessible, screenshot } = await app.visit(t, {
      look: WIDE,
      person: owner,
      allowed,
    });
    await open(`/b/${bookId}/schedules?day=${made?.day ?? ''}`);
    await page.getByText(/It was not submitted\. The wallet is frozen\./).waitFor();
    await assertAccessible();
    const item = page.getByRole('article', { name });
    await item.getByText(/was not submitted\. The wallet is frozen\./).waitFor();
    await screenshot('schedule-refused');
    await item.getByRole('link', { name: 'Open it, correct it and submit it' }).click();
    await page.waitForURL(file);
    await page.goBack();
    await page.getByRole('link', { name: new RegExp(`^${name} `) }).click();
    await page.waitForURL(file);
    await open(`/b/${bookId}/overview`);
    await page.getByText('Scheduled payouts that were not submitted').waitFor();
    await screenshot('overview-not-submitted');
    await page
      .getByRole('link', { name: 'Open: Scheduled payouts that were not submitted' })
      .click();
    await page.waitForURL(file);
  });

  for (const look of widthsOf('schedules-pages')) {
    it(`is found behind more than fit on a page at ${nameOf(look)}`, async (t) => {
      const first = `First of many ${look.width}`;
      await storeSchedule(first);
      await Promise.all(
        Array.from({ length: 51 }, async (_, index) => {
          const id = await storeSchedule(`One of many ${look.width} ${index}`);
          const ended = await app.api.post(`schedules/${id}/end`, {});
          assert.equal(ended.status, 200, ended.text);
        }),
      );
      await storeSchedule(`Last of many ${look.width}`);
      const { page, open, assertAccessible, screenshot } = await app.visit(t, {
        look,
        person: maker,
        allowed,
      });
      await open(path);
      await page.getByRole('article', { name: `Last of many ${look.width}` }).waitFor();
      await page.getByText('49 on this page have ended').waitFor();
      assert.equal(await page.getByRole('article', { name: first }).count(), 0);
      await assertAccessible();
      await screenshot('schedules-page');
      await page.getByRole('button', { name: 'Older' }).click();
      await page.getByRole('article', { name: first }).waitFor();
      // What the calendar shows does not turn the page.
      await page.getByRole('link', { name: 'Next month' }).click();
      await page.waitForURL(/cursor=.*month=|month=.*cursor=/);
      await page.getByRole('article', { name: first }).waitFor();
      await page.getByRole('button', { name: 'Newer' }).click();
      await page.getByRole('article', { name: `Last of many ${look.width}` }).waitFor();
    });
  }

  it('is not taken with a decimal comma or a half-typed time', async (t) => {
    const { page, open } = await app.visit(t, { look: WIDE, person: maker, allowed });
    await open(path);
    await page.getByRole('button', { name: 'Schedule…' }).click();
    const form = page.getByRole('dialog', { name: 'Schedule payouts' });
    await form.getByLabel('Name', { exact: true }).first().fill('Cleaners');
    await form.getByLabel('From wallet').selectOption(merchant.wallets.test.ZMW);
    await form.getByLabel('Number').fill('0977433571');
    await form.getByLabel('Amount').fill('85,50');
    await form.getByText('It can be read in two ways.').waitFor();
    const schedule = form.getByRole('button', { name: /^Schedule 1 payout/ });
    assert.equal(await schedule.getAttribute('aria-disabled'), 'true');
    await form.getByLabel('Amount').fill('85.50');
    await form.getByRole('button', { name: /^Schedule 1 payout/, disabled: false }).waitFor();
    await form.getByLabel('At', { exact: true }).focus();
    await page.keyboard.press('Backspace');
    assert.equal(await schedule.getAttribute('aria-disabled'), 'true');
    await form.getByLabel('At', { exact: true }).blur();
    await form.getByText('The date or time is not complete.').waitFor();
  });

  it('is not changed from a form that was opened before another change', async (t) => {
    const name = 'Night guards';
    const id = await storeSchedule(name);
    const visit = { look: WIDE, person: maker, allowed: [...allowed, /status of 409/] };
    const { page, open } = await app.visit(t, visit);
    await open(path);
    const item = page.getByRole('article', { name });
    await item.getByRole('button', { name: 'Change…' }).click();
    const change = page.getByRole('dialog', { name: `Change ${name}` });
    await change.getByLabel('At', { exact: true }).fill('17:15');
    assert.equal((await app.api.post(`schedules/${id}/pause`, {})).status, 200);
    const save = change.getByRole('button', { name: /^Save the change/ });
    await save.click();
    await change.getByText(/not as you saw it/).waitFor();
    await change.getByText('Close this and open it again').waitFor();
    assert.equal(await save.getAttribute('aria-disabled'), 'true');
    await change.getByRole('button', { name: 'Cancel' }).click();
    await item.getByText('Paused').waitFor();
    await item.getByRole('button', { name: 'Change…' }).click();
    await change.getByLabel('At', { exact: true }).fill('17:15');
    await save.click();
    await item.getByText(/17:15/).first().waitFor();
  });

  for (const look of widthsOf('schedules')) {
    it(`is made, changed, paused and ended at ${nameOf(look)}`, async (t) => {
      const { page, open, assertAccessible, screenshot } = await app.visit(t, {
        look,
        person: maker,
        allowed,
      });
      const name = `Drivers ${look.width}`;
      await open(path);
      await page.getByRole('button', { name: 'Schedule…' }).click();
      const form = page.getByRole('dialog', { name: 'Schedule payouts' });
      await form.getByLabel('Name', { exact: true }).first().fill(name);
      await form.getByLabel('From wallet').selectOption(merchant.wallets.test.ZMW);
      await form.getByText('Every week').click();
      await form.getByLabel('On', { exact: true }).selectOption('mon');
      await form.getByText(/^It would be paid Mon, /).waitFor();
      await form.getByLabel('Number').fill('0977433571');
      await form.getByLabel('Amount').fill('85.50');
      await assertAccessible();
      await screenshot('schedule-form');
      await form.getByRole('button', { name: /^Schedule 1 payout, ZMW 85\.50/ }).click();
      const item = page.getByRole('article', { name });
      await item.getByText('Every Monday, 08:30').waitFor();

      await item.getByRole('button', { name: 'Change…' }).click();
      const change = page.getByRole('dialog', { name: `Change ${name}` });
      await change.getByLabel('At', { exact: true }).fill('17:15');
      await change.getByRole('button', { name: /^Save the change/ }).click();
      await item.getByText('Every Monday, 17:15').waitFor();

      await item.getByRole('button', { name: 'Pause…' }).click();
      await page.getByRole('button', { name: `Pause ${name} (test)` }).click();
      await item.getByText('Paused').waitFor();
      await item.getByRole('button', { name: 'End…' }).click();
      await page.getByRole('button', { name: `End ${name} (test)` }).click();
      await item.waitFor({ state: 'detached' });
    });
  }
});

describe('holidays', () => {
  for (const look of widthsOf('schedules-2')) {
    it(`are entered and removed by the staff at ${nameOf(look)}`, async (t) => {
      const { page, open, assertAccessible, screenshot } = await app.visit(t, {
        look,
        person: admin,
        allowed,
      });
      const day = `2028-0${look === WIDE ? 8 : 9}-22`;
      await open('/staff/holidays?country=zm&year=2028');
      await page.getByRole('row', { name: /Independence Day/ }).waitFor();
      await page.getByRole('button', { name: 'Enter a holiday…' }).click();
      const form = page.getByRole('dialog', { name: 'Enter a holiday' });
      await form.getByLabel('Day').fill(day);
      await form.getByLabel('Name').fill('Day of mourning');
      await form.getByLabel('Source').fill('Gazette notice 12');
      await form.getByRole('button', { name: 'Enter the holiday' }).click();
      await page.getByRole('row', { name: /Day of mourning/ }).waitFor();
      await assertAccessible();
      await screenshot('holidays');
      await page.getByRole('button', { name: 'Remove Day of mourning' }).click();
      const ask = page.getByRole('dialog', { name: 'Remove Day of mourning?' });
      await ask.getByRole('button', { name: 'Remove Day of mourning' }).click();
      await page.getByRole('row', { name: /Day of mourning/ }).waitFor({ state: 'detached' });
    });
  }
});

describe('paying one', () => {
  it('may be for a later time', async (t) => {
    const { page, open } = await app.visit(t, { look: WIDE, person: maker, allowed });
    await open(`/b/${merchant.books.test}/pay`);
    await page.getByLabel('From wallet').selectOption(merchant.wallets.test.ZMW);
    await page.getByLabel('Phone number').fill('0977433571');
    await page.getByLabel('Amount').fill('12');
    await page.getByLabel('Send at').fill('2020-01-01T08:00');
    await page.getByText(/^This time has passed/).waitFor();
    const later = new Date(Date.now() + 3 * 24 * 60 * 60_000).toISOString().slice(0, 10);
    await page.getByLabel('Send at').fill(`${later}T08:00`);
    const another = page.getByLabel('This is another one, pay it too');
    await page.getByText(/^sent at .*08:00 \(Lusaka, UTC\+2\)$/).waitFor();
    const pay = page.getByRole('button', { name: /^Pay ZMW 12\.00 /, disabled: false });
    await another.or(pay).first().waitFor();
    if ((await another.count()) > 0) await another.check();
    await pay.click();
    await page.getByText('Scheduled').first().waitFor();
  });
});
