import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { it } from 'node:test';
import { splitTests } from './split-tests.ts';

const FILES = {
  'service/src/pure.test.ts': `import { add } from './add.ts';`,
  'service/src/add.ts': `import { spawn } from 'node:child_process';`,
  'service/src/database.test.ts': `import { open } from '../test/open.ts';`,
  'service/test/open.ts': `import { Client } from 'pg';`,
  'service/src/hooks.test.ts': `import { before } from 'node:test';\nbefore(() => 1);`,
  'service/src/suite.test.ts': `describe('x', () => {\n  before(() => 1);\n});`,
  'service/src/environment.test.ts': `process.env.PORT = '1';`,
  'faults/seeds.test.ts': `import { run } from './run.ts';`,
  'faults/run.ts': `import { start } from './start.ts';`,
  'faults/start.ts': `import { spawn } from 'node:child_process';`,
};

it('gives a separate process to files that start programs, use a database or change the process', async (t) => {
  const root = await mkdtemp(join(tmpdir(), 'kafue-split-'));
  t.after(() => rm(root, { recursive: true }));
  for (const [name, text] of Object.entries(FILES)) {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), text);
  }
  const tests = Object.keys(FILES).filter((name) => name.endsWith('.test.ts'));
  const { shared, alone } = splitTests(root, tests);
  assert.deepEqual(shared, ['service/src/pure.test.ts', 'service/src/suite.test.ts']);
  assert.equal(alone.length, tests.length - shared.length);
});
