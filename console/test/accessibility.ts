import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

const AXE_FILE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const FAILING = ['serious', 'critical'];

declare global {
  interface Window {
    axe: { run(options: RunOptions): Promise<AxeResults> };
  }
}

let source: Promise<string> | undefined;

/** Fails when axe-core finds something serious or critical on the page as it is now. */
export async function assertAccessible(page: Page): Promise<void> {
  await loadAxe(page);
  const { violations } = await page.evaluate(
    // What passes is not described: to find a selector for every element takes most of the time.
    () => window.axe.run({ resultTypes: ['violations'] }),
  );
  assertNone(
    page,
    violations.filter(({ impact }) => FAILING.includes(impact ?? '')),
  );
}

/**
 * Fails when text of a long page has too little contrast, or when axe-core cannot tell. It looks at one element of each
 * colour, ground, size and weight, and at nothing else: for all 20,000 elements it takes half a minute. The page loses
 * the parts that are not looked at.
 */
export async function assertReadable(page: Page): Promise<void> {
  await loadAxe(page);
  const styles = await page.evaluate(keepOneOfEachStyle);
  assert.ok(styles > 20, `${styles} styles of text at ${page.url()}`);
  const { violations, incomplete } = await page.evaluate(() =>
    window.axe.run({ runOnly: ['color-contrast'], resultTypes: ['violations', 'incomplete'] }),
  );
  assertNone(page, [...violations, ...incomplete]);
}

/** Runs in the page. Returns how many styles its text has. */
function keepOneOfEachStyle(): number {
  for (const fold of document.querySelectorAll('details')) fold.open = true;
  const groundOf = (element: Element | null): string => {
    if (element === null) return '';
    const { backgroundColor } = getComputedStyle(element);
    return backgroundColor === 'rgba(0, 0, 0, 0)'
      ? groundOf(element.parentElement)
      : backgroundColor;
  };
  const firsts = new Map<string, Element>();
  for (const element of document.body.querySelectorAll('*')) {
    const isText = [...element.childNodes].some(
      ({ nodeType, textContent }) => nodeType === Node.TEXT_NODE && textContent?.trim() !== '',
    );
    if (!isText || !element.checkVisibility()) continue;
    const { color, fontSize, fontWeight } = getComputedStyle(element);
    const style = [color, groundOf(element), fontSize, fontWeight].join(' ');
    if (!firsts.has(style)) firsts.set(style, element);
  }
  const kept = [...firsts.values()];
  for (const part of document.querySelectorAll('section, figure, tr, li')) {
    if (!kept.some((element) => part.contains(element))) part.remove();
  }
  return firsts.size;
}

async function loadAxe(page: Page): Promise<void> {
  source ??= readFile(AXE_FILE, 'utf8');
  // As the browser's own tools do, past the Content-Security-Policy, which allows no script that is not a file of ours.
  await page.evaluate(`${await source}; undefined`);
}

function assertNone(page: Page, problems: AxeResults['violations']): void {
  const found = problems.flatMap(({ id, help, nodes }) =>
    nodes.map(
      ({ target, failureSummary }) => `${id}: ${help}\n  ${target.join(' ')}\n  ${failureSummary}`,
    ),
  );
  assert.equal(found.length, 0, `axe-core found at ${page.url()}:\n${found.join('\n')}`);
}
