import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core';
import { closeAfterLastFile } from '../../scripts/share-process.ts';
import { volume } from '../../scripts/test-volume.ts';
import { type Contract, openContract } from '../../service/test/contract/open-contract.ts';
import type { TestPerson } from '../../service/test/test-person.ts';
import { assertAccessible } from './accessibility.ts';
import { launchChromium } from './chromium.ts';
import { type Allowed, watchPage } from './page-problems.ts';
import { slowDown } from './slow-page.ts';

/** Long, because a busy machine is slow and waiting costs nothing when all is well. */
const WAIT_MAX_MS = 30_000;
/** Names the folder for screenshots; without it none are taken. */
const SCREENSHOTS_VARIABLE = 'KAFUE_SCREENSHOTS';

export type Look = Readonly<{ width: number; height: number; scheme: 'light' | 'dark' }>;

export const WIDE: Look = { width: 1280, height: 800, scheme: 'light' };
export const NARROW: Look = { width: 390, height: 844, scheme: 'light' };
export const WIDTHS: readonly Look[] = [WIDE, NARROW];
export const LOOKS: readonly Look[] = WIDTHS.flatMap((look) => [look, { ...look, scheme: 'dark' }]);

/** What the screens of this name are looked at in. */
export function looksOf(screens: string): readonly Look[] {
  return chooseFrom(LOOKS, screens);
}

/** What a way through the console is tested at. */
export function widthsOf(way: string): readonly Look[] {
  return chooseFrom(WIDTHS, way);
}

/**
 * All of them with npm run test:full and where screenshots are asked for. Otherwise one, which the name decides: every
 * screen is then seen once, and every look at some screens.
 */
function chooseFrom(looks: readonly Look[], name: string): readonly Look[] {
  const isForPeople = (process.env[SCREENSHOTS_VARIABLE] ?? '') !== '';
  if (isForPeople || volume({ usual: false, full: true })) return looks;
  const place = createHash('sha256').update(name).digest().readUInt32BE() % looks.length;
  return looks.slice(place, place + 1);
}

export function nameOf({ width, scheme }: Look): string {
  return `${width}-${scheme}`;
}

type Visit = Readonly<{
  look?: Look;
  /** Signed in as this person. Default: not signed in. */
  person?: TestPerson;
  /** Console errors and requests that belong to this test, such as the 401 of a wrong password. */
  allowed?: Allowed;
  /** In a context that no other test gets, because the test changes what cannot be changed back. */
  isAlone?: boolean;
}>;

/** A page of the console that starts empty: cookies and storage of one test are not seen by another. */
export type Visitor = Readonly<{
  page: Page;
  /** Below /console: open('/transfers?state=failed'). */
  open(path: string): Promise<void>;
  /** Fails when axe-core finds something serious or critical on the page as it is now. */
  assertAccessible(): Promise<void>;
  /** Saves what is seen as NAME-1280-dark.png, where KAFUE_SCREENSHOTS names a folder. */
  screenshot(name: string): Promise<void>;
}>;

export type ConsoleUnderTest = Contract &
  Readonly<{
    /** With the name localhost: passkeys belong to a name and not to an address. */
    url: string;
    /** Closed with the test, which fails if the page had problems. */
    visit(t: TestContext, visit?: Visit): Promise<Visitor>;
  }>;

/** The service as a process, a merchant of the test file's own, and Chromium. */
export async function openConsole(
  env: Readonly<Record<string, string>> = {},
): Promise<ConsoleUnderTest> {
  const contract = await openContract(env);
  const browser = await enterBrowser();
  const { consoleUrl } = contract.service;
  if (consoleUrl === undefined) throw new Error('the service has no console');
  const url = `http://localhost:${new URL(consoleUrl).port}`;
  return {
    ...contract,
    url,
    visit: (t, visit = {}) => openVisit({ t, url, browser }, visit),
    async close() {
      await leaveBrowser();
      await contract.close();
    },
  };
}

/** Files that share a process share the browser. */
let opened: { browser: Promise<Browser>; users: number } | undefined;

function enterBrowser(): Promise<Browser> {
  opened ??= { browser: launchChromium(), users: 0 };
  opened.users += 1;
  return opened.browser;
}

async function leaveBrowser(): Promise<void> {
  if (opened === undefined) return;
  opened.users -= 1;
  if (opened.users === 0) await closeAfterLastFile(closeBrowser);
}

async function closeBrowser(): Promise<void> {
  if (opened === undefined || opened.users > 0) return;
  const { browser } = opened;
  opened = undefined;
  await (await browser).close();
}

type Place = Readonly<{ t: TestContext; url: string; browser: Browser }>;

async function openVisit(
  { t, url, browser }: Place,
  { look = WIDE, person, allowed = [], isAlone = false }: Visit,
): Promise<Visitor> {
  const kept = isAlone ? undefined : takeKept(browser, { url, look });
  const page = kept ?? (await openPage(browser, { url, look }));
  const context = page.context();
  const endWatch = watchPage(page, { origin: url, allowed });
  t.after(async () => {
    // What the page still had to report has arrived when it is left.
    await (isAlone ? context.close() : keepForNext(page, { browser, url, look }));
    endWatch();
  });
  if (person !== undefined) await signInAs(context, { url, person });
  return {
    page,
    open: async (path) => void (await page.goto(`/console${path}`)),
    assertAccessible: () => assertAccessible(page),
    screenshot: (name) => saveScreenshot(page, `${name}-${nameOf(look)}`),
  };
}

type Kind = Readonly<{ url: string; look: Look }>;

async function openPage(browser: Browser, { url, look }: Kind): Promise<Page> {
  const { width, height, scheme } = look;
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width, height },
    colorScheme: scheme,
    // Without it axe-core measures the contrast of what is half faded in.
    reducedMotion: 'reduce',
    locale: 'en-GB',
    timezoneId: 'Africa/Lusaka',
  });
  context.setDefaultTimeout(WAIT_MAX_MS);
  const page = await context.newPage();
  await slowDown(context, page);
  return page;
}

/** Empty pages for the next visits: to start a process for a page takes as long as to load the console twice. */
const keptPages = new Map<Browser, Map<string, Page[]>>();

function keptOf(browser: Browser, { url, look }: Kind): Page[] {
  const ofBrowser = keptPages.get(browser) ?? new Map<string, Page[]>();
  keptPages.set(browser, ofBrowser);
  const key = `${url} ${nameOf(look)}`;
  const pages = ofBrowser.get(key) ?? [];
  ofBrowser.set(key, pages);
  return pages;
}

function takeKept(browser: Browser, kind: Kind): Page | undefined {
  return keptOf(browser, kind).pop();
}

/** Leaves nothing of the visit: neither cookies nor storage, routes, permissions or other tabs. */
async function keepForNext(
  page: Page,
  { browser, ...kind }: Kind & Readonly<{ browser: Browser }>,
): Promise<void> {
  const context = page.context();
  const session = await context.newCDPSession(page);
  try {
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.goto('about:blank');
    await closeOtherTabs(page, session);
    await Promise.all([
      context.clearCookies(),
      context.clearPermissions(),
      session.send('Storage.clearDataForOrigin', { origin: kind.url, storageTypes: 'all' }),
    ]);
    await session.detach();
    keptOf(browser, kind).push(page);
  } catch {
    // A page that asks before it is left, or has ended, is of no use to others.
    await context.close();
  }
}

/** Also a tab that the page has just opened, of which the browser has not told us yet. */
async function closeOtherTabs(page: Page, session: CDPSession): Promise<void> {
  const context = page.context();
  const { targetInfo: own } = await session.send('Target.getTargetInfo');
  const { targetInfos } = await session.send('Target.getTargets');
  const tabs = targetInfos.filter(
    ({ type, browserContextId }) => type === 'page' && browserContextId === own.browserContextId,
  );
  while (context.pages().length < tabs.length) await context.waitForEvent('page');
  for (const other of context.pages()) if (other !== page) await other.close();
}

/** With the cookie of a stored session, without the sign-in page. */
async function signInAs(
  context: BrowserContext,
  { url, person }: Readonly<{ url: string; person: TestPerson }>,
): Promise<void> {
  const [name = '', value = ''] = person.headers.cookie.split('=', 2);
  await context.addCookies([{ name, value, url, httpOnly: true, sameSite: 'Lax' }]);
}

async function saveScreenshot(page: Page, name: string): Promise<void> {
  const folder = process.env[SCREENSHOTS_VARIABLE];
  if (folder === undefined || folder === '') return;
  await mkdir(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}
