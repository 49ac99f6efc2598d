import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { LOOKS, nameOf, openConsole } from './browser.ts';

const app = await openConsole();
after(() => app.close());

describe('the sign-in page', () => {
  for (const look of LOOKS) {
    it(`opens without errors and is accessible at ${nameOf(look)}`, async (t) => {
      const { page, open, assertAccessible, screenshot } = await app.visit(t, { look });
      await open('');
      await page.getByRole('heading', { level: 1 }).waitFor();
      await assertAccessible();
      await screenshot('sign-in');
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(width <= look.width, `the page is ${width} px wide`);
    });
  }
});
