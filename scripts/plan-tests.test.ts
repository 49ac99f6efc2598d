import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { LONGEST, planTests } from './plan-tests.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FILES = globSync('{service,console,scripts,faults,docs}/**/*.test.ts', { cwd: ROOT });

describe('the plan of the tests', () => {
  const processes = planTests(ROOT, FILES);

  it('runs every file once', () => {
    assert.deepEqual(processes.flatMap(({ files }) => files).sort(), FILES.toSorted());
  });

  it('begins with the longest files, each in a process of its own', () => {
    const longest = LONGEST.filter((file) => FILES.includes(file));
    const first = processes.slice(0, longest.length).flatMap(({ files }) => files);
    assert.deepEqual(first, longest);
  });

  it('knows no file that is not there', () => {
    assert.deepEqual(globSync([...LONGEST], { cwd: ROOT }).sort(), LONGEST.toSorted());
  });
});
