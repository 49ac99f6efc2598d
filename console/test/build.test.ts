import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { isConsoleBuilt, SOURCES_FILE } from '../../scripts/console-sources.mjs';

const run = promisify(execFile);
const BUILD = fileURLToPath(new URL('../scripts/build.ts', import.meta.url));
const BUILD_MAX_MS = 60_000;

const place = await mkdtemp(join(tmpdir(), 'kafue-build-'));
after(() => rm(place, { recursive: true }));
const dist = join(place, 'dist');
const build = () =>
  run(process.execPath, [BUILD, '--if-needed', '--into', dist], { timeout: BUILD_MAX_MS });
const builtAtMs = async () => (await stat(join(dist, SOURCES_FILE))).mtimeMs;

it('builds that start together leave one whole console and nothing else', async () => {
  await Promise.all([build(), build()]);
  assert.deepEqual(await readdir(place), ['dist']);
  assert.ok(isConsoleBuilt(dist));
  const names = await readdir(dist, { recursive: true });
  for (const name of names.filter((file) => /\.(?:html|js|css)$/.test(file))) {
    assert.ok(names.includes(`${name}.br`) && names.includes(`${name}.gz`), name);
  }
});

it('a console that fits its sources is kept, another one is built anew', async () => {
  const before = await builtAtMs();
  await build();
  assert.equal(await builtAtMs(), before);
  await writeFile(join(dist, SOURCES_FILE), 'of other sources');
  assert.ok(!isConsoleBuilt(dist));
  await build();
  assert.ok(isConsoleBuilt(dist));
  assert.deepEqual(await readdir(place), ['dist']);
});
