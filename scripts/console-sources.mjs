/**
 * Tells whether the built console fits its sources. Plain JavaScript that needs nothing but Node.js 20, because it runs
 * at every start of the service.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
export const CONSOLE_DIST = join(ROOT, 'console', 'dist');
/** Inside the dist folder: the hash of the sources that it was built from. */
export const SOURCES_FILE = 'sources.sha256';

/** Files and folders that the result depends on. The lock file stands for the packages. */
const SOURCES = [
  'package-lock.json',
  'console/index.html',
  'console/vite.config.ts',
  'console/scripts',
  'console/public',
  'console/src',
];

/** A hash and not the times of files: a clone, a copy and a container image change those. */
export function hashConsoleSources() {
  const hash = createHash('sha256');
  for (const file of SOURCES.flatMap((name) => filesAt(join(ROOT, name))).sort()) {
    const content = readFileSync(file);
    hash.update(`${relative(ROOT, file)}\n${content.length}\n`).update(content);
  }
  return hash.digest('hex');
}

/**
 * Tests in the folder of sources change nothing of what is built.
 *
 * @param {string} path
 * @returns {string[]}
 */
function filesAt(path) {
  try {
    return readdirSync(path, { withFileTypes: true })
      .filter(({ name }) => !name.includes('.test.'))
      .flatMap((entry) => {
        const inner = join(path, entry.name);
        return entry.isDirectory() ? filesAt(inner) : [inner];
      });
  } catch (error) {
    if (error.code === 'ENOTDIR') return [path];
    if (error.code === 'ENOENT') return [];
    throw error;
  }
}

export function isConsoleBuilt(folder = CONSOLE_DIST, wanted = hashConsoleSources()) {
  try {
    return readFileSync(join(folder, SOURCES_FILE), 'utf8') === wanted;
  } catch {
    return false;
  }
}
