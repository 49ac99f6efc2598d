import type { Locator, Page } from 'playwright-core';
import { type TestAccount, totpCode } from '../../service/test/test-account.ts';

/**
 * Fills in the sign-in form of a page or of a dialog and sends it. What follows is for the test to wait for. A code is taken
 * once: `forgetUsedCodes` lets the same person sign in again at once.
 */
export async function signInThroughPage(
  page: Page | Locator,
  { email, password, totpSecret }: Pick<TestAccount, 'email' | 'password' | 'totpSecret'>,
): Promise<void> {
  await page.getByLabel('E-mail', { exact: true }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByLabel('Code from your authenticator app').fill(totpCode(totpSecret));
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}
