import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { assertReadable } from './accessibility.ts';
import { LOOKS, NARROW, nameOf, openConsole, WIDE } from './browser.ts';

const app = await openConsole();
after(() => app.close());

const PATHS = ['/docs', '/docs/people'] as const;

describe('the pages that document the API', () => {
  for (const [path, look] of PATHS.flatMap((one) => LOOKS.map((look) => [one, look] as const))) {
    it(`fit their window, name their own address and can be read: ${path} at ${nameOf(look)}`, async (t) => {
      const { page, screenshot } = await app.visit(t, { look });
      await page.goto(path);
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(width <= look.width, `the page is ${width} px wide`);
      const origins = await page.locator('.origin').allTextContents();
      assert.ok(origins.length > 10);
      assert.deepEqual([...new Set(origins)], [app.url]);
      await assertReadable(page);
      // Of what that leaves: a picture of the whole page takes longer than the browser waits.
      await screenshot(path.slice(1).replace('/', '-'));
    });
  }
});

describe('the page that documents the API', () => {
  it('has text on the left and code on the right where there is room', async (t) => {
    const { page } = await app.visit(t, { look: WIDE });
    await page.goto('/docs');
    const operation = page.locator('section', { has: page.locator('figure.code') }).last();
    const text = await operation.locator('p').first().boundingBox();
    const code = await operation.locator('figure.code').first().boundingBox();
    assert.ok(text !== null && code !== null);
    assert.ok(code.x >= text.x + text.width, `text at ${text.x}, code at ${code.x}`);
  });

  it('has a menu that marks where the reader is, folds, and can be filtered', async (t) => {
    const { page } = await app.visit(t, { look: WIDE });
    await page.goto('/docs');
    const menu = page.getByRole('navigation', { name: 'Contents' });
    const link = menu.getByRole('link').nth(5);
    const name = await link.textContent();
    await link.click();
    const marked = menu.locator('[aria-current="location"]');
    await menu.locator('[aria-current="location"]', { hasText: name ?? '' }).waitFor();
    assert.equal(await marked.count(), 1);
    const group = menu.locator('details').first();
    const wasOpen = await group.evaluate((one) => (one as HTMLDetailsElement).open);
    await group.locator('summary').click();
    assert.equal(await group.evaluate((one) => (one as HTMLDetailsElement).open), !wasOpen);
    const all = await menu.getByRole('link').count();
    await menu.getByRole('searchbox').fill('webhook');
    await page.getByText(/^\d+ found$/).waitFor();
    const found = await menu.getByRole('link').allTextContents();
    assert.ok(found.length > 0 && found.length < all);
    await menu.getByRole('searchbox').press('Escape');
    await page.getByText(/^\d+ found$/).waitFor({ state: 'detached' });
  });

  it('copies code', async (t) => {
    const { page } = await app.visit(t, { look: WIDE });
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto('/docs');
    const figure = page.locator('figure.code').first();
    await figure.getByRole('button', { name: /^Copy: / }).click();
    await figure.getByText('Copied').waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    assert.equal(copied, await figure.locator('pre').textContent());
  });

  it('hides its menu behind a button on a phone, turns tables into cards and breaks long lines of code', async (t) => {
    const { page } = await app.visit(t, { look: NARROW });
    await page.goto('/docs');
    const menu = page.getByRole('navigation', { name: 'Contents' });
    assert.equal(await menu.isVisible(), false);
    await page.getByRole('button', { name: /^Contents/ }).click();
    await menu.waitFor();
    await menu.getByRole('link').nth(3).click();
    await menu.waitFor({ state: 'hidden' });
    const cells = page.locator('table').first().locator('tbody tr').first().locator('td, th');
    const boxes = await cells.evaluateAll((found) =>
      found.map((cell) => cell.getBoundingClientRect()).map(({ top, right }) => ({ top, right })),
    );
    assert.ok(boxes.length > 1 && new Set(boxes.map(({ top }) => top)).size === boxes.length);
    assert.ok(boxes.every(({ right }) => right <= NARROW.width));
    const cut = await page
      .locator('pre')
      .evaluateAll((all) =>
        all.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth),
      );
    assert.equal(cut.length, 0);
  });
});
