import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('.', import.meta.url));

it('shares no code with the service that it attacks', async () => {
  const names = (await readdir(FOLDER, { recursive: true })).filter(
    (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
  );
  assert.ok(names.length > 30, 'hardly any files were read');
  for (const name of names) {
    const text = await readFile(join(FOLDER, name), 'utf8');
    for (const [, from = ''] of text.matchAll(/\bfrom '([^']+)'/g)) {
      assert.doesNotMatch(from, /service\//, `${name} imports ${from}`);
    }
  }
});
