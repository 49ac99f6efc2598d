import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Browser, chromium } from 'playwright-core';
import { FROM_NPM, findChromium, NO_CHROMIUM } from '../../scripts/find-chromium.ts';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PACKAGE = join(ROOT, 'node_modules', '@sparticuz', 'chromium', 'package.json');
/** Kept for the next run, because to unpack it takes two seconds of a core. */
const CACHE = join(ROOT, 'node_modules', '.cache');
const UNPACK_TIMEOUT_MS = 120_000;
const START_TIMEOUT_MS = 60_000;

/**
 * The package unpacks itself into the folder for temporary files, and its shared libraries only where it believes
 * to be on Amazon Linux. A process of its own gets another folder and that belief.
 */
const UNPACK = "import('@sparticuz/chromium').then(({ default: it }) => it.executablePath())";
const UNPACK_ALL = { AWS_LAMBDA_JS_RUNTIME: 'nodejs24.x' };

/** The few options that a small machine needs. The package's own would switch off the rules that we test. */
const OPTIONS = [
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--no-zygote',
  '--mute-audio',
  // All pages are ours. A process for each page that is opened, and one in reserve, takes as long as the page itself.
  '--process-per-site',
  '--disable-site-isolation-trials',
  '--renderer-process-limit=2',
];

const FONTS_FILE = 'fonts.conf';

/** The fonts that came with it and no others, so that pages are as wide on every machine. */
const fontsIn = (folder: string) => `<?xml version="1.0"?>
<fontconfig>
  <dir>${folder}/fonts</dir>
  <cachedir>${folder}/fonts-cache</cachedir>
</fontconfig>
`;

/**
 * Starts Chromium from npm with the shared libraries and fonts that came with it: the machine needs none. On other
 * processors it is the machine's own, with the same fonts.
 */
export async function launchChromium(): Promise<Browser> {
  const found = findChromium();
  if (found === undefined) throw new Error(NO_CHROMIUM);
  const folder = await unpackChromium();
  const isPacked = found === FROM_NPM;
  return chromium.launch({
    executablePath: isPacked ? join(folder, 'chromium') : found,
    args: OPTIONS,
    timeout: START_TIMEOUT_MS,
    env: {
      PATH: process.env.PATH ?? '',
      HOME: folder,
      ...(isPacked ? { LD_LIBRARY_PATH: join(folder, 'al2023', 'lib') } : {}),
      FONTCONFIG_FILE: join(folder, FONTS_FILE),
    },
  });
}

async function unpackChromium(): Promise<string> {
  const { version } = JSON.parse(await readFile(PACKAGE, 'utf8')) as { version: string };
  const folder = join(CACHE, `kafue-chromium-${version}`);
  if (existsSync(folder)) return folder;
  // Beside it, and put in place whole: another run may be looking.
  const aside = `${folder}-${randomBytes(6).toString('hex')}`;
  await mkdir(aside, { recursive: true });
  try {
    await run(process.execPath, ['--eval', UNPACK], {
      cwd: ROOT,
      env: { ...UNPACK_ALL, TMPDIR: aside, PATH: process.env.PATH ?? '' },
      timeout: UNPACK_TIMEOUT_MS,
    });
    await writeFile(join(aside, FONTS_FILE), fontsIn(folder));
    await rename(aside, folder).catch((error: unknown) => {
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
  return folder;
}
