import { spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const BIN = join(ROOT, 'node_modules', '.bin');
const TEST_FILES = [
  'service',
  'sdk',
  'cli',
  'docs',
  'bench',
  'emulators',
  'faults',
  'abuse',
  'scripts',
].map((folder) => `${folder}/**/*.test.ts`);
/** Files at once: more than the cores only makes the slow ones slower. */
const TEST_FILES_AT_ONCE = 2;
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

/** Every check runs, so that all that is wrong shows at once. */
async function runChecks(): Promise<boolean> {
  let passed = true;
  for (const { name, command } of CHECKS) {
    const { code, text } = await run(command, 'kept');
    process.stdout.write(`${code === 0 ? '✔' : '✖'} ${name}\n`);
    if (code !== 0) process.stdout.write(`${text}\n`);
    passed &&= code === 0;
  }
  return passed;
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
  const flags = [
    '--test',
    '--test-global-setup=service/test/global-setup.ts',
    `--test-concurrency=${TEST_FILES_AT_ONCE}`,
    `--test-timeout=${options.timeoutMs}`,
    // A test that failed may have left a server open, which the process would wait for.
    ...(options.forceExit ? ['--test-force-exit'] : []),
  ];
  const { code } = await run([process.execPath, ...flags, ...files], 'shown');
  return code;
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
  const code = await runTests(TEST_FILES, testOptions);
  process.exitCode = held ? code : 1;
}
