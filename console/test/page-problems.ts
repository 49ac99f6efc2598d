import assert from 'node:assert/strict';
import type { ConsoleMessage, Page } from 'playwright-core';

/** What belongs to a test: each is matched against the line that the problem would be told in. */
export type Allowed = readonly RegExp[];

/** The console asks who is signed in, and a browser writes every 401 as an error. */
const ALWAYS_ALLOWED: Allowed = [/^console: .* status of 401 .* at \S+\/api\/v1\/session$/];
/** One broken list can write an error for each row. */
const PROBLEMS_SHOWN_MAX = 10;

type Watch = Readonly<{ origin: string; allowed: Allowed }>;

/**
 * Collects what no page may have: errors and warnings in the browser's console, which include what the
 * Content-Security-Policy stopped, exceptions that nothing caught, and requests to other origins. Returns a function
 * that fails if there were any.
 */
export function watchPage(page: Page, { origin, allowed }: Watch): () => void {
  const problems: string[] = [];
  const note = (problem: string): void => {
    if ([...ALWAYS_ALLOWED, ...allowed].some((pattern) => pattern.test(problem))) return;
    problems.push(problem);
  };
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') note(lineOf(message));
  });
  page.on('pageerror', (error) => note(`exception: ${error.stack ?? error.message}`));
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.protocol === 'data:' || url.protocol === 'blob:' || url.origin === origin) return;
    note(`request to another origin: ${url.href}`);
  });
  return () => {
    const shown = problems.slice(0, PROBLEMS_SHOWN_MAX).join('\n');
    assert.equal(problems.length, 0, `the page had ${problems.length} problems:\n${shown}`);
  };
}

function lineOf(message: ConsoleMessage): string {
  return `console: ${message.text()} at ${message.location().url}`;
}
