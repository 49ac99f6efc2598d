import assert from 'node:assert/strict';
import type { ConsoleMessage, Page, Request } from 'playwright-core';

/** What belongs to a test: each is matched against the line that the problem would be told in. */
export type Allowed = readonly RegExp[];

/** The console asks who is signed in, and a browser writes every 401 as an error. */
const ALWAYS_ALLOWED: Allowed = [/^console: .* status of 401 .* at \S+\/api\/v1\/session$/];
/** Nothing leaves the browser by these. */
const OWN_PROTOCOLS = ['data:', 'blob:', 'about:'];
/** One broken list can write an error for each row. */
const PROBLEMS_SHOWN_MAX = 10;

type Watch = Readonly<{ origin: string; allowed: Allowed }>;

/**
 * Collects what no page may have: errors and warnings in the browser's console, which include what the
 * Content-Security-Policy stopped, exceptions that nothing caught, and requests to other origins. Returns a function
 * that ends the watch and fails if there were any.
 */
export function watchPage(page: Page, { origin, allowed }: Watch): () => void {
  const problems: string[] = [];
  const note = (problem: string): void => {
    if ([...ALWAYS_ALLOWED, ...allowed].some((pattern) => pattern.test(problem))) return;
    problems.push(problem);
  };
  const onMessage = (message: ConsoleMessage): void => {
    if (message.type() === 'error' || message.type() === 'warning') note(lineOf(message));
  };
  const onException = (error: Error): void => note(`exception: ${error.stack ?? error.message}`);
  const onRequest = (request: Request): void => {
    const url = new URL(request.url());
    if (OWN_PROTOCOLS.includes(url.protocol) || url.origin === origin) return;
    note(`request to another origin: ${url.href}`);
  };
  page.on('console', onMessage);
  page.on('pageerror', onException);
  page.on('request', onRequest);
  return () => {
    page.off('console', onMessage);
    page.off('pageerror', onException);
    page.off('request', onRequest);
    const shown = problems.slice(0, PROBLEMS_SHOWN_MAX).join('\n');
    assert.equal(problems.length, 0, `the page had ${problems.length} problems:\n${shown}`);
  };
}

function lineOf(message: ConsoleMessage): string {
  return `console: ${message.text()} at ${message.location().url}`;
}
