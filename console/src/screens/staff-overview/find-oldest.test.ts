import assert from 'node:assert/strict';
import { it } from 'node:test';
import { minute } from '../../../test/staff-dossier.ts';
import { findOldest } from './find-oldest.ts';

it('takes what waits for people or a date for no queue', () => {
  const queues = [
    { state: 'awaiting_approval', mode: 'live', count: 3, oldestAt: minute(0) },
    { state: 'scheduled', mode: 'live', count: 1, oldestAt: minute(1) },
    { state: 'in_doubt', mode: 'live', count: 1, oldestAt: minute(2) },
    { state: 'queued', mode: 'test', count: 1, oldestAt: minute(3) },
    { state: 'submitted', mode: 'live', count: 2, oldestAt: minute(5) },
    { state: 'queued', mode: 'live', count: 4, oldestAt: minute(4) },
  ] as const;
  assert.equal(findOldest({ queues })?.oldestAt, minute(4));
  assert.equal(findOldest({ queues: queues.slice(0, 4) }), undefined);
});
