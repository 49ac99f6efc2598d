import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';

const SHARE_PROCESS = new URL('share-process.ts', import.meta.url).href;
const NEIGHBOUR = `await new Promise((resolve) => setTimeout(resolve, 10));`;
const testFile = (name: string) => `
  import { after, before, beforeEach, it } from 'node:test';
  import './neighbour.mjs';
  before(() => console.log('${name} begins'));
  beforeEach(() => console.log('${name} next'));
  after(() => console.log('${name} ends'));
  it('${name}', () => console.log('${name} runs'));
`;

describe('test files that share a process', () => {
  it('have hooks of their own, and one that cannot be loaded fails without the others', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'kafue-share-'));
    t.after(() => rm(folder, { recursive: true }));
    const files = {
      'neighbour.mjs': NEIGHBOUR,
      'first.mjs': testFile('first'),
      'broken.mjs': `import './not-there.mjs';`,
      'second.mjs': testFile('second'),
    };
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
    const names = ['first.mjs', 'broken.mjs', 'second.mjs'];
    const urls = names.map((name) => pathToFileURL(join(folder, name)).href);
    const script = `import { shareProcess } from '${SHARE_PROCESS}'; shareProcess(${JSON.stringify(urls)});`;
    const args = ['--test-reporter=tap', '--input-type=module', '--eval', script];
    // Else it would write for the runner of this test, not for people.
    const { NODE_TEST_CONTEXT: _, ...env } = process.env;
    const { status, stdout: text } = spawnSync(process.execPath, args, { env, encoding: 'utf8' });
    assert.equal(status, 1, text);
    const said = text.split('\n').filter((line) => /^(?:first|second) \w+$/.test(line));
    const order = ['begins', 'next', 'runs', 'ends'];
    const expected = ['first', 'second'].flatMap((name) => order.map((word) => `${name} ${word}`));
    assert.deepEqual(said, expected);
    assert.match(text, /^not ok \d+ - .*broken\.mjs$/m);
    assert.match(text, /^ok \d+ - .*second\.mjs$/m);
  });
});
