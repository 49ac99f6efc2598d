import { globSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { globalSetup, globalTeardown } from '../service/test/global-setup.ts';
import { CHECKS, type Check } from './checks.ts';
import { findChromium, NO_CHROMIUM } from './find-chromium.ts';
import { planTests, type TestProcess } from './plan-tests.ts';
import { BUNDLE_VARIABLE } from './program-file.ts';
import { EXIT_STOPPED, runCommand, runWithChildren } from './run-command.ts';
import { isSlow } from './slow-tests.ts';
import { stopOnSignal } from './stop-on-signal.ts';
import { createTemporaryFolder, removeTemporaryFolder } from './temporary-folder.ts';
import { VOLUME_VARIABLE } from './test-volume.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const TEST_FILES =
  '{service,console,sdk,cli,docs,bench,emulators,faults,abuse,scripts}/**/*.test.ts';
/**
 * Tests wait for servers and timers most of the time: on two cores a run with three processes leaves a quarter of the
 * processor time unused, and one with five a twelfth. With six, some wait longer than they allow a service to.
 */
const PROCESSES_AT_ONCE = 2 * availableParallelism() + 1;
const PROCESS_FOLDER = join(ROOT, 'node_modules', '.cache', 'kafue-tests');
const SHARE_PROCESS = new URL('share-process.ts', import.meta.url).href;
const TEST_TIMEOUT_MS = 300_000;
const BUILD_CONSOLE = ['node', 'console/scripts/build.ts', '--if-needed'] as const;

/** What takes too long for every change: each prints its own figures, and fails when something does not hold. */
const LONG_RUNS: readonly Check[] = [
  { name: 'simulation', command: ['node', 'faults/main.ts', '--simulate', '20000'] },
  { name: 'faults', command: ['node', 'faults/main.ts', '--seeds', '30', '--at-once', '2'] },
  { name: 'planted bugs', command: ['node', 'faults/main.ts', '--planted'] },
  { name: 'abuse', command: ['node', 'abuse/main.ts'] },
];

/** Every check runs, side by side, so that all that is wrong shows at once. */
async function runChecks(): Promise<boolean> {
  const results = await Promise.all(
    CHECKS.map(async ({ name, command }) => {
      const { code, text } = await runCommand(command);
      process.stdout.write(`${code === 0 ? '✔' : '✖'} ${name}\n`);
      if (code !== 0) process.stdout.write(`${text}\n`);
      return code === 0;
    }),
  );
  return results.every(Boolean);
}

/** All of them, with what they print. */
async function runLong(stop: AbortSignal): Promise<boolean> {
  let passed = true;
  for (const { name, command } of LONG_RUNS) {
    const code = await runWithChildren(command, stop);
    process.stdout.write(`${code === 0 ? '✔' : '✖'} ${name}\n`);
    passed &&= code === 0;
  }
  return passed;
}

type TestOptions = Readonly<{ timeoutMs: number; forceExit: boolean; stop: AbortSignal }>;

async function runTests(files: readonly string[], options: TestOptions): Promise<number> {
  const { timeoutMs, forceExit, stop } = options;
  // Tests start the service itself, which serves the console that is there.
  const built = await runCommand(BUILD_CONSOLE);
  if (built.code !== 0) throw new Error(`the console could not be built:\n${built.text}`);
  const flags = [
    '--test',
    `--import=${new URL('limit-test-time.ts', import.meta.url).href}`,
    `--test-concurrency=${PROCESSES_AT_ONCE}`,
    `--test-timeout=${timeoutMs}`,
  ];
  if (!forceExit) {
    const withDatabase = [...flags, '--test-global-setup=service/test/global-setup.ts', ...files];
    return runWithChildren([process.execPath, ...withDatabase], stop);
  }
  // A test that failed may have left a server open, which its process would wait for. A runner that is made to
  // exit does not wait for its own teardown either, so the database is opened and closed here.
  await globalSetup();
  try {
    const command = [process.execPath, ...flags, '--test-force-exit', ...files] as const;
    return await runWithChildren(command, stop);
  } finally {
    await globalTeardown();
  }
}

/** The files of this run. The runner starts files in the order of their names, so each process gets a numbered file. */
async function findTests(): Promise<readonly string[]> {
  const all = globSync(TEST_FILES, { cwd: ROOT, exclude: ['**/node_modules/**'] }).sort();
  const wanted = values.full ? all : all.filter((file) => isSlow(file) === values.slow);
  const files = findChromium() === undefined ? wanted.filter((file) => !opensPages(file)) : wanted;
  const left = wanted.length - files.length;
  if (left > 0) say(`${left} files of tests in a browser are left out: ${NO_CHROMIUM}.`);
  await mkdir(PROCESS_FOLDER, { recursive: true });
  return Promise.all(planTests(ROOT, files).map(writeProcess));
}

function opensPages(file: string): boolean {
  return (
    file.startsWith('console/test/') &&
    readFileSync(join(ROOT, file), 'utf8').includes(`from './browser.ts'`)
  );
}

async function writeProcess({ name, files }: TestProcess, index: number): Promise<string> {
  const path = join(PROCESS_FOLDER, `${String(index + 1).padStart(3, '0')}-${name}.test.mjs`);
  const urls = files.map((file) => JSON.stringify(pathToFileURL(join(ROOT, file)).href));
  const [first = ''] = urls;
  const share = `import { shareProcess } from '${SHARE_PROCESS}';\nshareProcess([${urls.join(', ')}]);\n`;
  await writeFile(path, urls.length === 1 ? `import ${first};\n` : share);
  return path;
}

const { values, positionals } = parseArgs({
  options: {
    'checks-only': { type: 'boolean', default: false },
    full: { type: 'boolean', default: false },
    slow: { type: 'boolean', default: false },
    'timeout-ms': { type: 'string', default: String(TEST_TIMEOUT_MS) },
    'force-exit': { type: 'boolean', default: false },
  },
  allowPositionals: true,
});

const say = (text: string): void => void process.stderr.write(`${text}\n`);
const testOptions = { timeoutMs: Number(values['timeout-ms']), forceExit: values['force-exit'] };
if (values.full) process.env[VOLUME_VARIABLE] = 'full';

/** Everything that a run writes besides its caches goes to one folder, which is removed at the end. */
async function withTemporaryFolder(run: (stop: AbortSignal) => Promise<number>): Promise<number> {
  const stop = stopOnSignal(say, EXIT_STOPPED);
  const folder = await createTemporaryFolder();
  process.env.TMPDIR = folder;
  try {
    return await run(stop);
  } finally {
    await removeTemporaryFolder(folder);
  }
}

async function runAll(stop: AbortSignal): Promise<number> {
  const held = !values.full || (await runLong(stop));
  const { bundlePrograms } = await import('./bundle-programs.ts');
  process.env[BUNDLE_VARIABLE] = await bundlePrograms();
  const code = await runTests(await findTests(), { ...testOptions, stop });
  return held ? code : 1;
}

if (values['checks-only']) {
  process.exitCode = (await runChecks()) ? 0 : 1;
} else {
  // npm test -- service/src/transfers/*.test.ts
  const someTests = (stop: AbortSignal) => runTests(positionals, { ...testOptions, stop });
  process.exitCode = await withTemporaryFolder(positionals.length > 0 ? someTests : runAll);
}
