import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { LONGEST, planTests } from './plan-tests.ts';
import { findUnused, isSlow } from './slow-tests.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FILES = globSync(
  '{service,console,sdk,cli,docs,bench,emulators,faults,abuse,scripts}/**/*.test.ts',
  {
    cwd: ROOT,
    exclude: ['**/node_modules/**'],
  },
);

describe('the plan of the tests', () => {
  const processes = planTests(ROOT, FILES);

  it('runs every file once', () => {
    assert.deepEqual(processes.flatMap(({ files }) => files).sort(), FILES.toSorted());
  });

  it('begins with the contract and the longest files, each of these in a process of its own', () => {
    assert.deepEqual(
      processes.slice(0, 2).map(({ name }) => name),
      ['contract-1', 'contract-2'],
    );
    const longest = LONGEST.filter((file) => FILES.includes(file));
    const first = processes.slice(2, longest.length + 2).flatMap(({ files }) => files);
    assert.deepEqual(first, longest);
  });

  it('knows no file that is not there', () => {
    assert.deepEqual(globSync([...LONGEST], { cwd: ROOT }).sort(), LONGEST.toSorted());
  });
});

describe('the list of slow tests', () => {
  it('names files that are there', () => {
    assert.deepEqual(findUnused(FILES), []);
  });

  it('is a small part of all files', () => {
    const slow = FILES.filter(isSlow);
    assert.ok(slow.length < FILES.length / 8, `${slow.length} of ${FILES.length} files`);
  });
});
