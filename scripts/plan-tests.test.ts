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

  it('begins with the contract and the longest files, each of these in a process of its own', () => {
    assert.equal(processes[0]?.name, 'contract');
    const longest = LONGEST.filter((file) => FILES.includes(file));
    const first = processes.slice(1, longest.length + 1).flatMap(({ files }) => files);
    assert.deepEqual(first, longest);
  });

  it('knows no file that is not there', () => {
    assert.deepEqual(globSync([...LONGEST], { cwd: ROOT }).sort(), LONGEST.toSorted());
  });
});
