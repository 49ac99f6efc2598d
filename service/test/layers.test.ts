import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createProgram } from '../src/admin/create-program.ts';
import { CONNECTOR_KINDS } from '../src/operators/connector-kinds.ts';

const ROOT = new URL('../src', import.meta.url).pathname;

/** From the top down: a file may import from its own layer's folder and from the layers below. */
const LAYERS = [
  ['.'],
  ['compose'],
  ['config'],
  ['http', 'dispatcher', 'webhook-sender', 'screening-sender', 'admin', 'demo-history'],
  [
    'cells',
    'merchants',
    'lists',
    'limits',
    'screening',
    'approvals',
    'recipients',
    'transfers',
    'resolutions',
    'webhooks',
    'administrators',
    'people',
    'operator-credentials',
    'payout-files',
    'preflight',
    'payout-files',
    'timelines',
    'overview',
    'policies',
    'schedules',
    'holidays',
    'controls',
    'floats',
    'due-work',
  ],
  ['views'],
  ['ledger', 'events', 'operators', 'schema', 'acts'],
  ['postgres', 'mail', 'wire'],
  ['background'],
  ['telemetry'],
  ['environment'],
  ['domain'],
];

/** The level of the drivers, which do not know each other. */
const DRIVERS = LAYERS.findIndex((folders) => folders.includes('http'));

/** Optional besides these: submit, inquire, callback, names, credentials, call, requests, shapes. */
const EVERY_CONNECTOR = ['README.md', 'answers.ts', 'codes.ts', 'connector.ts', 'settings.ts'];

const files = readdirSync(ROOT, { recursive: true, encoding: 'utf8' }).filter(
  (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
);

function layerOf(file: string): { folder: string; level: number } {
  const folder = file.includes('/') ? (file.split('/')[0] ?? '') : '.';
  return { folder, level: LAYERS.findIndex((folders) => folders.includes(folder)) };
}

function importsOf(file: string): string[] {
  const text = readFileSync(join(ROOT, file), 'utf8');
  return [...text.matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)].map(([, path = '']) =>
    relative(ROOT, normalize(join(ROOT, dirname(file), path))),
  );
}

it('imports go down only, and drivers do not know each other', () => {
  assert.ok(files.length > 50, `only ${files.length} files were read`);
  const wrong = files.flatMap((file) => {
    const from = layerOf(file);
    assert.notEqual(from.level, -1, `${file} is in a folder that has no layer`);
    return importsOf(file)
      .filter((path) => !path.startsWith('..'))
      .filter((path) => {
        const to = layerOf(path);
        const sideways =
          to.level === from.level && to.folder !== from.folder && from.level === DRIVERS;
        return to.level < from.level || sideways;
      })
      .map((path) => `${file} imports ${path}`);
  });
  assert.deepEqual(wrong, []);
});

/** Files that no file of src imports, but that are needed. */
const BEGINNINGS = [
  'main.ts',
  'admin/main.ts',
  'fill-demo.ts',
  'payout-files/reading/read-worker.ts',
  'wire/undici.d.ts',
  // For the generator of the description of the API.
  'http/list-all-operations.ts',
  // For the benchmark, the faults and the temporary folder of a run of tests.
  'postgres/embedded/remove-embedded-postgres.ts',
];

it('what tests alone import is not in src', () => {
  assert.deepEqual(findUnneeded(files, importsOf), []);
  const planted = new Map([
    ['main.ts', ['a.ts']],
    ['a.ts', []],
    ['for-tests.ts', ['a.ts', 'b.ts']],
    ['b.ts', []],
  ]);
  const found = findUnneeded([...planted.keys()], (file) => planted.get(file) ?? []);
  assert.deepEqual(found, ['for-tests.ts', 'b.ts']);
});

function findUnneeded(
  names: readonly string[],
  imports: (file: string) => readonly string[],
): readonly string[] {
  const needed = new Set(BEGINNINGS.filter((file) => names.includes(file)));
  // A set is walked to its end also where it grows meanwhile.
  for (const file of needed) for (const path of imports(file)) needed.add(path);
  return names.filter((file) => !needed.has(file));
}

it('no folders import each other in a circle', () => {
  assert.deepEqual(findCircle(importsBetweenFolders(files)), []);
  const planted = new Map([
    ['a', new Set(['b'])],
    ['b', new Set(['c'])],
    ['c', new Set(['a', 'd'])],
  ]);
  assert.deepEqual(findCircle(planted), ['a', 'b', 'c', 'a']);
});

function importsBetweenFolders(names: readonly string[]): Map<string, Set<string>> {
  const edges = new Map<string, Set<string>>();
  for (const file of names) {
    const from = dirname(file);
    const to = importsOf(file)
      .filter((path) => !path.startsWith('..'))
      .map((path) => dirname(path));
    const known = edges.get(from) ?? new Set();
    edges.set(from, known.union(new Set(to.filter((folder) => folder !== from))));
  }
  return edges;
}

/** The folders of one circle, the first repeated at the end. Empty: there is none. */
function findCircle(edges: ReadonlyMap<string, ReadonlySet<string>>): readonly string[] {
  const done = new Set<string>();
  const visit = (folder: string, path: readonly string[]): readonly string[] => {
    const at = path.indexOf(folder);
    if (at !== -1) return [...path.slice(at), folder];
    if (done.has(folder)) return [];
    for (const next of edges.get(folder) ?? []) {
      const circle = visit(next, [...path, folder]);
      if (circle.length > 0) return circle;
    }
    done.add(folder);
    return [];
  };
  for (const folder of edges.keys()) {
    const circle = visit(folder, []);
    if (circle.length > 0) return circle;
  }
  return [];
}

it('operators never see the database, and HTTP and the dispatcher hold no SQL', () => {
  const seeing = files.filter(
    (file) =>
      file.startsWith('operators/') && importsOf(file).some((p) => p.startsWith('postgres/')),
  );
  assert.deepEqual(seeing, []);
  const sql = /\b(select\s+[\w.*]+[\s,]|insert into|update \w+\s+set|delete from)\b/;
  const holding = files
    .filter((file) => /^(http|dispatcher|webhook-sender|screening-sender)\//.test(file))
    .filter((file) => sql.test(readFileSync(join(ROOT, file), 'utf8')));
  assert.deepEqual(holding, []);
});

it('commands are named by the drivers and what composes them: others give codes and facts', () => {
  const ignore = async () => undefined;
  const write = () => undefined;
  const io = { writeOut: write, writeHelp: write };
  const { commands } = createProgram({ perform: ignore, performAlone: ignore, ...io });
  const groups = commands.map((command) => command.name()).join('|');
  const naming = new RegExp(`npm run|kafue admin|"(?:${groups}) [a-z-]+[ "]`);
  assert.match('"transfers show" has it', naming);
  const named = files
    .filter((file) => layerOf(file).level > DRIVERS)
    .filter((file) => naming.test(readFileSync(join(ROOT, file), 'utf8')));
  assert.deepEqual(named, []);
});

/** They wait again and again inside one call, and end with it. */
const WAITING_INSIDE_A_CALL = [
  'cells/move/close-merchant.ts',
  'cells/move/move-lock.ts',
  'dispatcher/dispatcher.ts',
  'http/payout-file-api/check-waiter.ts',
  'operators/limits/rate-limit.ts',
  'payout-files/reading/read-file-rows.ts',
  'postgres/commit-queue.ts',
  'postgres/embedded/enter-server.ts',
  'postgres/embedded/find-postmaster.ts',
  'postgres/embedded/postmaster-process.ts',
  'postgres/retry-conflicts.ts',
  'resolutions/recall-from-operator.ts',
];
/** The embedded server imports nothing from outside of its folder. */
const HOLDING_A_SESSION = ['postgres/embedded/hold-session.ts'];

it('what repeats in the background is a loop of background/background-loop.ts', () => {
  const allowed = [...WAITING_INSIDE_A_CALL, ...HOLDING_A_SESSION];
  const repeating = files
    .filter((file) => !file.startsWith('background/'))
    .filter((file) => repeats(readFileSync(join(ROOT, file), 'utf8')));
  assert.deepEqual(repeating.toSorted(), allowed.toSorted());
  assert.ok(repeats('setInterval(look, 5);'));
  assert.ok(repeats('function look() { f().then(() => setTimeout(look, 5)); }'));
  assert.ok(repeats('while (!stopped) {\n  await look();\n  await wait(5);\n}'));
});

/** A timer that repeats, a function that plans itself anew, or a loop that waits in each round. */
function repeats(text: string): boolean {
  if (/\bsetInterval\(/.test(text)) return true;
  const planned = [...text.matchAll(/\bsetTimeout\((\w+),/g)].map(([, name]) => name);
  if (planned.some((name) => new RegExp(`function ${name}\\b[^]*setTimeout\\(${name},`).test(text)))
    return true;
  return /^( *)(?:while|for) \([^\n]*\{\n(?:(?!\1\}).*\n)*?.*await [\w.]*(?:wait|pause|waitMs|sleep\w*)\(/m.test(
    text,
  );
}

it('postgres and telemetry know no table of ours', () => {
  const migrations = fileURLToPath(new URL('../migrations/', import.meta.url));
  const tables = readdirSync(migrations, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .flatMap(({ parentPath, name }) => {
      const text = readFileSync(join(parentPath, name), 'utf8');
      return [...text.matchAll(/^create table (\w+)/gm)].map(([, table = '']) => table);
    });
  assert.ok(tables.includes('transfers') && tables.length > 20, tables.join(', '));
  const named = `(?:${tables.join('|')})`;
  // As a name in quotes, or in SQL after the word that comes before a table.
  const naming = new RegExp(`'${named}'|\\b(?:from|join|into|update|table) ${named}\\b`);
  const knowing = files
    .filter((file) => /^(postgres|telemetry)\//.test(file))
    .filter((file) => naming.test(readFileSync(join(ROOT, file), 'utf8')));
  assert.deepEqual(knowing, []);
});

it('connector folders are alike: the same names without the name of the operator, and no servers for tests', () => {
  const folders = CONNECTOR_KINDS.map(({ name }) => name);
  const wrong = folders.flatMap((folder) => {
    const names = readdirSync(join(ROOT, 'operators', folder));
    return [
      ...EVERY_CONNECTOR.filter((name) => !names.includes(name)).map((name) => `no ${name}`),
      ...names.filter((name) => name.startsWith(`${folder}-`)),
      ...names.filter((name) => /under-test|fake|scripted/.test(name)),
    ].map((text) => `${folder}: ${text}`);
  });
  assert.equal(folders.length, 5);
  assert.deepEqual(wrong, []);
});

it('due work is chosen by lists of states, so that a new state is not taken for it', () => {
  const sweeping = files.filter((file) => sweepsStates(readFileSync(join(ROOT, file), 'utf8')));
  assert.deepEqual(sweeping, []);
  assert.ok(sweepsStates("`where state <> 'queued' and next_action_at <= now()`"));
});

/** Whether a statement takes what is due in all states but some. */
function sweepsStates(text: string): boolean {
  const statements = text.split('`').filter((_, index) => index % 2 === 1);
  return statements.some(
    (statement) =>
      /next_\w+_at <= now\(\)/.test(statement) && /\bstate (?:<>|!=|not in)/.test(statement),
  );
}

it('only the ledger writes money rows', () => {
  const money =
    /insert into postings|(update|delete from) postings|update wallets\b[^;]*(available|held)_minor\s*=/s;
  const writing = files.filter((file) => money.test(readFileSync(join(ROOT, file), 'utf8')));
  assert.deepEqual(writing, ['ledger/hold-one.ts', 'ledger/wallet-legs.ts']);
});
