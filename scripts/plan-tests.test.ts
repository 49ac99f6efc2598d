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

  it('begins with the browser, which one process uses, and the longest files', () => {
    const longest = LONGEST.filter((file) => FILES.includes(file));
    const [browser, ...others] = processes;
    assert.equal(browser?.name, 'browser');
    assert.ok(browser.files.includes('console/test/sign-in-page.test.ts'));
    const uses = (file: string) => file.startsWith('console/test/') && /browser|page/.test(file);
    assert.deepEqual(others.flatMap(({ files }) => files).filter(uses), []);
    const first = others.slice(0, longest.length).flatMap(({ files }) => files);
    assert.deepEqual(first, longest);
  });

  it('knows no file that is not there', () => {
    assert.deepEqual(globSync([...LONGEST], { cwd: ROOT }).sort(), LONGEST.toSorted());
  });
});
