import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Page, Request } from 'playwright-core';
import { pollUntil } from '../../service/test/poll.ts';
import { storeAccount, totpCode } from '../../service/test/test-account.ts';
import { storePerson } from '../../service/test/test-person.ts';
import { openConsole, WIDE } from './browser.ts';
import { signInThroughPage } from './sign-in.ts';

const app = await openConsole();
after(() => app.close());

const { merchant, database } = app;
const owner = await storePerson(database, {
  name: 'Natasha Zulu',
  roles: [{ merchantId: merchant.id, role: 'owner' }],
});
const second = await storePerson(database, {
  name: 'Ngozi Adeyemi',
  roles: [{ merchantId: merchant.id, role: 'owner' }],
});
const TEST = `/b/${merchant.books.test}`;
const LIVE = `/b/${merchant.books.live}`;
const DENIED = /status of 409/;
/** The service starts what reads files with the first one. */
const FIRST_FILE_MAX_MS = 90_000;

/** Holds back calls until they are let go; `came` is when the first one came. */
async function hold(page: Page, { method, path }: Readonly<{ method: string; path: RegExp }>) {
  const held = Promise.withResolvers<void>();
  const came = Promise.withResolvers<void>();
  await page.route(path, async (route) => {
    if (route.request().method() === method) {
      came.resolve();
      await held.promise;
    }
    // The page may be gone by now.
    await route.fallback().catch(() => undefined);
  });
  return { came: came.promise, letGo: held.resolve };
}

describe('a change', () => {
  it('is seen although it was made before the stream told any', async (t) => {
    const { page, open } = await app.visit(t, { look: WIDE, person: owner });
    const stream = await hold(page, { method: 'GET', path: /\/payments\/stream$/ });
    await open(`${TEST}/wallets`);
    const row = page.getByRole('row', { name: /^Test .*ZMW/ });
    await row.waitFor();
    await stream.came;
    const before = await row.innerText();
    const { id } = await app.initiate({ amount: 3 });
    await app.transferOnce(id, ({ state }) => state === 'succeeded');
    stream.letGo();
    await pollUntil('the balance changes', async () => (await row.innerText()) !== before);
  });
});

describe('a tab', () => {
  it('gives its connection back while it is hidden, and hears of changes when it is shown again', async (t) => {
    const { page, open } = await app.visit(t, { look: WIDE, person: owner });
    const isStream = (request: Request) => request.url().endsWith('/payments/stream');
    const opened = page.waitForRequest(isStream);
    await open(`${TEST}/wallets`);
    const row = page.getByRole('row', { name: /^Test .*ZMW/ });
    await row.waitFor();
    await opened;
    const before = await row.innerText();
    const turn = (hidden: boolean) =>
      page.evaluate((value) => {
        Object.defineProperty(document, 'hidden', { value, configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));
      }, hidden);
    const closed = page.waitForEvent('requestfailed', isStream);
    await turn(true);
    await closed;
    const { id } = await app.initiate({ amount: 4 });
    await app.transferOnce(id, ({ state }) => state === 'succeeded');
    await turn(false);
    await pollUntil('the balance changes', async () => (await row.innerText()) !== before);
  });

  it('says that there are too many when it gets no stream, and acts go on', async (t) => {
    const { page, open } = await app.visit(t, {
      look: WIDE,
      person: owner,
      allowed: [/status of 429/],
    });
    await page.route(/\/payments\/stream$/, (route) => route.fulfill({ status: 429 }));
    await open(`${TEST}/developers/keys`);
    await page.getByText('You have too many tabs of Kafue open.').waitFor();
    await page.getByRole('button', { name: 'Make a key…', disabled: false }).waitFor();
  });
});

describe('a dialog', () => {
  it('stays open while its act is under way, and then shows the key that was made', async (t) => {
    const { page, open } = await app.visit(t, { look: WIDE, person: owner });
    await open(`${TEST}/developers/keys`);
    const making = await hold(page, { method: 'POST', path: /\/payments\/keys$/ });
    await page.getByRole('button', { name: 'Make a key…' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Till');
    await page.getByRole('button', { name: 'Make a key (test)' }).click();
    await making.came;
    // A browser lets a page refuse the first press only.
    for (let press = 0; press < 3; press += 1) await page.keyboard.press('Escape');
    await page.locator('dialog .card-head button').click({ force: true });
    await page.locator('dialog .act-aside button').click({ force: true });
    await page.mouse.click(5, 5);
    making.letGo();
    await page.getByRole('dialog', { name: 'Keep the key now' }).waitFor();
    await page.getByRole('button', { name: 'I kept it' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it('stays open when Esc follows its act in the same moment', async (t) => {
    const { page, open } = await app.visit(t, { look: WIDE, person: owner });
    await open(`${TEST}/developers/keys`);
    await page.getByRole('button', { name: 'Make a key…' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Kiosk');
    await page
      .getByRole('button', { name: 'Make a key (test)' })
      .evaluate((button: HTMLElement) => {
        button.click();
        queueMicrotask(() => {
          button.dispatchEvent(
            new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }),
          );
        });
      });
    await page.getByRole('dialog', { name: 'Keep the key now' }).waitFor();
  });

  it('asks for no second factor that was just shown, although the session is asked late', async (t) => {
    const account = await storeAccount(database, {
      roles: [{ merchantId: merchant.id, role: 'owner' }],
    });
    const { page, open } = await app.visit(t, { look: WIDE });
    await open(`${LIVE}/developers/keys`);
    await signInThroughPage(page, account);
    await page.getByRole('heading', { level: 1, name: 'API keys' }).waitFor();
    await database.query(
      { name: '', text: 'update sessions set stepped_up_at = null where person_id = $1' },
      [account.id],
    );
    await page.reload();
    await page.getByRole('button', { name: 'Make a key…' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Office');
    await page.getByLabel('Code from your authenticator app').fill(totpCode(account.totpSecret, 1));
    const session = await hold(page, { method: 'GET', path: /\/api\/v1\/session$/ });
    await page.getByRole('button', { name: 'Make a key', exact: true }).click();
    await page.getByRole('button', { name: 'I kept it' }).click();
    await session.came;
    await page.getByRole('button', { name: 'Make a key…' }).click();
    await page.getByText('Your second factor holds until').waitFor();
    session.letGo();
  });
});

describe('a choice of the reader', () => {
  it('is not taken back by an answer that was asked for before', async (t) => {
    const { page, open } = await app.visit(t, { look: WIDE, person: owner });
    const loading = await hold(page, { method: 'GET', path: /\/session\/preferences$/ });
    await open('/account');
    await page.getByRole('heading', { level: 1, name: 'My account' }).waitFor();
    await loading.came;
    const stored = page.waitForResponse((answer) => answer.request().method() === 'PUT');
    await page.getByText('Dark', { exact: true }).click();
    await stored;
    const loaded = page.waitForResponse(
      (answer) => answer.url().endsWith('/preferences') && answer.request().method() === 'GET',
    );
    // What the service kept before: the answer is older than the choice.
    await page.route(/\/session\/preferences$/, (route) =>
      route.request().method() === 'GET' ? route.fulfill({ json: { data: {} } }) : route.fallback(),
    );
    loading.letGo();
    await (await loaded).finished();
    await page.getByText('Compact', { exact: true }).click();
    await page.locator('html[data-theme=dark][data-density=compact]').waitFor();
  });
});

describe('a draft of the policy', () => {
  it('that another owner began is not replaced, nor discarded, by one who has not seen it', async (t) => {
    const { page, open } = await app.visit(t, { look: WIDE, person: owner, allowed: [DENIED] });
    await open(`${TEST}/policy`);
    const begin = page.getByRole('button', { name: 'Begin with examples' });
    await begin.waitFor();
    const saveAsOther = async (name: string, amountAtLeast = '9000.00') => {
      const answer = await app.apiWith().send({
        method: 'PUT',
        path: 'policy/draft',
        headers: {
          ...second.headers,
          'x-book': merchant.books.test,
          'sec-fetch-site': 'same-origin',
          'content-type': 'application/json',
        },
        body: { rules: [{ name, when: { amountAtLeast }, require: { refuse: true } }] },
      });
      assert.equal(answer.status, 200, answer.text);
    };
    await saveAsOther('of another owner');
    await begin.click();
    await page.getByText('The draft was changed since you read it.').first().waitFor();
    await page.getByRole('heading', { name: 'of another owner' }).waitFor();
    await page.getByRole('button', { name: 'Discard the draft…' }).click();
    await saveAsOther('changed meanwhile');
    await page.getByRole('button', { name: 'Discard the draft', exact: true }).click();
    const refusal = page.getByRole('dialog').getByText('The draft was changed since you read it.');
    await refusal.waitFor();
    await page.getByRole('button', { name: 'Keep it' }).click();
    await page.getByRole('heading', { name: 'changed meanwhile' }).waitFor();
    // Also not by a rule that was opened before: the second try knows the draft, the person does not.
    await page.getByRole('button', { name: 'Edit rule changed meanwhile' }).click();
    await saveAsOther('changed meanwhile', '8000.00');
    const save = page.getByRole('button', { name: 'Keep the rule' });
    for (let tries = 0; tries < 2; tries += 1) {
      const refused = page.waitForResponse(
        (answer) => answer.url().endsWith('/policy/draft') && answer.request().method() === 'PUT',
      );
      await save.click();
      assert.equal((await refused).status(), 409);
    }
    await page.keyboard.press('Escape');
    // A box that is open confirms what it showed when it was opened, or nothing.
    await page.getByRole('button', { name: /^Publish version \d+ for TEST/ }).click();
    await page.getByRole('button', { name: 'Discard the draft…' }).click();
    await saveAsOther('changed once more');
    await page.getByRole('button', { name: 'Discard the draft', exact: true }).click();
    await refusal.waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Keep it' }).click();
    await page.getByText('It was changed since you opened this.').first().waitFor();
    const publish = page.getByRole('button', { name: /^Publish version \d+ for TEST/ });
    assert.equal(await publish.getAttribute('aria-disabled'), 'true');
  });
});

describe('a payout file', () => {
  it('that is uploaded late does not take the page from the reader', async (t) => {
    const { page, open } = await app.visit(t, { look: WIDE, person: owner });
    await open(`${TEST}/files`);
    const storing = await hold(page, { method: 'POST', path: /\/payout-files\?name=/ });
    await page.locator('input[type=file]').setInputFiles({
      name: 'Late.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('Name,Phone,Amount\nMwape Kasonde,0973345120,30'),
    });
    await storing.came;
    await page.getByRole('link', { name: 'Wallets' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Wallets' }).waitFor();
    storing.letGo();
    const act = page.getByRole('button', { name: 'Open it' });
    await act.waitFor();
    assert.ok(page.url().endsWith('/wallets'), page.url());
    await act.click();
    await page.getByRole('heading', { level: 1, name: 'Late.csv' }).waitFor();
  });
});

describe('a row of a payout file', () => {
  it('keeps what is typed while the text before it is stored', async (t) => {
    const { page, open } = await app.visit(t, { look: WIDE, person: owner });
    await open(`${TEST}/files`);
    await page.locator('input[type=file]').setInputFiles({
      name: 'Drivers.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(
        'Name,Phone,Amount\nMwape Kasonde,097 33 45,30\nChanda Banda,0977433571,40',
      ),
    });
    const field = page.getByLabel('Phone, row 1', { exact: true });
    await field.waitFor({ timeout: FIRST_FILE_MAX_MS });
    const storing = await hold(page, { method: 'PUT', path: /\/rows\/1$/ });
    await field.fill('0973345');
    await field.press('Enter');
    await storing.came;
    await field.fill('0973345120');
    storing.letGo();
    await page.getByText('in the file: 097 33 45').waitFor({ state: 'attached' });
    assert.equal(await field.inputValue(), '0973345120');
    await field.press('Enter');
    await page.locator('[aria-label="Phone, row 1"]:not([aria-invalid])').waitFor();
  });

  it('holds the file back while a correction is not stored, and says when rows cannot be loaded', async (t) => {
    const allowed = [/status of 500/];
    const { page, open } = await app.visit(t, { look: WIDE, person: owner, allowed });
    await open(`${TEST}/files`);
    await page.locator('input[type=file]').setInputFiles({
      name: 'Guards.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('Name,Phone,Amount\nMwape Kasonde,0973345120,1.005'),
    });
    const field = page.getByLabel('Amount, row 1', { exact: true });
    await field.waitFor({ timeout: FIRST_FILE_MAX_MS });
    await field.fill('30');
    await field.press('Enter');
    const act = page.getByRole('button', { name: 'Submit 1 payout…' });
    await page.getByRole('button', { name: 'Submit 1 payout…', disabled: false }).waitFor();
    const error = { code: 'INTERNAL_ERROR', retryable: false, requestId: 'r' };
    const refusal = { status: 500, json: { message: 'It broke', data: { error } } };
    await page.route(/\/rows\/1$/, (route) => route.fulfill(refusal));
    await field.fill('3');
    await field.press('Enter');
    await page.getByText('It broke').first().waitFor();
    assert.equal(await act.getAttribute('aria-disabled'), 'true');
    await page.getByText('A correction is not stored.').last().waitFor();
    await field.press('Escape');
    await page.getByRole('button', { name: 'Submit 1 payout…', disabled: false }).waitFor();

    const rows = /\/rows\?problems/;
    await page.route(rows, (route) => route.fulfill(refusal));
    // The stream would make the page load the rows by itself, before the click.
    const stream = await hold(page, { method: 'GET', path: /\/payments\/stream$/ });
    await page.reload();
    const card = page.getByRole('region', { name: 'Rows' });
    await card.getByText('It broke').waitFor();
    await stream.came;
    await page.unroute(rows);
    await card.getByRole('button', { name: 'Try again' }).click();
    await field.waitFor();
  });
});
