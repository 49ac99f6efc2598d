import { spawn } from 'node:child_process';
import { globSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { globalSetup, globalTeardown } from '../service/test/global-setup.ts';
import { splitTests } from './split-tests.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const BIN = join(ROOT, 'node_modules', '.bin');
const TEST_FILES = '{service,sdk,cli,docs,bench,emulators,faults,abuse,scripts}/**/*.test.ts';
/** Processes at once: more than the cores only makes the slow ones slower. */
const PROCESSES_AT_ONCE = Math.max(2, availableParallelism());
/** Of the files that can share a process, so many do: enough groups for every core to have something to do. */
const SHARED_FILES_MAX = 25;
const SHARED_FOLDER = join(ROOT, 'node_modules', '.cache', 'kafue-tests');
const TEST_TIMEOUT_MS = 300_000;

type Check = Readonly<{ name: string; command: readonly [string, ...string[]] }>;

const CHECKS: readonly Check[] = [
  { name: 'types', command: ['tsc', '--noEmit'] },
  { name: 'lint', command: ['oxlint', '--type-aware', '--deny-warnings'] },
  { name: 'format', command: ['biome', 'ci', '--colors=off', '.'] },
  { name: 'dead code', command: ['knip'] },
  { name: 'generated files', command: ['node', 'scripts/generate.ts', '--check'] },
];

/** What takes too long for every change: each prints its own figures, and fails when something does not hold. */
const LONG_RUNS: readonly Check[] = [
  { name: 'simulation', command: ['node', 'faults/main.ts', '--simulate', '20000'] },
  { name: 'faults', command: ['node', 'faults/main.ts', '--seeds', '30', '--at-once', '2'] },
  { name: 'planted bugs', command: ['node', 'faults/main.ts', '--planted'] },
  { name: 'abuse', command: ['node', 'abuse/main.ts'] },
];

function run(
  [program, ...args]: readonly [string, ...string[]],
  output: 'shown' | 'kept',
): Promise<Readonly<{ code: number; text: string }>> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: ROOT,
      stdio: output === 'shown' ? 'inherit' : ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, PATH: `${BIN}${delimiter}${process.env.PATH ?? ''}` },
      shell: process.platform === 'win32',
    });
    const chunks: Buffer[] = [];
    child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.stderr?.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.on('error', reject);
    child.on('exit', (code) =>
      resolve({ code: code ?? 1, text: Buffer.concat(chunks).toString() }),
    );
  });
}

/** Every check runs, side by side, so that all that is wrong shows at once. */
async function runChecks(): Promise<boolean> {
  const results = await Promise.all(
    CHECKS.map(async ({ name, command }) => {
      const { code, text } = await run(command, 'kept');
      process.stdout.write(`${code === 0 ? '✔' : '✖'} ${name}\n`);
      if (code !== 0) process.stdout.write(`${text}\n`);
      return code === 0;
    }),
  );
  return results.every(Boolean);
}

/** All of them, with what they print. */
async function runLong(): Promise<boolean> {
  let passed = true;
  for (const { name, command } of LONG_RUNS) {
    const { code } = await run(command, 'shown');
    process.stdout.write(`${code === 0 ? '✔' : '✖'} ${name}\n`);
    passed &&= code === 0;
  }
  return passed;
}

type TestOptions = Readonly<{ timeoutMs: number; forceExit: boolean }>;

async function runTests(files: readonly string[], options: TestOptions): Promise<number> {
  const { timeoutMs, forceExit } = options;
  const flags = [
    '--test',
    `--import=${new URL('limit-test-time.ts', import.meta.url).href}`,
    `--test-concurrency=${PROCESSES_AT_ONCE}`,
    `--test-timeout=${timeoutMs}`,
  ];
  if (!forceExit) {
    const withDatabase = [...flags, '--test-global-setup=service/test/global-setup.ts', ...files];
    return (await run([process.execPath, ...withDatabase], 'shown')).code;
  }
  // A test that failed may have left a server open, which its process would wait for. A runner that is made to
  // exit does not wait for its own teardown either, so the database is opened and closed here.
  await globalSetup();
  try {
    return (await run([process.execPath, ...flags, '--test-force-exit', ...files], 'shown')).code;
  } finally {
    await globalTeardown();
  }
}

/** All test files; those that can share a process are imported by a file for each group. */
async function findTests(): Promise<readonly string[]> {
  const files = globSync(TEST_FILES, { cwd: ROOT, exclude: ['**/node_modules/**'] }).sort();
  const { alone, shared } = splitTests(ROOT, files);
  await mkdir(SHARED_FOLDER, { recursive: true });
  const groups = [];
  for (let from = 0; from < shared.length; from += SHARED_FILES_MAX) {
    const group = join(SHARED_FOLDER, `shared-${groups.length + 1}.test.mjs`);
    const urls = shared
      .slice(from, from + SHARED_FILES_MAX)
      .map((file) => pathToFileURL(join(ROOT, file)).href);
    await writeFile(group, urls.map((url) => `import ${JSON.stringify(url)};\n`).join(''));
    groups.push(group);
  }
  return [...groups, ...alone];
}

const { values, positionals } = parseArgs({
  options: {
    'checks-only': { type: 'boolean', default: false },
    full: { type: 'boolean', default: false },
    'timeout-ms': { type: 'string', default: String(TEST_TIMEOUT_MS) },
    'force-exit': { type: 'boolean', default: false },
  },
  allowPositionals: true,
});

const testOptions = { timeoutMs: Number(values['timeout-ms']), forceExit: values['force-exit'] };

if (positionals.length > 0) {
  // npm test -- service/src/transfers/*.test.ts
  process.exitCode = await runTests(positionals, testOptions);
} else if (!(await runChecks())) {
  process.exitCode = 1;
} else if (!values['checks-only']) {
  const held = !values.full || (await runLong());
  const code = await runTests(await findTests(), testOptions);
  process.exitCode = held ? code : 1;
}
