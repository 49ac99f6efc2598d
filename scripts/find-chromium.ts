import { existsSync } from 'node:fs';

/** Where Debian and others install it. */
const USUAL_PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser'];

export const NO_CHROMIUM =
  'npm has Chromium for x64 processors alone: install it here (Debian: apt-get install chromium), or name it in CHROMIUM';

/** The browser that the tests of pages use: the path of one, or that of npm. Undefined: there is none for this processor. */
export function findChromium(): string | 'from npm' | undefined {
  const named = process.env['CHROMIUM'];
  if (named !== undefined && named !== '') return named;
  if (process.arch === 'x64') return 'from npm';
  return USUAL_PLACES.find((path) => existsSync(path));
}
