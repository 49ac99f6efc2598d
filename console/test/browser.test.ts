import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { after, describe, it, type TestContext } from 'node:test';
import { storePerson } from '../../service/test/test-person.ts';
import { LOOKS, looksOf, nameOf, openConsole, type Visitor, WIDTHS, widthsOf } from './browser.ts';
import { addVirtualPasskeys } from './passkey.ts';

const app = await openConsole();
after(() => app.close());

/** Runs a test of its own inside, and tells what it failed with. */
async function problemOf(use: (visitor: Visitor) => Promise<unknown>): Promise<string> {
  const ends: (() => Promise<void>)[] = [];
  const inner = { after: (end: () => Promise<void>) => ends.push(end) } as unknown as TestContext;
  const visitor = await app.visit(inner);
  try {
    await visitor.open('');
    await use(visitor);
    for (const end of ends.splice(0)) await end();
    return 'none';
  } catch (error) {
    return String(error);
  } finally {
    for (const end of ends) await end().catch(() => undefined);
  }
}

describe('a test in the browser', () => {
  it('passes on a page without problems', async () => {
    assert.equal(await problemOf(({ assertAccessible }) => assertAccessible()), 'none');
  });

  const problems: readonly Readonly<{ what: string; script: string; told: RegExp }>[] = [
    { what: 'an error in the console', script: 'console.error("broken")', told: /console: broken/ },
    {
      what: 'an exception',
      script:
        'new Promise((done) => { setTimeout(done, 20); setTimeout(() => { throw new Error("thrown"); }, 0); })',
      told: /exception: .*thrown/,
    },
    {
      what: 'an inline script, which the policy stops',
      script:
        'document.body.append(Object.assign(document.createElement("script"), { text: "1" }))',
      told: /Content Security Policy/,
    },
    {
      what: 'an inline style, which the policy stops',
      script: 'document.body.innerHTML = "<p style=\'color: red\'>red</p>"',
      told: /Content Security Policy/,
    },
    {
      what: 'a request to another origin',
      script: 'fetch("https://elsewhere.test/").catch(() => undefined)',
      told: /elsewhere\.test/,
    },
  ];
  for (const { what, script, told } of problems) {
    it(`fails on ${what}`, async () => {
      assert.match(await problemOf(({ page }) => page.evaluate(script)), told);
    });
  }

  it('fails on what people cannot read or reach', async () => {
    const problem = await problemOf(async ({ page, assertAccessible }) => {
      await page.evaluate('document.body.append(document.createElement("button"))');
      await assertAccessible();
    });
    assert.match(problem, /button-name: Buttons must have discernible text/);
  });

  it('is signed in as a stored person', async (t) => {
    const person = await storePerson(app.database, {
      roles: [{ merchantId: app.merchant.id, role: 'owner' }],
    });
    const { page } = await app.visit(t, { person });
    const headers = { 'x-book': app.merchant.books.test };
    const wallets = await page.context().request.get('/api/v1/payments/wallets', { headers });
    assert.equal(wallets.status(), 200);
  });

  it('starts without cookies, storage and routes of the visit before, which had the same page', async (t) => {
    const before = await problemOf(async ({ page }) => {
      await page.evaluate('localStorage.setItem("left", "1"); document.cookie = "left=1"');
      await page.route('**/left', (route) => route.fulfill({ body: 'left' }));
      await page.evaluate('window.open("/console/")');
    });
    assert.equal(before, 'none');
    const { page, open } = await app.visit(t, { allowed: [/status of 404 .*\/left$/] });
    assert.equal(page.context().pages().length, 1);
    await open('');
    assert.equal(await page.evaluate('localStorage.getItem("left")'), null);
    assert.doesNotMatch(String(await page.evaluate('document.cookie')), /left/);
    const status = await page.evaluate(() => fetch('/left').then((answer) => answer.status));
    assert.equal(status, 404);
  });

  it('has a device with passkeys', async (t) => {
    const { page, open } = await app.visit(t, { isAlone: true });
    await open('');
    const passkeys = await addVirtualPasskeys(page);
    const type = await page.evaluate(async () => {
      const credential = await navigator.credentials.create({
        publicKey: {
          challenge: new Uint8Array(32),
          rp: { name: 'Kafue' },
          user: { id: new Uint8Array(16), name: 'owner', displayName: 'Owner' },
          pubKeyCredParams: [-7, -257].map((alg) => ({ type: 'public-key', alg })),
          authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        },
      });
      return credential?.type;
    });
    assert.equal(type, 'public-key');
    assert.equal(await passkeys.count(), 1);
  });
});

/** The names that the tests of screens give to a function of browser.ts. */
async function namesGivenTo(call: string): Promise<readonly string[]> {
  const folder = new URL('.', import.meta.url);
  const files = (await readdir(folder)).filter((name) => name.endsWith('.test.ts'));
  const texts = await Promise.all(files.map((name) => readFile(new URL(name, folder), 'utf8')));
  const pattern = new RegExp(`${call}\\('([\\w-]+)'\\)`, 'g');
  return texts.flatMap((text) => [...text.matchAll(pattern)].map(([, name = '']) => name));
}

describe('over all screens', () => {
  it('every look is seen', async () => {
    const names = await namesGivenTo('looksOf');
    const seen = new Set(names.flatMap((name) => looksOf(name).map(nameOf)));
    assert.deepEqual([...seen].sort(), LOOKS.map(nameOf).sort());
  });

  it('ways lead through both widths', async () => {
    const names = await namesGivenTo('widthsOf');
    const seen = new Set(names.flatMap((name) => widthsOf(name).map(nameOf)));
    assert.deepEqual([...seen].sort(), WIDTHS.map(nameOf).sort());
  });
});
