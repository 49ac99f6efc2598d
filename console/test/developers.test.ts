import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, describe, it } from 'node:test';
import { pollUntil } from '../../service/test/poll.ts';
import { forgetUsedCodes, storeAccount, totpCode } from '../../service/test/test-account.ts';
import { storePerson } from '../../service/test/test-person.ts';
import { startWebhookReceiver } from '../../service/test/webhook-receiver.ts';
import { looksOf, nameOf, openConsole, WIDE, widthsOf } from './browser.ts';
import { signInThroughPage } from './sign-in.ts';

const app = await openConsole({ WEBHOOKS_TO_LOOPBACK: '1' });
after(() => app.close());
/** Refuses one event at first, and takes the rest. */
const receiver = await startWebhookReceiver({
  script: ({ body, nth }) =>
    body.includes('transfer.failed') && nth < 3
      ? { status: 503, body: '<h1>Deploy in progress</h1>' }
      : { status: 204 },
});
after(() => receiver.close());

const { merchant, database, api } = app;
const owner = await storePerson(database, {
  name: 'Bwalya Mumba',
  roles: [{ merchantId: merchant.id, role: 'owner' }],
});
const TEST = `/b/${merchant.books.test}`;
const LIVE = `/b/${merchant.books.live}`;

await api.post('webhooks', { url: receiver.url('/hooks/kafue') });
await api.post('webhooks', { url: receiver.url('/other'), events: ['recipient.created'] });
await api.post('transfer-recipients/mobile-money', {
  phone: '0977433571',
  operator: 'airtel',
  country: 'zm',
  accountName: 'Chileshe Mumba',
});
await app.initiate({ recipientName: 'Chileshe Mumba', amount: 1850, reference: 'hello-12' });
const failed = await app.initiate({ phone: '0977433901', amount: 75, reference: 'hello-16' });
await app.transferOnce(failed.id, ({ state }) => state === 'failed');

/** Each screen, and a row or line by which it is known to be whole. */
const SCREENS = [
  { name: 'keys', path: `${TEST}/developers/keys`, known: 'Test' },
  { name: 'webhooks', path: `${TEST}/developers/webhooks`, known: '/hooks/kafue' },
  { name: 'events', path: `${TEST}/developers/events`, known: 'transfer.created' },
  { name: 'recipients', path: `${TEST}/recipients`, known: '+260 97 743 3571' },
  {
    name: 'wallet',
    path: `${TEST}/wallets/${merchant.wallets.test.ZMW}`,
    known: 'Set aside for a payout',
  },
  { name: 'keys-live', path: `${LIVE}/developers/keys`, known: 'Test' },
  { name: 'webhooks-empty', path: `${LIVE}/developers/webhooks`, known: 'No endpoints yet' },
] as const;

describe('the screens for developers and money', () => {
  for (const look of looksOf('developers')) {
    it(`are whole and accessible at ${nameOf(look)}`, async (t) => {
      const { page, open, assertAccessible, screenshot } = await app.visit(t, {
        look,
        person: owner,
      });
      for (const { name, path, known } of SCREENS) {
        await open(path);
        await page.getByRole('main').getByText(known).first().waitFor();
        await assertAccessible();
        await screenshot(name);
        const width = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(width <= look.width, `${name} is ${width} px wide`);
      }
    });
  }
});

describe('an API key', () => {
  for (const look of widthsOf('developers')) {
    it(`is made, kept and revoked at ${nameOf(look)}`, async (t) => {
      const { page, open, assertAccessible, screenshot } = await app.visit(t, {
        look,
        person: owner,
      });
      const name = `Shop server ${look.width}`;
      await open(`${TEST}/developers/keys`);
      await page.getByRole('button', { name: 'Make a key…' }).click();
      await page.getByLabel('Name', { exact: true }).fill(name);
      await screenshot('key-form');
      await assertAccessible();
      await page.getByRole('button', { name: 'Make a key (test)' }).click();
      const dialog = page.getByRole('dialog', { name: 'Keep the key now' });
      const secret = (await dialog.locator('code').first().textContent()) ?? '';
      await screenshot('key-secret');
      assert.equal((await app.apiWith(secret).get('wallets')).status, 200);
      await page.keyboard.press('Escape');
      assert.ok(await dialog.isVisible(), 'Esc must not throw the secret away');
      await dialog.getByRole('button', { name: 'I kept it' }).click();
      await page.getByRole('button', { name: `Revoke ${name}`, exact: true }).click();
      await screenshot('key-revoke');
      await page.getByRole('button', { name: `Revoke ${name} (test)` }).click();
      await page.getByRole('row', { name: new RegExp(`${name}.*revoked`) }).waitFor();
    });
  }

  it('is not made while its last day is half typed', async (t) => {
    const { page, open, screenshot } = await app.visit(t, { look: WIDE, person: owner });
    await open(`${TEST}/developers/keys`);
    await page.getByRole('button', { name: 'Make a key…' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Half typed');
    const make = page.getByRole('button', { name: 'Make a key (test)' });
    await page.getByLabel('Ends on').focus();
    await page.keyboard.type('1130');
    assert.equal(await make.getAttribute('aria-disabled'), 'true');
    await make.click({ force: true });
    await page.getByText('The date or time is not complete.').waitFor();
    await screenshot('key-half-typed');
    assert.doesNotMatch((await api.get('keys')).text, /Half typed/);
  });

  for (const [what, answer] of [
    ['a proxy answers', { status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' }],
    ['the answer breaks off', { status: 201, contentType: 'application/json', body: '{"data":' }],
  ] as const) {
    it(`may have been made where ${what}, and says so`, async (t) => {
      const allowed = [/Failed to load resource/];
      const { page, open, screenshot } = await app.visit(t, { look: WIDE, person: owner, allowed });
      await page.route(/\/keys$/, (route) =>
        route.request().method() === 'POST' ? route.fulfill(answer) : route.continue(),
      );
      await open(`${TEST}/developers/keys`);
      await page.getByRole('button', { name: 'Make a key…' }).click();
      await page.getByLabel('Name', { exact: true }).fill('Lost');
      await page.getByRole('button', { name: 'Make a key (test)' }).click();
      await page.getByText('We do not know whether it was stored').waitFor();
      await screenshot(`key-not-known-${answer.status}`);
    });
  }

  it('of a live book waits for an owner who is another person', async (t) => {
    const developer = await storePerson(database, {
      name: 'Emeka Okafor',
      roles: [{ merchantId: merchant.id, role: 'developer' }],
    });
    const first = await app.visit(t, { look: WIDE, person: developer });
    await first.open(`${LIVE}/developers/keys`);
    await first.page.getByRole('button', { name: 'Make a key…' }).click();
    await first.page.getByLabel('Name', { exact: true }).fill('Payroll');
    await first.page.getByRole('button', { name: 'Make a key', exact: true }).click();
    await first.page.getByText('when an owner has confirmed it').waitFor();
    await first.page.getByRole('button', { name: 'I kept it' }).click();
    const confirm = { name: 'Confirm Payroll' };
    const inactive = first.page.getByRole('button', confirm);
    assert.match((await inactive.getAttribute('title')) ?? '', /Only owner can do this/);
    const second = await app.visit(t, { look: WIDE, person: owner });
    await second.open(`${LIVE}/developers/keys`);
    await second.page.getByRole('button', confirm).click();
    await second.screenshot('key-confirm');
    await second.page.getByRole('dialog').getByRole('button', confirm).click();
    await second.page.getByRole('row', { name: /Payroll.*active/ }).waitFor();
  });

  it('is not made with a wrong second factor, and the session goes on', async (t) => {
    const account = await storeAccount(database, {
      roles: [{ merchantId: merchant.id, role: 'owner' }],
    });
    const { page, open } = await app.visit(t, { look: WIDE, allowed: [/status of 401/] });
    await open(`${LIVE}/developers/keys`);
    await signInThroughPage(page, account);
    await page.getByRole('button', { name: 'Make a key…' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Till');
    const code = page.getByLabel('Code from your authenticator app');
    await code.fill(totpCode(account.totpSecret, 1_000));
    await page.getByRole('button', { name: 'Make a key', exact: true }).click();
    await page.getByRole('alert').filter({ hasText: 'SIGN_IN_FAILED' }).waitFor();
    assert.equal(await page.getByRole('dialog', { name: /session has ended/ }).count(), 0);
    assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Till');
    await forgetUsedCodes(database, account);
  });
});

describe('a webhook', () => {
  it('shows what was sent and answered, and is replayed', async (t) => {
    for (const look of widthsOf('developers-2')) {
      const { page, open, assertAccessible, screenshot } = await app.visit(t, {
        look,
        person: owner,
      });
      await open(`${TEST}/developers/webhooks`);
      await page.getByRole('link', { name: /hooks\/kafue/ }).click();
      await page.getByRole('button', { name: 'transfer.failed', exact: true }).click();
      await page.getByRole('region', { name: 'We sent' }).getByText('hello-16').waitFor();
      await page.getByRole('region', { name: 'It answered' }).waitFor();
      await assertAccessible();
      await screenshot('webhook-delivery');
      const before = receiver.journal.length;
      await page.getByRole('button', { name: /^Send (?:now|again): transfer.failed/ }).click();
      await page.getByText('transfer.failed is sent again.').first().waitFor();
      await pollUntil('the event arrives again', () => receiver.journal.length > before);
    }
  });

  it('is added with its secret, changed, disabled and deleted', async (t) => {
    const { page, open, screenshot } = await app.visit(t, { look: WIDE, person: owner });
    await open(`${TEST}/developers/webhooks`);
    await page.getByRole('button', { name: 'Add an endpoint' }).click();
    await page.getByLabel('Address').fill(receiver.url('/third'));
    await page.getByLabel('Only these').check();
    await screenshot('webhook-form');
    await page.getByLabel('transfer.in_doubt').check();
    await page.getByRole('button', { name: 'Add an endpoint (test)' }).click();
    await page.getByText(/^whsec_/).waitFor();
    await page.getByRole('button', { name: 'I kept it' }).click();
    await page.getByRole('link', { name: /third/ }).click();
    await page.getByRole('button', { name: 'Disable…' }).click();
    await page.getByRole('button', { name: 'Disable it (test)' }).click();
    await page.getByText('Disabled by the merchant.').waitFor();
    await page.getByRole('button', { name: 'Delete…' }).click();
    await page.getByRole('button', { name: 'Delete it (test)' }).click();
    await page.getByRole('link', { name: /third/ }).waitFor({ state: 'detached' });
  });
});

describe('an event', () => {
  it('opens as JSON beside its transfer', async (t) => {
    const { page, open, assertAccessible, screenshot } = await app.visit(t, { person: owner });
    await open(`${TEST}/developers/events?type=transfer.failed`);
    await page.getByRole('button', { name: 'transfer.failed' }).click();
    await page.getByRole('region', { name: 'As it is sent' }).getByText('hello-16').waitFor();
    await page.getByRole('link', { name: 'Open the transfer' }).waitFor();
    await assertAccessible();
    await screenshot('event');
  });
});

describe('a recipient', () => {
  it('says when it was paid last although the latest payouts were not paid', async (t) => {
    const { page, open } = await app.visit(t, { person: owner });
    await page.route(/\/transfers\?.*limit=10$/, (route) =>
      route.fulfill({ json: { data: { items: [], nextCursor: null } } }),
    );
    await open(`${TEST}/recipients`);
    await page
      .getByRole('row', { name: /\+260 97 743 3571/ })
      .getByRole('link')
      .first()
      .click();
    await page.getByText('Last paid').waitFor();
  });

  it('is added with the name that its operator gives', async (t) => {
    const { page, open, assertAccessible, screenshot } = await app.visit(t, { person: owner });
    await open(`${TEST}/recipients`);
    await page.getByRole('button', { name: 'Add a recipient…' }).click();
    await page.getByLabel('Number').fill('0967 782 001');
    await page.getByLabel('Operator').selectOption('mtn');
    await page.getByText(/^The operator knows this number as/).waitFor();
    await screenshot('recipient-form');
    await page.getByRole('button', { name: 'Add the recipient (test)' }).click();
    await page
      .getByRole('row', { name: /\+260 96 778 2001/ })
      .getByRole('link')
      .click();
    await page.getByText('Nothing was paid to this number in this book.').waitFor();
    await assertAccessible();
    await screenshot('recipient');
  });
});

describe('the name of a recipient who is being added', () => {
  it('is looked up once, whatever else happens in the book', async (t) => {
    const { page, open } = await app.visit(t, { person: owner, isAlone: true });
    await page.clock.install();
    let lookUps = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('/resolve/mobile-money')) lookUps += 1;
    });
    await open(`${TEST}/recipients`);
    await page.getByRole('button', { name: 'Add a recipient…' }).click();
    await page.getByLabel('Number').fill('0967 782 002');
    await page.getByLabel('Operator').selectOption('mtn');
    await page.getByText(/^The operator knows this number as/).waitFor();
    const other = { phone: '0977433581', operator: 'airtel', country: 'zm' };
    await api.post('transfer-recipients/mobile-money', other);
    await page.getByText('1 newer recipient').waitFor({ state: 'attached' });
    // What is in sight is asked anew within a second of a change.
    await page.clock.runFor(2_000);
    await page.evaluate(() => fetch('/health/live'));
    assert.equal(lookUps, 1);
  });
});

describe('a statement', () => {
  it('is saved whole as CSV', async (t) => {
    const { page, open } = await app.visit(t, { person: owner });
    await open(`${TEST}/wallets/${merchant.wallets.test.ZMW}`);
    const waiting = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CSV' }).click();
    const text = await readFile(await (await waiting).path(), 'utf8');
    const lines = text.trim().split(/\r?\n/);
    assert.match(lines[0] ?? '', /^sequence,kind,amount/);
    assert.ok(lines.some((line) => line.includes('hello-12')));
    await open(`${TEST}/wallets/${merchant.wallets.test.ZMW}?to=2020-01-01`);
    await page.getByRole('heading', { name: 'Nothing moved in this period' }).waitFor();
  });
});
