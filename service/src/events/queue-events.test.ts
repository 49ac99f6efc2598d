import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { fileURLToPath } from 'node:url';

const SOURCE = fileURLToPath(new URL('../', import.meta.url));
/** A statement, from its name to the end of its text. The name may be given to a function that builds it. */
const STATEMENT = /\bname(?:: '([^']*)')?,\s*text: `([\s\S]*?)`,\n/g;
const WRITES_EVENTS = /insert into events|\$\{RECORD_LOW_BALANCES\}|\$\{options\.record\}/g;
/** Parts that several statements share, which count above by their names. */
const SHARED_PARTS = [
  join('ledger', 'wallet-legs.ts'),
  join('transfers', 'accept', 'store-options.ts'),
];
/** Recorded for the history only: merchants do not receive them. */
const HISTORY_ONLY = ['record-no-name'];

it('every statement that writes events queues them for the feed, instead of the trigger', () => {
  const written: string[] = [];
  const forgotten: string[] = [];
  for (const file of globSync('**/*.ts', { cwd: SOURCE })) {
    if (file.endsWith('.test.ts')) continue;
    const text = readFileSync(join(SOURCE, file), 'utf8');
    const statements = [...text.matchAll(STATEMENT)];
    for (const [, name = '', sql = ''] of statements) {
      const parts = [...sql.matchAll(WRITES_EVENTS)].length;
      if (parts === 0) continue;
      written.push(name);
      const queued = /\$\{queueEvents\(([^)]*)\)\}/.exec(sql)?.[1]?.split(',').length ?? 0;
      const isMarked =
        !sql.includes('insert into events') ||
        (sql.includes('queued') && !sql.includes('created_at)'));
      if ((queued !== parts || !isMarked) && !HISTORY_ONLY.includes(name)) {
        forgotten.push(`${file}: ${name}`);
      }
    }
    const inStatements = statements.reduce(
      (count, [, , sql = '']) => count + [...sql.matchAll(/insert into events/g)].length,
      0,
    );
    const inFile = [...text.matchAll(/insert into events/g)].length;
    if (inFile === inStatements) continue;
    const inserts = [...text.matchAll(/insert into events \(([^)]*)\)/g)];
    const areMarked = inserts.every(([, columns = '']) => columns.includes('queued'));
    if (!SHARED_PARTS.includes(file) || !areMarked) forgotten.push(file);
  }
  assert.deepEqual(forgotten, []);
  assert.ok(written.length >= 6, written.join());
});
