import { setTimeout as pause } from 'node:timers/promises';
import { PAYOUT_MINOR, type SteadyMerchant } from './measure/steady-merchant.ts';
import type { Problem } from './observation.ts';
import { callApi } from './target/call-api.ts';
import type { TestSystem } from './target/open-test-system.ts';

const OK = 200;
const NOT_FOUND = 404;
const CREATED = 201;
const REFUSED_MIN = 400;
const SERVER_ERROR_MIN = 500;
/** A service that was just attacked may need a moment. */
const TRIES_MAX = 20;
const TRY_PAUSE_MS = 500;
/** Everything in the attackers' book, and the wallets of the live book. */
const READ_BY_AUDITOR = [
  '/wallets',
  '/transfers?limit=1',
  '/transfer-recipients?limit=100',
  '/webhooks',
] as const;
const NOTHING_HELD = '0.00';
const MINOR_PER_UNIT = 100n;
/** The opening balance of the demo merchant's test wallet. */
const OPENING_MINOR = 100_000_000n;

/** The books that no attack may change, as text to compare. */
export async function readBooks(system: TestSystem): Promise<string> {
  const { auditKey, liveKey } = system.accounts;
  const parts: unknown[] = [];
  for (const path of READ_BY_AUDITOR) parts.push(await readAgain(system, path, auditKey));
  parts.push(await readAgain(system, '/wallets', liveKey));
  return JSON.stringify(parts, null, 1);
}

/** Resolves when the attackers' own hundred transfers are paid, so that their book no longer changes. */
export async function waitForQuietBook(system: TestSystem): Promise<void> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const wallets = (await readAgain(system, '/wallets', system.accounts.auditKey)) as Wallets;
    const transfers = await readAgain(
      system,
      '/transfers?status=pending',
      system.accounts.auditKey,
    );
    const isQuiet = wallets.items.every(({ held }) => held === NOTHING_HELD);
    if (isQuiet && (transfers as { items: unknown[] }).items.length === 0) return;
    await pause(TRY_PAUSE_MS);
  }
  throw new Error("the attackers' own transfers are not paid");
}

type Wallet = Readonly<{ available: string; held: string }>;
type Wallets = Readonly<{ items: readonly Wallet[] }>;

/** Checks that every stored payout left the wallet once, and no other did. */
export async function checkMerchant(
  system: TestSystem,
  merchant: SteadyMerchant,
): Promise<readonly Problem[]> {
  const { merchantKey, merchantWalletId } = system.accounts;
  let stored = 0n;
  for (const { reference, status } of merchant.payments()) {
    if (status === CREATED) stored += 1n;
    else if (status === undefined || status >= SERVER_ERROR_MIN || status < REFUSED_MIN) {
      if (await exists(system, reference)) stored += 1n;
    }
  }
  const expectedMinor = OPENING_MINOR - stored * PAYOUT_MINOR;
  let says = '';
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const path = `/wallets/${merchantWalletId}`;
    const { available, held } = (await readAgain(system, path, merchantKey)) as Wallet;
    if (held === NOTHING_HELD && toMinor(available) === expectedMinor) return [];
    says = `the merchant's wallet has ${available}, ${held} held, after ${stored} payouts`;
    await pause(TRY_PAUSE_MS);
  }
  return [{ guarantee: 'stored', says }];
}

async function exists(system: TestSystem, reference: string): Promise<boolean> {
  const { merchantKey: apiKey } = system.accounts;
  const path = `/transfers/status/${reference}`;
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const { status } = await ask(system, path, apiKey);
    if (status === OK || status === NOT_FOUND) return status === OK;
    await pause(TRY_PAUSE_MS);
  }
  throw new Error(`it cannot be seen whether ${reference} was stored`);
}

async function readAgain(system: TestSystem, path: string, apiKey: string): Promise<unknown> {
  let status = 0;
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const answer = await ask(system, path, apiKey);
    if (answer.status === OK) return answer.data;
    status = answer.status;
    await pause(TRY_PAUSE_MS);
  }
  throw new Error(`${path} is not answered: ${status}`);
}

function ask(system: TestSystem, path: string, apiKey: string) {
  const call = { method: 'GET', path, apiKey } as const;
  return callApi(system.target().port, call).catch(() => ({ status: 0, data: undefined }));
}

function toMinor(amount: string): bigint {
  const [units = '0', cents = '0'] = amount.split('.');
  return BigInt(units) * MINOR_PER_UNIT + BigInt(cents);
}
