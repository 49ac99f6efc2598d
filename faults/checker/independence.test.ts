import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { it } from 'node:test';

const FOLDER = new URL('.', import.meta.url);
/** Its own files, the types of the journals, Node.js, and the database driver. */
const ALLOWED = /^(?:\.\/[a-z-]+\.ts|\.\.\/journal\/exchange-record\.ts|node:[a-z/]+|pg)$/;

it('shares no code with the service, so that both cannot have the same bug', async () => {
  const names = (await readdir(FOLDER)).filter((name) => name.endsWith('.ts'));
  assert.ok(names.length > 10, 'hardly any files were read');
  for (const name of names) {
    const text = await readFile(new URL(name, FOLDER), 'utf8');
    for (const [, from = ''] of text.matchAll(/\bfrom '([^']+)'|\bimport\('([^']+)'/g)) {
      assert.match(from, ALLOWED, `${name} imports ${from}`);
    }
  }
});
