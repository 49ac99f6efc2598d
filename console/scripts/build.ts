/**
 * Builds the console: npm run build -w console.
 *
 *   --if-needed   only when what is there does not fit the sources
 *   --into DIR    instead of console/dist
 */
import { randomBytes } from 'node:crypto';
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build } from 'vite';
import {
  CONSOLE_DIST,
  hashConsoleSources,
  isConsoleBuilt,
  SOURCES_FILE,
} from '../../scripts/console-sources.mjs';

const CONFIG_FILE = fileURLToPath(new URL('../vite.config.ts', import.meta.url));
/** Others are compressed already, such as fonts and pictures. */
const COMPRESSIBLE = /\.(?:html|js|css|svg|json|webmanifest|txt)$/;
/** The highest would take 5 times as long for 3 % less, and the first start waits for it. */
const BROTLI_QUALITY = 9;
/** Another build may put its result in place between our two steps. */
const SWAPS_MAX = 10;

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

const { values } = parseArgs({
  options: {
    'if-needed': { type: 'boolean', default: false },
    into: { type: 'string', default: CONSOLE_DIST },
  },
});
const dist = resolve(values.into);
const sources = hashConsoleSources();
if (!values['if-needed'] || !isConsoleBuilt(dist, sources)) await buildAside();

/** Builds beside dist and puts the result in place in one step, so that a start beside this one sees all or nothing. */
async function buildAside(): Promise<void> {
  const folder = `${dist}-${randomBytes(6).toString('hex')}`;
  try {
    await build({
      configFile: CONFIG_FILE,
      logLevel: 'warn',
      build: { outDir: folder, emptyOutDir: true },
    });
    await compressFiles(folder);
    await writeFile(join(folder, SOURCES_FILE), sources);
    await putInPlace(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function compressFiles(folder: string): Promise<void> {
  const names = await readdir(folder, { recursive: true });
  const paths = names.filter((name) => COMPRESSIBLE.test(name)).map((name) => join(folder, name));
  await Promise.all(
    paths.map(async (path) => {
      const content = await readFile(path);
      const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY };
      await writeFile(`${path}.br`, await compressBrotli(content, { params }));
      await writeFile(`${path}.gz`, await compressGzip(content));
    }),
  );
}

async function putInPlace(folder: string): Promise<void> {
  for (let swap = 0; swap < SWAPS_MAX; swap += 1) {
    // A start beside this one was faster, and its service may be reading the files.
    if (values['if-needed'] && isConsoleBuilt(dist, sources)) return;
    try {
      await rename(folder, dist);
      return;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error)) throw error;
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    }
    await moveAway();
  }
  throw new Error(`${dist} is replaced by other builds all the time. Build it again.`);
}

async function moveAway(): Promise<void> {
  const away = `${dist}-${randomBytes(6).toString('hex')}`;
  try {
    await rename(dist, away);
    await rm(away, { recursive: true, force: true });
  } catch (error) {
    // Another build moved it away first.
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
}
