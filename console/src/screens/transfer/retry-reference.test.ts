import assert from 'node:assert/strict';
import { it } from 'node:test';
import * as fc from 'fast-check';
import { retryReference as ofService } from '../../../../service/src/domain/retry-reference.ts';
import { retryReference } from './retry-reference.ts';

it('pays a failed payout again under the reference that files and the command line give it', async () => {
  for (const length of [1, 80, 81, 100]) {
    const failed = 'x'.repeat(length);
    assert.equal(await retryReference(failed), ofService(failed));
  }
  await fc.assert(
    fc.asyncProperty(
      fc.stringMatching(/^[a-zA-Z0-9._-]{1,90}$/),
      fc.constantFrom('', '.retry-1', '.retry-99', '.retry-9999'),
      async (name, end) => {
        const failed = `${name}${end}`.slice(0, 100);
        assert.equal(await retryReference(failed), ofService(failed));
      },
    ),
  );
});
