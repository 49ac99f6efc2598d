import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { availableBytes, heapOptions } from './fit-memory.mjs';

const GIB = 1_024 ** 3;
const V2 = '/sys/fs/cgroup/memory.max';
const V1 = '/sys/fs/cgroup/memory/memory.limit_in_bytes';

const withFiles = (files: Readonly<Record<string, string>>) => (path: string) => files[path] ?? '';

describe('the memory that the service may use', () => {
  it('is that of the machine, or of the container if that has less', () => {
    assert.equal(availableBytes(withFiles({}), 24 * GIB), 24 * GIB);
    assert.equal(availableBytes(withFiles({ [V2]: `${GIB}\n` }), 24 * GIB), GIB);
    assert.equal(availableBytes(withFiles({ [V2]: 'max\n' }), 24 * GIB), 24 * GIB);
    assert.equal(availableBytes(withFiles({ [V1]: `${2 * GIB}\n` }), 24 * GIB), 2 * GIB);
    assert.equal(availableBytes(withFiles({ [V1]: '9223372036854771712\n' }), GIB), GIB);
  });

  it('gives the heap a quarter of it, within bounds', () => {
    assert.deepEqual(heapOptions(24 * GIB), [
      '--max-semi-space-size=32',
      '--max-old-space-size=320',
    ]);
    assert.deepEqual(heapOptions(GIB), ['--max-semi-space-size=32', '--max-old-space-size=256']);
    assert.deepEqual(heapOptions(GIB / 4), ['--max-semi-space-size=8', '--max-old-space-size=96']);
  });
});
