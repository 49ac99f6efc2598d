import type { DemoFile } from './demo.ts';

/** The text that a new user sees: one line to paste, and where to look next. */
export function renderWelcome(
  { baseUrl, testKey, wallets, people }: DemoFile,
  consoleUrl: string | undefined,
): string {
  // The shell puts the time into the reference, so that the line can be pasted repeatedly.
  const body =
    `{"amount":25.50,"reference":"first-'$(date +%s)'","phone":"0977433571",` +
    `"operator":"airtel","country":"zm","walletId":"${wallets.test.ZMW}"}`;
  const curl =
    `curl -sS ${baseUrl}/api/v1/payments/transfers/mobile-money ` +
    `-H 'x-api-key: ${testKey}' -H 'content-type: application/json' -d '${body}'`;
  return [
    '',
    `Kafue is ready at ${baseUrl}`,
    '',
    'Make a payout in the test book:',
    '',
    curl,
    '',
    ...(consoleUrl === undefined ? [] : [`Console: ${consoleUrl}`, ...howToSignIn(people)]),
    `Documentation: ${baseUrl}/docs`,
    'Keys, wallets and people: demo.json in the data folder. Administration: npm run admin -- --help',
    '',
  ].join('\n');
}

function howToSignIn([first]: DemoFile['people']): readonly string[] {
  if (first === undefined) return [];
  const { email, password } = first;
  return [
    `  Sign in as ${email} with the password ${password} and the code from: npm run admin -- people code ${email}`,
    '  This person and the others of demo.json are for trying out: remove them before people rely on this service.',
    '',
  ];
}
