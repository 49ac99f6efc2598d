import { createHmac } from 'node:crypto';
import type { Page } from 'playwright-core';

const PERIOD_MS = 30_000;
const DIGITS = 6;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const BITS_OF_LETTER = 5;

export type Credentials = Readonly<{ email: string; password: string; totpSecret?: string }>;

/** Fills in the sign-in page, which must be open, and sends it. What follows is for the test to wait for. */
export async function signInThroughPage(page: Page, credentials: Credentials): Promise<void> {
  const { email, password, totpSecret } = credentials;
  await page.getByLabel('E-mail', { exact: true }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  if (totpSecret !== undefined) {
    await page.getByLabel('Code from your authenticator app').fill(totpCode(totpSecret));
  }
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/**
 * The code that an app shows: RFC 6238, written apart from the service, so that one misreading is not on both sides. A
 * code is taken once: for a second one of the same person use `stepsAhead: 1`, which the service takes too.
 */
export function totpCode(secret: string, { stepsAhead = 0, nowMs = Date.now() } = {}): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(nowMs / PERIOD_MS) + stepsAhead));
  const digest = createHmac('sha1', decodeBase32(secret)).update(counter).digest();
  const at = (digest.at(-1) ?? 0) & 0x0f;
  const number = digest.readUInt32BE(at) & 0x7f_ff_ff_ff;
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0');
}

function decodeBase32(text: string): Buffer {
  const bits = text
    .toUpperCase()
    .split('')
    .map((letter) => BASE32.indexOf(letter).toString(2).padStart(BITS_OF_LETTER, '0'))
    .join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
