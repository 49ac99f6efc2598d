import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Words of the past, and what to write instead. The words of the project are in ARCHITECTURE.md. */
const BANNED: readonly Readonly<{ words: RegExp; instead: string }>[] = [
  {
    // Not the user of Unix systems, nor values that are stored or were sent.
    words:
      /(?<!['"]|concerns |user )\b(?:whoever|nobody|somebody|anybody|everybody)\b(?!['"]| was paid)/i,
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
  { words: /\bgive(?:s|n)? (?:it )?to a person\b/i, instead: 'flag for review' },
  { words: /\bgate\b/i, instead: 'limiter of a route, or guard of API keys' },
];

const FILES = [
  '*.md',
  '{abuse,bench,cli,docs,emulators,faults,scripts,sdk,service}/**/*.{ts,mjs,md,sql,json}',
];
/** Old migrations never change; this file names the words. */
const EXEMPT = /(?:^|\/)(?:node_modules|dist)\/|^service\/migrations\/|\/words\.test\.ts$/;

function findBanned(text: string): readonly string[] {
  const lines = text.split('\n');
  return BANNED.flatMap(({ words, instead }) =>
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
    return findBanned(`${name}\n${text}`).map((problem) => `${name}:${problem}`);
  });
  assert.deepEqual(found, []);
});

it('finds a planted word in prose, in a name and in capitals', () => {
  assert.equal(findBanned('Nobody asks.').length, 1);
  assert.equal(findBanned('const lane = 1;').length, 1);
  assert.equal(findBanned('// A queue.').length, 0);
});
