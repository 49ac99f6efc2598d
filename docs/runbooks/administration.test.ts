import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { runAdmin } from '../../service/src/admin/run-admin.ts';
import { newTestId } from '../../service/test/stored-doubt.ts';
import { TEST_ACTOR } from '../../service/test/test-actor.ts';
import { createTestDatabase, type TestDatabase } from '../../service/test/test-database.ts';
import { readBlocks } from '../guides/checking/read-blocks.ts';
import { showsText } from '../guides/checking/shows-output.ts';

const ROUTES = [
  {
    name: 'mtn-zm',
    connector: 'pawapay',
    operator: 'mtn',
    country: 'zm',
    settings: { apiToken: 't'.repeat(20), baseUrl: 'http://127.0.0.1:9/' },
  },
];
const LINE = /^(?:ADMIN_KEY=(?<key>\$[A-Z]+) )?npm run -s admin -- (?<command>.+)$/;
/** A line whose answer is kept in a variable of the shell: `NAME=$(… --json | node -p 'JSON.parse(…).a.b')`. */
const KEPT =
  /^(?<name>[A-Z]+)=\$\((?<typed>.+ --json) \| node -p 'JSON\.parse\(fs\.readFileSync\(0\)\)\.(?<path>[\w.]+)'\)$/;

let test: TestDatabase;
let folder: string;
/** What a reader's shell would know: the variables that the page has set. */
const variables = new Map<string, string>();
before(async () => {
  test = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'kafue-administration-'));
  await writeFile(join(folder, 'routes.json'), JSON.stringify({ routes: ROUTES }));
});
after(async () => {
  await test.drop();
  await rm(folder, { recursive: true, force: true });
});

// In this process: a process for each of the commands would cost a second each.
it('shows what a reader of it sees, command by command', async () => {
  const markdown = await readFile(new URL('administration.md', import.meta.url), 'utf8');
  const blocks = readBlocks(markdown);
  for (const [index, { language, text, note, line }] of blocks.entries()) {
    if (language !== 'sh') continue;
    if (note?.name === 'alone') await run('$CHANDA', ['administrators', 'remove', 'Mutinta Banda']);
    let came = '';
    const lines = text
      .trim()
      .replaceAll(/ \\\n */g, ' ')
      .split('\n');
    for (const typed of lines) came += await type(typed);
    const shown = blocks[index + 1]?.text ?? '';
    assert.ok(showsText(shown, came), `line ${line} wrote:\n${came}\nand not:\n${shown}`);
  }
  assert.ok(variables.has('$WALLET'), 'no command was run');
});

async function type(line: string): Promise<string> {
  const { name, typed = line, path = '' } = KEPT.exec(line)?.groups ?? {};
  const { key, command } = LINE.exec(typed)?.groups ?? {};
  assert.ok(command !== undefined, `a line that the test cannot type: ${line}`);
  const words = [...command.matchAll(/"(?<quoted>[^"]*)"|(?<plain>\S+)/g)];
  const argv = words.map(({ groups }) => groups?.quoted ?? groups?.plain ?? '');
  const out = await run(
    key,
    argv.map((word) => (word.startsWith('$') ? valueOf(word) : word)),
  );
  if (name === undefined) return out;
  const value = path
    .split('.')
    .reduce<unknown>((object, member) => Reflect.get(Object(object), member), JSON.parse(out));
  assert.ok(typeof value === 'string', `no ${path} in ${out}`);
  variables.set(`$${name}`, value);
  return '';
}

function valueOf(variable: string): string {
  const value = variables.get(variable);
  assert.ok(value !== undefined, `no line of the page sets ${variable}`);
  return value;
}

async function run(key: string | undefined, argv: readonly string[]): Promise<string> {
  let [out, error] = ['', ''];
  const exitCode = await runAdmin({
    argv,
    writeOut: (text) => {
      out += text;
    },
    writeError: (text) => {
      error += text;
    },
    openDatabase: async () => ({
      directory: test.directory,
      cells: test.cells,
      close: async () => undefined,
      abandon: async () => undefined,
    }),
    now: () => new Date(),
    newId: newTestId,
    randomBytes,
    env: {
      ROUTES_FILE: join(folder, 'routes.json'),
      ADMIN_KEY: key === undefined ? '' : valueOf(key),
    },
    machine: TEST_ACTOR,
    warn: () => undefined,
    showProgress: () => undefined,
  });
  assert.equal(exitCode, 0, `${argv.join(' ')}: ${error}`);
  return out;
}
