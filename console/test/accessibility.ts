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
  source ??= readFile(AXE_FILE, 'utf8');
  // As the browser's own tools do, past the Content-Security-Policy, which allows no script that is not a file of ours.
  await page.evaluate(`${await source}; undefined`);
  const { violations } = await page.evaluate(
    // What passes is not described: to find a selector for every element takes most of the time.
    () => window.axe.run({ resultTypes: ['violations'] }),
  );
  const found = violations
    .filter(({ impact }) => FAILING.includes(impact ?? ''))
    .flatMap(({ id, help, nodes }) =>
      nodes.map(
        ({ target, failureSummary }) =>
          `${id}: ${help}\n  ${target.join(' ')}\n  ${failureSummary}`,
      ),
    );
  assert.equal(found.length, 0, `axe-core found at ${page.url()}:\n${found.join('\n')}`);
}
