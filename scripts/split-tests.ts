import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A file that starts programs waits for them: another one should run meanwhile. */
const NEEDS_OWN_PROCESS = ['node:child_process', 'node:cluster', 'node:worker_threads'];
/** Of a test file itself: what it changes would be changed for all files. */
const CHANGES_ITS_PROCESS =
  /process\.(?:env|chdir|exit|on|kill|argv|execArgv)|globalThis|mock\.timers/m;
const IMPORT = /(?:from|import) '([^']+)'|import\('([^']+)'\)/g;

type Module = Readonly<{ text: string; imports: readonly string[] }>;

/**
 * Splits test files into those that can share one process and those that need their own. Starting a process and
 * loading what it tests takes longer than most files run. A file is shared when neither it nor the code around
 * the product that it uses needs a process of its own.
 */
export function splitTests(
  root: string,
  files: readonly string[],
): Readonly<{ shared: readonly string[]; alone: readonly string[] }> {
  const modules = new Map<string, Module>();

  function read(file: string): Module {
    const known = modules.get(file);
    if (known !== undefined) return known;
    const text = readFileSync(join(root, file), 'utf8');
    const imports = [...text.matchAll(IMPORT)].map(([, stated, called]) => stated ?? called ?? '');
    const module = { text, imports };
    modules.set(file, module);
    return module;
  }

  function isAlone(file: string): boolean {
    const { text } = read(file);
    if (CHANGES_ITS_PROCESS.test(text)) return true;
    return testCodeOf(file).some((part) =>
      read(part).imports.some((name) => NEEDS_OWN_PROCESS.includes(name)),
    );
  }

  /** The file and all code for tests that it reaches without passing through the product. */
  function testCodeOf(file: string): readonly string[] {
    const found = new Set([file]);
    for (const part of found) {
      for (const name of read(part).imports) {
        if (!name.startsWith('.')) continue;
        const path = join(dirname(part), name);
        if (path.endsWith('.ts') && existsSync(join(root, path)) && isTestCode(path)) {
          found.add(path);
        }
      }
    }
    return [...found];
  }

  const alone = files.filter(isAlone);
  const apart = new Set(alone);
  return { alone, shared: files.filter((file) => !apart.has(file)) };
}

/** Everything but the product itself, whose modules import more than a test of one of them uses. */
function isTestCode(path: string): boolean {
  return (
    !/^(?:service|sdk|cli)\/src\//.test(path) ||
    /-under-test|-for-tests|scripted-|fake-|raw-server/.test(path)
  );
}
