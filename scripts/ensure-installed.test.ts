import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const SCRIPT = fileURLToPath(new URL('./ensure-installed.mjs', import.meta.url));
const FIRST_LINE = 'Installing dependencies (first start only)…\n';

/** Replaces npm: records each call, takes a moment, and writes the files that npm would. */
const NPM = `
const { appendFileSync, chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
appendFileSync('npm-calls', process.argv.slice(2).join(' ') + '\\n');
if (process.env.NPM_FAILS) {
  console.error('npm error code ETARGET');
  process.exit(1);
}
setTimeout(() => {
  mkdirSync('node_modules/.bin', { recursive: true });
  writeFileSync('node_modules/.bin/node', '#!/bin/sh\\necho ' + (process.env.NODE_SAYS ?? 'v24.7.0'));
  chmodSync('node_modules/.bin/node', 0o755);
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  delete packages[''];
  delete packages['node_modules/foreign'];
  if (process.env.NPM_IS_10) rmSync('node_modules/.bin/node');
  writeFileSync('node_modules/.package-lock.json', JSON.stringify({ packages }));
}, 300);
`;

const other = process.platform === 'linux' ? 'darwin' : 'linux';
const PACKAGES = {
  'node_modules/needed': { version: '1.0.0', integrity: 'sha512-a' },
  'node_modules/tool': { version: '2.0.0', integrity: 'sha512-b', dev: true },
  'node_modules/tool-two': { version: '2.0.0', integrity: 'sha512-c', dev: true },
  'node_modules/native': {
    version: '24.7.0',
    integrity: 'sha512-d',
    optional: true,
    os: [process.platform],
    bin: { node: 'bin/node' },
  },
};
const FOREIGN = {
  'node_modules/foreign': { version: '3.0.0', integrity: 'sha512-e', optional: true, os: [other] },
};

type Packages = Readonly<Record<string, object>>;

type CloneOptions = Readonly<{ nodeMin?: string; nativeVersion?: string }>;

async function newClone(t: TestContext, { nodeMin, nativeVersion }: CloneOptions = {}) {
  const root = await mkdtemp(join(tmpdir(), 'kafue-install-'));
  t.after(() => rm(root, { recursive: true }));
  await mkdir(join(root, 'scripts'));
  await mkdir(join(root, 'npm'));
  const script = await readFile(SCRIPT, 'utf8');
  await writeFile(
    join(root, 'scripts', 'ensure-installed.mjs'),
    nodeMin === undefined ? script : script.replace(/(?<=NODE_MIN = ')[\d.]+/, nodeMin),
  );
  await writeFile(join(root, 'npm', 'npm-cli.js'), NPM);
  const native = PACKAGES['node_modules/native'];
  const wanted = {
    packages: {
      '': {},
      ...PACKAGES,
      ...FOREIGN,
      'node_modules/native': { ...native, version: nativeVersion ?? native.version },
    },
  };
  await writeFile(join(root, 'package-lock.json'), JSON.stringify(wanted));

  /** Writes the files that npm leaves after a manual install. */
  async function installByHand(packages: Packages): Promise<void> {
    await mkdir(join(root, 'node_modules', '.bin'), { recursive: true });
    await writeFile(join(root, 'node_modules', '.bin', 'node'), '');
    await writeFile(join(root, 'node_modules', '.package-lock.json'), JSON.stringify({ packages }));
  }

  async function run(environment: Record<string, string> = {}) {
    const script = join(root, 'scripts', 'ensure-installed.mjs');
    const print = ['--input-type=module', '--eval', PRINT_NODE, script];
    const child = spawn(process.execPath, print, {
      cwd: tmpdir(),
      env: {
        ...process.env,
        npm_execpath: join(root, 'npm', 'npm-cli.js'),
        npm_node_execpath: process.execPath,
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let node = '';
    child.stdout.on('data', (chunk: Buffer) => {
      node += chunk.toString();
    });
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
    const [exitCode] = await once(child, 'close');
    return { exitCode: Number(exitCode), said, node };
  }

  async function calls(): Promise<number> {
    const text = await readFile(join(root, 'npm-calls'), 'utf8').catch(() => '');
    return text.split('\n').length - 1;
  }

  return { root, installByHand, run, calls };
}

test('a fresh clone is installed once, with one line, and then not touched again', async (t) => {
  const { root, run, calls } = await newClone(t);
  assert.partialDeepStrictEqual(await run(), { exitCode: 0, said: FIRST_LINE });
  assert.match(await readFile(join(root, 'npm-calls'), 'utf8'), /^install --no-save /);
  assert.partialDeepStrictEqual(await run(), { exitCode: 0, said: '' });
  assert.equal(await calls(), 1);
  assert.deepEqual(
    (await readdir(root)).filter((name) => name.startsWith('.install')),
    [],
  );
});

test('an install by hand is accepted, also without development packages', async (t) => {
  const { installByHand, run, calls } = await newClone(t);
  await installByHand(PACKAGES);
  assert.partialDeepStrictEqual(await run(), { exitCode: 0, said: '' });
  const { 'node_modules/tool': _, 'node_modules/tool-two': __, ...production } = PACKAGES;
  await installByHand(production);
  assert.partialDeepStrictEqual(await run(), { exitCode: 0, said: '' });
  assert.equal(await calls(), 0);
});

const UNFIT: Readonly<Record<string, Packages>> = {
  'another version': { ...PACKAGES, 'node_modules/needed': { version: '0.9.0' } },
  'a missing package': { 'node_modules/tool': PACKAGES['node_modules/tool'] },
  'a part of the development packages': {
    'node_modules/needed': PACKAGES['node_modules/needed'],
    'node_modules/tool': PACKAGES['node_modules/tool'],
  },
  'a package that is no longer wanted': {
    ...PACKAGES,
    'node_modules/needed/node_modules/old': { version: '1.0.0' },
  },
  'packages for another kind of machine': { ...PACKAGES, ...FOREIGN },
};

for (const [what, present] of Object.entries(UNFIT)) {
  test(`node_modules with ${what} is installed again`, async (t) => {
    const { installByHand, run, calls } = await newClone(t);
    await installByHand(present);
    const said = 'Installing dependencies (they have changed)…\n';
    assert.partialDeepStrictEqual(await run(), { exitCode: 0, said });
    assert.equal(await calls(), 1);
  });
}

test('two starts at once install once, and both succeed', async (t) => {
  const { run, calls } = await newClone(t);
  const results = await Promise.all([run(), run(), run()]);
  assert.deepEqual(
    results.map((result) => result.exitCode),
    [0, 0, 0],
  );
  assert.equal(await calls(), 1);
});

test('the lock of an install that was killed is removed', async (t) => {
  const { root, run } = await newClone(t);
  const ended = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
  await once(ended, 'exit');
  await mkdir(join(root, '.install-lock'));
  await writeFile(join(root, '.install-lock', 'pid'), String(ended.pid));
  assert.partialDeepStrictEqual(await run(), { exitCode: 0, said: FIRST_LINE });
});

test('a Node.js whose link npm 10 dropped is linked again', async (t) => {
  const { root, run } = await newClone(t);
  const binary = join(root, 'node_modules', 'native', 'bin', 'node');
  await mkdir(dirname(binary), { recursive: true });
  await writeFile(binary, '#!/bin/sh\necho v24.10.0', { mode: 0o755 });
  assert.equal((await run({ NPM_IS_10: '1' })).exitCode, 0);
  assert.equal(await realpath(join(root, 'node_modules', '.bin', 'node')), await realpath(binary));
});

test('when npm fails, its last lines are shown, and the next start tries again', async (t) => {
  const { run, calls } = await newClone(t);
  const failed = await run({ NPM_FAILS: '1' });
  assert.equal(failed.exitCode, 1);
  assert.match(failed.said, /"npm install" failed\):\nnpm error code ETARGET/);
  assert.equal((await run()).exitCode, 0);
  assert.equal(await calls(), 2);
});

/** Prints the Node.js that was chosen. */
const PRINT_NODE = `const { node } = await import(process.argv[1]); process.stdout.write(node);`;

for (const [what, said] of Object.entries({
  'is too old': 'v24.6.0',
  'does not run': '; exit 3',
})) {
  test(`where the Node.js of npm ${what}, that of the machine is chosen, also later`, async (t) => {
    const { root, run, calls } = await newClone(t);
    const binary = join(root, 'node_modules', 'native', 'bin', 'node');
    await mkdir(dirname(binary), { recursive: true });
    await writeFile(binary, `#!/bin/sh\necho ${said}`, { mode: 0o755 });
    for (const start of ['first', 'second']) {
      const { exitCode, node } = await run({ NODE_SAYS: said });
      assert.deepEqual([exitCode, node], [0, process.execPath], `the ${start} start`);
    }
    assert.equal(await calls(), 1);
  });
}

test('the Node.js of npm is chosen where it is new enough', async (t) => {
  const { root, run } = await newClone(t);
  for (const said of ['v24.7.0', 'v24.10.1', 'v26.0.0']) {
    await rm(join(root, 'node_modules'), { recursive: true, force: true });
    const { node } = await run({ NODE_SAYS: said });
    assert.equal(node, join(root, 'node_modules', '.bin', 'node'), said);
  }
});

test('an install by hand whose Node.js is too old is noticed', async (t) => {
  const { installByHand, run } = await newClone(t, { nativeVersion: '24.0.0' });
  await installByHand({
    ...PACKAGES,
    'node_modules/native': { ...PACKAGES['node_modules/native'], version: '24.0.0' },
  });
  assert.equal((await run()).node, process.execPath);
});

test('where no Node.js is new enough, it is said which one to install', async (t) => {
  const { root, run } = await newClone(t, { nodeMin: '99.1.0' });
  for (const said of ['v24.7.0', '; exit 3']) {
    await rm(join(root, 'node_modules'), { recursive: true, force: true });
    const refused = await run({ NODE_SAYS: said });
    assert.equal(refused.exitCode, 78);
    assert.match(refused.said, /needs Node\.js 99\.1\.0 or newer.*does not serve here \(/);
    assert.match(refused.said, /\nInstall Node\.js 99\.1\.0 or newer and start again\.\n$/);
  }
});
