import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createRandom } from '../../faults/plan/random.ts';
import { readApiKey } from '../../service/src/merchants/api-key.ts';
import { writeUnknownKey } from './unknown-keys.ts';

it('makes keys that pass every check until the service looks them up', () => {
  const random = createRandom(1, 'keys');
  const keys = Array.from({ length: 50 }, () => writeUnknownKey(random));
  for (const key of keys) assert.equal(readApiKey(key)?.mode, 'test');
  assert.equal(new Set(keys).size, keys.length);
});
