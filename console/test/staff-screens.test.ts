import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import type { Transfer } from '../../service/test/contract/api-client.ts';
import { staffCalls } from '../../service/test/contract/staff-calls.ts';
import { storeTestEndpoint } from '../../service/test/stored-delivery.ts';
import { storeDoubt } from '../../service/test/stored-doubt.ts';
import { storePerson } from '../../service/test/test-person.ts';
import { looksOf, nameOf, openConsole, type Visitor, WIDE } from './browser.ts';

const app = await openConsole();
after(() => app.close());

const { database, merchant } = app;
/** A browser writes every 404 as an error, also that of a stream that is not offered. */
const allowed = [/status of 404 .* at \S+\/stream$/];
const admin = await storePerson(database, {
  name: 'Kelvin Sakala',
  staffRoles: ['admin', 'treasurer'],
});
const doubt = await storeDoubt(database, { operator: 'mtn' });
const paid = await app.initiate({ amount: 1250.5, reference: 'salary-10-kitwe' });
await app.transferOnce(paid.id, ({ state }) => state === 'succeeded');
await storeTestEndpoint(database, {
  bookId: merchant.books.test,
  failingSince: new Date(Date.now() - 7_200_000),
});
const disabled = await storeTestEndpoint(database, {
  bookId: merchant.books.test,
  url: 'https://gone.example.com/',
  failingSince: new Date(Date.now() - 3_600_000),
});
await database.query(
  {
    name: '',
    text: `update webhook_endpoints set status = 'disabled', disabled_reason = $2 where id = $1`,
  },
  [disabled.id, 'It failed for five days.'],
);
const later = await app.initiate({ sendAt: new Date(Date.now() + 3_600_000).toISOString() });
const openIncident = (bookId: string, transferId: string, kind: string) =>
  database.query(
    {
      name: '',
      text: `insert into incidents (book_id, id, transfer_id, kind, opened_at)
             values ($1, $2, $3, $4, now())`,
    },
    [bookId, randomUUID(), transferId, kind],
  );
await openIncident(doubt.bookId, doubt.id, 'paid_after_failure');
const BEFORE_SENT = 'paid_before_sent';
await openIncident(merchant.books.test, later.id, BEFORE_SENT);
await openIncident(merchant.books.test, paid.id, BEFORE_SENT);

type Screen = Readonly<{
  name: string;
  path: string;
  shows: (page: Visitor['page']) => Promise<unknown>;
}>;

const SCREENS: readonly Screen[] = [
  {
    name: 'staff-overview',
    path: '/staff/overview',
    shows: (page) => page.getByRole('heading', { name: 'Work for people' }).waitFor(),
  },
  {
    name: 'staff-transfers',
    path: '/staff/transfers',
    shows: (page) => page.getByText('salary-10-kitwe').waitFor(),
  },
  {
    name: 'staff-transfer',
    path: `/staff/transfers/${paid.id}`,
    shows: (page) => page.getByRole('heading', { name: 'What happened' }).waitFor(),
  },
  {
    name: 'incidents',
    path: '/staff/incidents',
    shows: (page) => page.getByRole('row', { name: /Paid after failure/ }).waitFor(),
  },
  {
    name: 'merchants',
    path: '/staff/merchants',
    shows: (page) => page.getByRole('table', { name: /^Merchants/ }).waitFor(),
  },
  {
    name: 'merchant',
    path: `/staff/merchants/${merchant.id}`,
    shows: (page) => page.getByRole('table', { name: /^Wallets/ }).waitFor(),
  },
  {
    name: 'routes',
    path: '/staff/routes',
    shows: (page) => page.getByRole('link', { name: 'Sandbox of the test books' }).waitFor(),
  },
  {
    name: 'route',
    path: '/staff/routes/sandbox',
    shows: (page) => page.getByRole('heading', { name: 'Closings and openings' }).waitFor(),
  },
  {
    name: 'people',
    path: '/staff/people',
    shows: (page) => page.getByRole('row', { name: /Kelvin Sakala you/ }).waitFor(),
  },
  {
    name: 'audit',
    path: '/staff/audit',
    shows: (page) =>
      page
        .getByRole('row', { name: /Merchant created/ })
        .first()
        .waitFor(),
  },
];

const NOT_AVAILABLE = {
  status: 503,
  json: {
    message: 'Not available now',
    data: { error: { code: 'UNAVAILABLE', retryable: false, requestId: 'none' } },
  },
};

describe('the overview', () => {
  it('says that the proposals could not be read, instead of that nothing waits', async (t) => {
    const { page, open } = await app.visit(t, {
      look: WIDE,
      person: admin,
      allowed: [...allowed, /status of 503/],
    });
    await page.route(/\/operations\/doubts$/, (route) => route.fulfill(NOT_AVAILABLE));
    await open('/staff/overview');
    const work = page.getByRole('region', { name: 'Work for people' });
    await work.getByText('Not available now').waitFor();
    await work.getByRole('button', { name: 'Try again' }).waitFor();
  });

  it('opens the list that its count of doubts is of: the live ones', async (t) => {
    const { page, open } = await app.visit(t, { look: WIDE, person: admin, allowed });
    await open('/staff/overview');
    const figure = page.getByRole('link', { name: /^In doubt \d/ });
    assert.match((await figure.getAttribute('href')) ?? '', /\/staff\/doubts\?mode=live$/);
  });

  it('says why an endpoint is disabled, and offers to send nothing to it', async (t) => {
    const { page, open } = await app.visit(t, { look: WIDE, person: admin, allowed });
    await open('/staff/overview');
    const row = page.getByRole('row', { name: /gone\.example/ });
    await row.waitFor();
    const send = row.getByRole('button', { name: /^Send again/ });
    assert.equal(await send.getAttribute('aria-disabled'), 'true');
    await row.getByText('It failed for five days.').waitFor();
  });
});

describe('the list of merchants', () => {
  it('says that its filters look at a part of it, where it was cut', async (t) => {
    const { page, open } = await app.visit(t, { look: WIDE, person: admin, allowed });
    await page.route(/\/operations\/merchants$/, async (route) => {
      const response = await route.fetch();
      const answer = await response.json();
      await route.fulfill({ response, json: { ...answer, data: { ...answer.data, more: true } } });
    });
    await open('/staff/merchants?name=no-such-merchant');
    await page.getByText(/^Only the first .* by name are listed/).waitFor();
    await page.getByRole('heading', { name: /^None of the first .* matches$/ }).waitFor();
  });
});

describe('an incident', () => {
  it('says before it is closed what that does to its transfer', async (t) => {
    const { page, open, assertAccessible, screenshot } = await app.visit(t, {
      look: WIDE,
      person: admin,
      allowed,
    });
    await open('/staff/incidents');
    const dialog = page.getByRole('dialog');
    const isSaid = async ({ reference, state }: Transfer, text: RegExp): Promise<void> => {
      const row = page.getByRole('row', { name: reference });
      await row.getByRole('button', { name: /^Close…/ }).click();
      await dialog.getByText(text).waitFor();
      await assertAccessible();
      await screenshot(`close-incident-${state}`);
      await dialog.getByRole('button', { name: 'Cancel' }).click();
    };
    await isSaid(later, /While it is open, no other route sends the transfer/);
    await isSaid(paid, /changes no transfer/);
  });
});

describe('a merchant', () => {
  const path = `/staff/merchants/${merchant.id}`;

  it('is suspended with a reason and resumed, and the log says who did it and why', async (t) => {
    const { page, open, assertAccessible, screenshot } = await app.visit(t, {
      look: WIDE,
      person: admin,
      allowed,
    });
    await open(path);
    await page.getByRole('button', { name: 'Suspend…' }).click();
    const dialog = page.getByRole('dialog');
    const suspend = dialog.getByRole('button', { name: /^Suspend / });
    assert.equal(await suspend.getAttribute('aria-disabled'), 'true');
    await dialog.getByLabel('Why').fill('stolen key, ticket 4711');
    await assertAccessible();
    await screenshot('suspend');
    await suspend.click();
    await page.getByText('Nothing new is paid in either book').waitFor();
    await page.getByRole('link', { name: 'What was done to it' }).click();
    await page.getByText('“stolen key, ticket 4711”').waitFor();
    await open(path);
    await page.getByRole('button', { name: 'Resume…' }).click();
    await dialog.getByLabel('Why').fill('new keys are out');
    await dialog.getByRole('button', { name: /^Resume / }).click();
    await page.getByRole('button', { name: 'Suspend…' }).waitFor();
  });

  it('is funded after amount, currency, wallet and book were repeated', async (t) => {
    const { page, open, assertAccessible, screenshot } = await app.visit(t, {
      look: WIDE,
      person: admin,
      allowed,
    });
    await open(path);
    await page
      .getByRole('button', { name: /^Fund… .*TEST$/ })
      .first()
      .click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reference of the bank').fill('bank-771');
    await dialog.getByLabel('Amount that arrived').fill('12400,50');
    await dialog.getByText('It can be read in two ways.').first().waitFor();
    const fund = dialog.getByRole('button', { name: /^Fund/ });
    assert.equal(await fund.getAttribute('aria-disabled'), 'true');
    await dialog.getByLabel('Amount that arrived').fill('12,400.5');
    await dialog.getByText(/You fund, in TEST/).waitFor();
    await assertAccessible();
    await screenshot('fund');
    await dialog.getByRole('button', { name: /^Fund \w+\s12,400\.50 \(test\)$/ }).click();
    await page
      .getByText(/12,400\.50 booked into/)
      .first()
      .waitFor();
  });

  it('has fees and limits that are never read as another figure', async (t) => {
    const { page, open, screenshot } = await app.visit(t, { look: WIDE, person: admin, allowed });
    await open(path);
    await page.getByRole('button', { name: 'Change… the fees in TEST' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Of the amount').fill('1,5');
    await dialog.getByText('It can be read in two ways.').first().waitFor();
    const set = dialog.getByRole('button', { name: 'Set the fees' });
    assert.equal(await set.getAttribute('aria-disabled'), 'true');
    await screenshot('fees-comma');
    await dialog.getByLabel('Of the amount').fill('1.5');
    await dialog.getByText('0.00 each and 1.50 % of the amount').waitFor();
    await page.keyboard.press('Escape');
    await page
      .getByRole('button', { name: /^Change .*, TEST$/ })
      .first()
      .click();
    await page.getByRole('menuitem', { name: 'Daily limit…' }).click();
    await dialog.getByLabel('At most in one day').fill('5000,00');
    await dialog.getByText('It can be read in two ways.').first().waitFor();
    const limit = dialog.getByRole('button', { name: /limit$|^Set the limit/ });
    assert.equal(await limit.getAttribute('aria-disabled'), 'true');
  });

  it('shows that proposals to take fundings back could not be read', async (t) => {
    const { page, open } = await app.visit(t, {
      look: WIDE,
      person: admin,
      allowed: [...allowed, /status of 503/],
    });
    await page.route(/\/operations\/take-backs$/, (route) => route.fulfill(NOT_AVAILABLE));
    await open(path);
    const list = page.getByRole('region', { name: 'Fundings to take back' });
    await list.getByText('Not available now').waitFor();
  });

  it('is told whether a click proposes to take a funding back or takes it, and how much', async (t) => {
    const wallet = merchant.wallets.live.NGN;
    const second = await storePerson(database, { staffRoles: ['treasurer'] });
    const visitor = await app.visit(t, { look: WIDE, person: second, allowed });
    const { page, open } = visitor;
    await staffCalls(app.service.baseUrl).done(admin, `/wallets/${wallet}/take-back`, {
      fundingReference: wallet,
      reason: 'booked twice',
    });
    await open(path);
    await page.getByRole('button', { name: `Decide… about ${wallet}` }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Why').fill('seen by me too');
    await dialog.getByLabel('Reference of the funding').fill('bank-none');
    await dialog.getByRole('button', { name: 'Propose to take it back' }).waitFor();
    await dialog.getByText(/Nothing moves yet/).waitFor();
    await dialog.getByLabel('Reference of the funding').fill(wallet);
    await dialog.getByText(/This click takes a funding back, in LIVE/).waitFor();
    await dialog.getByText(/Kelvin Sakala proposed it. Your click carries it out/).waitFor();
    await dialog.getByRole('button', { name: /^Take back NGN\s[\d,.]+$/ }).waitFor();
    await visitor.assertAccessible();
    await visitor.screenshot('take-back-second');
  });

  it('cannot be changed by support, and says who could', async (t) => {
    const support = await storePerson(database, { staffRoles: ['support'] });
    const wallet = merchant.wallets.live.ZMW;
    const reason = 'meant for another merchant';
    await staffCalls(app.service.baseUrl).done(admin, `/wallets/${wallet}/take-back`, {
      // The reference of the funding that every test wallet starts with.
      fundingReference: wallet,
      reason,
    });
    const { page, open } = await app.visit(t, { look: WIDE, person: support, allowed });
    await open(path);
    const suspend = page.getByRole('button', { name: 'Suspend…' });
    assert.equal(await suspend.getAttribute('title'), 'Only admin can do this');
    await suspend.click({ force: true });
    assert.equal(await page.getByRole('dialog').count(), 0);
    const proposed = page.getByRole('row', { name: reason });
    await proposed.getByText('Waits for a second person').waitFor();
    assert.equal(await proposed.getByRole('button').count(), 0);
    await page.getByRole('link', { name: 'Float', exact: true }).click();
    await page.getByRole('heading', { name: 'Float', exact: true }).waitFor();
  });
});

describe('the screens of the staff', () => {
  for (const look of looksOf('staff-screens')) {
    it(`show what there is and are accessible at ${nameOf(look)}`, async (t) => {
      const visitor = await app.visit(t, { look, person: admin, allowed });
      for (const { name, path, shows } of SCREENS) {
        await visitor.open(path);
        await shows(visitor.page);
        await visitor.assertAccessible();
        await visitor.screenshot(name);
        const width = await visitor.page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(width <= look.width, `${name} is ${width} px wide`);
      }
    });
  }
});
