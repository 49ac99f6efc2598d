/**
 * Makes a fresh clone ready: installs the dependencies if node_modules is missing or differs from package-lock.json,
 * and ensures a Node.js that runs the service. Plain JavaScript that needs nothing but Node.js 20; if there is nothing
 * to do, it returns quickly.
 */
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const MODULES = join(ROOT, 'node_modules');
/** Beside node_modules, which npm empties. */
const LOCK = join(ROOT, '.install-lock');

/** argon2 of node:crypto came with it, and cpuUsage of worker threads shortly before. */
const NODE_MIN = '24.7.0';
/** A configuration error in sysexits.h. */
const EXIT_CONFIGURATION = 78;
const OUTPUT_LINES_MAX = 40;
const LOCK_POLL_MS = 200;
/** Far longer than an install takes; after this the lock's process id belongs to another program. */
const LOCK_AGE_MAX_MS = 15 * 60_000;
/** A lock without a process id is being created, or its creation was interrupted. */
const LOCK_UNNAMED_AGE_MAX_MS = 5_000;

const wasInstalled = isInstalled();
if (!wasInstalled) await installAlone();
linkNode();
/** The Node.js that runs the programs of the project. */
export const node = chooseNode({ byRunning: !wasInstalled });

/**
 * npm writes node_modules/.package-lock.json when it has finished, however it was called: that file, and not a mark of
 * our own, shows what is installed.
 */
function isInstalled() {
  const wanted = readPackages(join(ROOT, 'package-lock.json'));
  const present = readPackages(join(MODULES, '.package-lock.json'));
  if (wanted === undefined || present === undefined) return false;
  const presentFits = Object.entries(present).every(([path, entry]) => {
    const asked = wanted[path];
    if (asked !== undefined) return isSamePackage(asked, entry) && fitsThisMachine(asked);
    // Added by hand, or a binary for this machine that the lock file does not list.
    return Boolean(entry.extraneous) || isOptional(entry);
  });
  if (!presentFits) return false;
  const missing = Object.keys(wanted).filter((path) => path !== '' && !(path in present));
  if (missing.some((path) => !isOptional(wanted[path]) && !wanted[path].dev)) return false;
  // If all development packages are missing, `npm ci --omit=dev` was run. If only some are, the install is incomplete.
  const development = Object.keys(wanted).filter(
    (path) => wanted[path].dev && !isOptional(wanted[path]),
  );
  const left = development.filter((path) => path in present).length;
  return left === 0 || left === development.length;
}

function readPackages(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).packages;
  } catch {
    return undefined;
  }
}

function isSamePackage(one, other) {
  return (
    one.version === other.version &&
    one.integrity === other.integrity &&
    Boolean(one.link) === Boolean(other.link)
  );
}

/** A node_modules from another kind of machine, for example in a shared folder, is useless. */
function fitsThisMachine(entry) {
  return admits(entry.os, process.platform) && admits(entry.cpu, process.arch);
}

function admits(list, value) {
  if (list === undefined) return true;
  const names = [list].flat();
  if (names.includes(`!${value}`)) return false;
  return names.includes(value) || names.every((name) => name.startsWith('!'));
}

function isOptional(entry) {
  return Boolean(entry.optional || entry.devOptional);
}

/** Of several concurrent starts one installs, and the others wait for it. */
async function installAlone() {
  await takeLock();
  try {
    if (isInstalled()) return;
    const why = existsSync(MODULES) ? 'they have changed' : 'first start only';
    say(`Installing dependencies (${why})…`);
    await install();
  } finally {
    rmSync(LOCK, { recursive: true, force: true });
  }
}

async function takeLock() {
  let announced = false;
  for (;;) {
    try {
      mkdirSync(LOCK);
      writeFileSync(join(LOCK, 'pid'), String(process.pid));
      return;
    } catch (error) {
      if (error.code !== 'EEXIST') {
        fail(1, `The dependencies cannot be installed: ${error.message}`);
      }
    }
    if (removeStaleLock()) continue;
    if (!announced) say('Waiting for another start, which is installing the dependencies…');
    announced = true;
    await pause(LOCK_POLL_MS);
  }
}

/** Ends the wait of takeLock at the latest when the lock is older than any install. */
function removeStaleLock() {
  const owner = readLockOwner(LOCK);
  if (owner === undefined || !isStale(owner)) return owner === undefined;
  const away = `${LOCK}-${randomBytes(6).toString('hex')}`;
  try {
    renameSync(LOCK, away);
    // Another start may have removed the old lock first, and this is its new one.
    if (readLockOwner(away)?.pid !== owner.pid) renameSync(away, LOCK);
  } catch {
    // The other start has it; the next round checks again.
  }
  rmSync(away, { recursive: true, force: true });
  return true;
}

function readLockOwner(folder) {
  try {
    const ageMs = Date.now() - statSync(folder).mtimeMs;
    const file = join(folder, 'pid');
    const pid = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0;
    return { pid, ageMs };
  } catch {
    return undefined;
  }
}

function isStale({ pid, ageMs }) {
  if (ageMs > LOCK_AGE_MAX_MS) return true;
  if (pid === 0) return ageMs > LOCK_UNNAMED_AGE_MAX_MS;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return error.code === 'ESRCH';
  }
}

/**
 * `npm install` rather than `npm ci`: with --no-save it also follows package-lock.json, but it does not require the
 * file to list the binaries of every other kind of machine, and it does not remove files that a running service has
 * open.
 */
async function install() {
  const [command, ...first] = npmCommand();
  const args = ['install', '--no-save', '--include=dev', '--include=optional', '--no-progress'];
  const child = spawn(command, [...first, ...args], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: first.length === 0 && process.platform === 'win32',
  });
  let output = '';
  const collect = (chunk) => {
    output += chunk;
  };
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  const code = await new Promise((resolve) => {
    child.once('error', (error) => {
      output += error.message;
      resolve(1);
    });
    child.once('close', resolve);
  });
  if (code === 0) return;
  rmSync(LOCK, { recursive: true, force: true });
  fail(1, `The dependencies could not be installed ("npm install" failed):\n${shorten(output)}`);
}

/** npm names the cause at the beginning of its errors and the remedy at their end. */
function shorten(output) {
  const lines = output
    .trimEnd()
    .split('\n')
    .filter((line) => !line.startsWith('npm warn'));
  if (lines.length <= OUTPUT_LINES_MAX) return lines.join('\n');
  const half = OUTPUT_LINES_MAX / 2;
  return [...lines.slice(0, half), '…', ...lines.slice(-half)].join('\n');
}

/** The npm that started us, run by the Node.js it came with: ours may be in the emptied folder. */
function npmCommand() {
  const script = process.env.npm_execpath ?? '';
  if (!/^npm-cli\.[cm]?js$/.test(basename(script))) return ['npm'];
  return [process.env.npm_node_execpath ?? process.execPath, script];
}

/**
 * npm 10 removes node_modules/.bin/node when it leaves out the packages for other machines, because they have a command
 * of the same name.
 */
function linkNode() {
  if (findInstalledNode() !== undefined || process.platform === 'win32') return;
  const found = findNodePackage();
  if (found === undefined) return;
  const [path, entry] = found;
  // chooseNode removed the link of one that does not serve here.
  if (!isNewEnough(askVersion(join(ROOT, path, entry.bin.node)))) return;
  const bin = join(MODULES, '.bin');
  mkdirSync(bin, { recursive: true });
  try {
    symlinkSync(relative(bin, join(ROOT, path, entry.bin.node)), join(bin, 'node'));
  } catch (error) {
    if (error.code !== 'EEXIST') fail(1, `${bin} cannot be completed: ${error.message}`);
  }
}

function findNodePackage() {
  const present = Object.entries(readPackages(join(MODULES, '.package-lock.json')) ?? {});
  return present.find(([, entry]) => entry.bin?.node && fitsThisMachine(entry));
}

/** The one that npm installed, or else the machine's own. */
function chooseNode({ byRunning }) {
  const installed = findInstalledNode();
  let answer = `npm has none for this machine (${process.platform}-${process.arch})`;
  if (installed !== undefined) {
    // Its package has the version of its Node.js: asking itself would make every start slower.
    const listed = byRunning ? undefined : findNodePackage()?.[1].version;
    if (isNewEnough(listed)) return installed;
    const version = askVersion(installed);
    if (isNewEnough(version)) return installed;
    answer = `the one that npm installed does not serve here (${version})`;
    // npm runs the next start with it, before any other.
    rmSync(installed, { force: true });
  }
  if (isNewEnough(process.versions.node)) return process.execPath;
  const ofNpm = process.env.npm_node_execpath;
  if (ofNpm !== undefined && isNewEnough(askVersion(ofNpm))) return ofNpm;
  return fail(
    EXIT_CONFIGURATION,
    `Kafue needs Node.js ${NODE_MIN} or newer: ${answer}, and this is ${process.version}.\n` +
      `Install Node.js ${NODE_MIN} or newer and start again.`,
  );
}

/** What a Node.js says of its version, or why it does not run. */
function askVersion(path) {
  const result = spawnSync(path, ['--version'], {
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  if (result.status === 0) return result.stdout.trim();
  const said = `${result.error?.message ?? ''}${result.stdout ?? ''}${result.stderr ?? ''}`;
  return said.trim() || `exit code ${result.status}`;
}

function findInstalledNode() {
  const names = process.platform === 'win32' ? ['node.cmd', 'node.exe'] : ['node'];
  return names.map((name) => join(MODULES, '.bin', name)).find((path) => existsSync(path));
}

function isNewEnough(version) {
  const parts = /^v?(\d+)\.(\d+)\.(\d+)/.exec(version ?? '')?.slice(1);
  if (parts === undefined) return false;
  const wanted = NODE_MIN.split('.');
  const at = wanted.findIndex((part, index) => Number(parts[index]) !== Number(part));
  return at === -1 || Number(parts[at]) > Number(wanted[at]);
}

function say(line) {
  process.stderr.write(`${line}\n`);
}

function fail(exitCode, message) {
  say(message);
  process.exit(exitCode);
}
