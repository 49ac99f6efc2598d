import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { looksOf, nameOf, openConsole } from './browser.ts';

/** Of all files that the first screen needs, as they are sent. */
const SCRIPT_BYTES_MAX = 250_000;

const app = await openConsole();
after(() => app.close());

describe('the sign-in page', () => {
  for (const look of looksOf('sign-in-page')) {
    it(`opens without errors and is accessible at ${nameOf(look)}`, async (t) => {
      const { page, open, assertAccessible, screenshot } = await app.visit(t, { look });
      await open('');
      await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
      await assertAccessible();
      await screenshot('sign-in');
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(width <= look.width, `the page is ${width} px wide`);
    });
  }

  it('keeps its fields in place when it learns that there are passkeys', async (t) => {
    const { page, open } = await app.visit(t);
    const methods = Promise.withResolvers<void>();
    await page.route(/\/session\/methods$/, async (route) => {
      await methods.promise;
      await route.fallback();
    });
    await open('');
    const field = page.getByLabel('E-mail', { exact: true });
    await field.waitFor();
    const before = await field.boundingBox();
    const passkey = page.getByRole('button', { name: 'Use a passkey' });
    assert.equal(await passkey.count(), 0);
    methods.resolve();
    await passkey.waitFor();
    assert.deepEqual(await field.boundingBox(), before);
  });

  it('loads at most 250 kB of script', async (t) => {
    const { page, open } = await app.visit(t);
    await open('');
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
    const sizes = await page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .filter((entry) => entry instanceof PerformanceResourceTiming)
        .filter(({ name }) => name.endsWith('.js'))
        .map(({ encodedBodySize }) => encodedBodySize),
    );
    const bytes = sizes.reduce((sum, size) => sum + size, 0);
    t.diagnostic(`${Math.round(bytes / 1_000)} kB in ${sizes.length} files`);
    assert.ok(bytes > 0 && bytes <= SCRIPT_BYTES_MAX, `${bytes} bytes`);
  });
});
