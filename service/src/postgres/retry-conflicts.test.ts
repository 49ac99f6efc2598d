import assert from 'node:assert/strict';
import { it } from 'node:test';
import { DatabaseError } from 'pg';
import { OutcomeUnknown } from './database.ts';
import { retryConflicts } from './retry-conflicts.ts';

function databaseError(code: string): DatabaseError {
  const error = new DatabaseError(`error ${code}`, 0, 'error');
  error.code = code;
  return error;
}

async function countTries(errors: readonly Error[]): Promise<{ tries: number; waits: number[] }> {
  let tries = 0;
  const waits: number[] = [];
  const deps = { wait: async (ms: number) => void waits.push(ms), random: () => 0.5 };
  const work = async () => {
    tries += 1;
    const error = errors[tries - 1];
    if (error !== undefined) throw error;
    return 'done';
  };
  await retryConflicts(deps, work).catch(() => undefined);
  return { tries, waits };
}

it('retries after a deadlock and after a serialization failure, later each time', async () => {
  const { tries, waits } = await countTries([databaseError('40P01'), databaseError('40001')]);
  assert.equal(tries, 3);
  assert.deepEqual(waits, [25, 50]);
});

it('gives up after five tries', async () => {
  const { tries } = await countTries(Array.from({ length: 9 }, () => databaseError('40P01')));
  assert.equal(tries, 5);
});

it('does not retry what may have been done, or what would fail again', async () => {
  for (const error of [new OutcomeUnknown(databaseError('40P01')), databaseError('23505')]) {
    const { tries } = await countTries([error]);
    assert.equal(tries, 1, error.message);
  }
});
