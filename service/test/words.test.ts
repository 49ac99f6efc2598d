import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Words of the past, and what to write instead. The words of the project are in ARCHITECTURE.md. */
const BANNED: readonly Readonly<{ words: RegExp; instead: string }>[] = [
  {
    // Not the user of Unix systems, nor sentences that were stored or sent.
    words:
      /(?<!concerns |user ["']?|["'](?=nobody['"]))\b(?:whoever|nobody|somebody|anybody|everybody)\b(?! was paid)/i,
    instead: 'name who is meant',
  },
  { words: /\bgroup ?commit\b/i, instead: 'commit queue' },
  { words: /\blanes?\b/i, instead: 'queue, or concurrency' },
  { words: /\bcrowd\b/i, instead: 'concurrency limit' },
  { words: /\berrands?\b/i, instead: 'prepared delivery' },
  { words: /\bcensus\b/i, instead: 'unfinished transfers' },
  { words: /\borphans?\b/i, instead: 'transfers of a removed route' },
  { words: /\bsurroundings\b/i, instead: 'server context' },
  { words: /\bdesks?\b/i, instead: 'operator backend' },
  { words: /\b(?:weather|sky)\b/i, instead: 'operator condition, or link fault' },
  { words: /\bat the door\b/i, instead: 'on arrival' },
  { words: /\bgive(?:s|n)? (?:it )?to (?:a )?person\b/i, instead: 'flag for review' },
  // Not the former name of a key of the route file.
  { words: /(?<!['"`])\bpace\b/i, instead: 'time scale, rate, or speed' },
  { words: /\bgates?\b/i, instead: 'limiter of a route, or guard of API keys' },
];

const FILES = [
  '*.md',
  '.ci/*',
  '{abuse,bench,cli,console,docs,emulators,faults,scripts,sdk,service}/**/*.{ts,tsx,css,mjs,md,sql,json}',
];
/** Old migrations never change; this file names the words. */
const EXEMPT = /(?:^|\/)(?:node_modules|dist)\/|^service\/migrations\/|\/words\.test\.ts$/;

/** The words of each name apart: `createLimit`, `create_limit`, `create-limit` and `CREATE_LIMIT` have two. */
function splitNames(text: string): string {
  return text
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .replace(/[-_]+/g, ' ');
}

function findBanned(text: string): readonly string[] {
  const separated = splitNames(text);
  const present = BANNED.filter(({ words }) => words.test(separated));
  if (present.length === 0) return [];
  const lines = separated.split('\n');
  return present.flatMap(({ words, instead }) =>
    lines.flatMap((line, index) => {
      const word = words.exec(line)?.[0];
      return word === undefined ? [] : [`${index + 1}: "${word}" (write: ${instead})`];
    }),
  );
}

it('no file uses a word that the glossary replaces', () => {
  const files = globSync(FILES, { cwd: ROOT }).filter((name) => !EXEMPT.test(name));
  assert.ok(files.length > 1_000, `only ${files.length} files were read`);
  const found = files.flatMap((name) => {
    const text = readFileSync(join(ROOT, name), 'utf8');
    return [...findBanned(name), ...findBanned(text)].map((problem) => `${name}:${problem}`);
  });
  assert.deepEqual(found, []);
});

describe('a banned word is found', () => {
  const planted: Readonly<Record<string, string>> = {
    prose: 'Nobody asks.',
    'a string': "throw new Error('nobody confirmed it in time');",
    'a name': 'const lane = 1;',
    camelCase: 'createGate(parts);',
    'a name after its unit': 'const paceMs = 5;',
    'camelCase after a capital': 'const aGate = openHTTPGate;',
    PascalCase: 'type LaneOptions = string;',
    snake_case: 'select open_lanes from books',
    'kebab-case': "import './fast-lane.ts';",
    CONSTANT_CASE: 'const CROWD_SIZE = 250;',
    'several words in one name': 'giveToPerson(transfer); ',
    'two words with a hyphen': 'a group-commit of orders',
  };
  for (const [form, line] of Object.entries(planted)) {
    it(`in ${form}`, () => assert.equal(findBanned(line).length, 1));
  }

  it('but not as a part of a longer word', () => {
    assert.deepEqual(findBanned('// A queue: aggregates, noBody, planes, task_desktop.'), []);
  });

  it('but not as the user of Unix systems', () => {
    assert.deepEqual(findBanned("runAs('nobody'); // the user nobody"), []);
  });
});
