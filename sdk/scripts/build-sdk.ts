import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SDK = fileURLToPath(new URL('..', import.meta.url));
const BIN = join(SDK, '..', 'node_modules', '.bin');

/** JavaScript and types for both module systems, in `esm` and `cjs` below the folder. */
export async function buildSdk(dist: string): Promise<void> {
  await rm(dist, { recursive: true, force: true });
  await compile('tsconfig.build.json', join(dist, 'esm'));
  await compile('tsconfig.build-cjs.json', join(dist, 'cjs'));
  await nameJavaScriptInTypes(dist);
  // The package is one of modules; without this, Node.js would take these files for modules too.
  await writeFile(join(dist, 'cjs', 'package.json'), '{ "type": "commonjs" }\n');
}

async function compile(project: string, outDir: string): Promise<void> {
  const child = spawn('tsc', ['-p', join(SDK, project), '--outDir', outDir], {
    stdio: 'inherit',
    env: { ...process.env, PATH: `${BIN}${delimiter}${process.env.PATH ?? ''}` },
    shell: process.platform === 'win32',
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`tsc -p ${project} ended with ${code}`);
}

/** The compiler leaves `.ts` in the imports of types, which only new compilers look through. */
async function nameJavaScriptInTypes(dist: string): Promise<void> {
  const names = await readdir(dist, { recursive: true });
  for (const name of names.filter((each) => each.endsWith('.d.ts'))) {
    const path = join(dist, name);
    const text = await readFile(path, 'utf8');
    await writeFile(path, text.replaceAll(/(?<=from '\.[^']+)\.ts(?=')/g, '.js'));
  }
}
