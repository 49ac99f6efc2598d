import assert from 'node:assert/strict';
import { it } from 'node:test';
import { ApiError, NoAnswer } from '../../api/api-error.ts';
import { mayBeStored } from './may-be-stored.ts';

const answered = (status: number) =>
  new ApiError({ status, code: 'CODE', message: 'No', retryable: false, requestId: 'r' });

it('an upload is repeated under the same key after 429, after a fault and without an answer', () => {
  for (const status of [429, 500, 503])
    assert.equal(mayBeStored(answered(status)), true, `${status}`);
  assert.equal(mayBeStored(new NoAnswer(true, undefined)), true);
});

it('an upload that was refused is another one when it is sent again', () => {
  for (const status of [400, 403, 413, 422]) {
    assert.equal(mayBeStored(answered(status)), false, `${status}`);
  }
});
