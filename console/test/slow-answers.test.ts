import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
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
    const saveAsOther = async (name: string) => {
      const answer = await app.apiWith().send({
        method: 'PUT',
        path: 'policy/draft',
        headers: {
          ...second.headers,
          'x-book': merchant.books.test,
          'sec-fetch-site': 'same-origin',
          'content-type': 'application/json',
        },
        body: { rules: [{ name, when: { amountAtLeast: '9000.00' }, require: { refuse: true } }] },
      });
      assert.equal(answer.status, 200, answer.text);
    };
    await saveAsOther('of another owner');
    await begin.click();
    await page.getByText('The draft was changed since you read it.').first().waitFor();
    await page.getByRole('heading', { name: 'of another owner' }).waitFor();
    await page.getByRole('button', { name: 'Drop the draft…' }).click();
    await saveAsOther('changed meanwhile');
    await page.getByRole('button', { name: 'Drop the draft', exact: true }).click();
    const refusal = page.getByRole('dialog').getByText('The draft was changed since you read it.');
    await refusal.waitFor();
    await page.getByRole('button', { name: 'Keep it' }).click();
    await page.getByRole('heading', { name: 'changed meanwhile' }).waitFor();
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
});
