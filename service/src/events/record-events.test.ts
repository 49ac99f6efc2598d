import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { fileURLToPath } from 'node:url';

const SOURCE = fileURLToPath(new URL('../', import.meta.url));
const WRITERS = [
  join('events', 'record-events.ts'),
  // For the history only: merchants do not receive it.
  join('recipients', 'record-name.ts'),
];

it('every statement that writes events queues them for the feed, instead of the trigger', () => {
  const found = globSync('**/*.ts', { cwd: SOURCE }).filter(
    (file) =>
      !file.endsWith('.test.ts') &&
      readFileSync(join(SOURCE, file), 'utf8').includes('insert into events'),
  );
  assert.deepEqual(found.toSorted(), WRITERS);
});
