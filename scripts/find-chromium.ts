import { existsSync } from 'node:fs';

/** Where Debian and others install it. The one without windows takes half the time of a processor. */
const USUAL_PLACES = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
];

export const NO_CHROMIUM =
  'npm has Chromium for x64 processors alone: install it here (Debian: apt-get install chromium-headless-shell), or name it in CHROMIUM';

/** The browser that npm brings. */
export const FROM_NPM = 'from npm';

/** The browser of the tests of pages: its path, or FROM_NPM. Undefined: there is none for this processor. */
export function findChromium(): string | undefined {
  const named = process.env['CHROMIUM'];
  if (named !== undefined && named !== '') return named;
  if (process.arch === 'x64') return FROM_NPM;
  return USUAL_PLACES.find((path) => existsSync(path));
}
