import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { UnfinishedCounts } from '../telemetry/metric-sources.ts';
import { addCounts } from './add-counts.ts';

const counts = (count: number, ageSeconds: number): UnfinishedCounts => ({
  inState: [{ mode: 'live', state: 'queued', count }],
  oldest: [{ mode: 'live', state: 'queued', ageSeconds }],
  doubts: [{ mode: 'live', kind: 'SUBMISSION_LOST', operator: 'mtn', needsPerson: false, count }],
  recipientsUnresolved: count,
  incidentsOpen: count,
  approvalsImpossible: count,
});

it('adds the counts of cells, takes the oldest age, and keeps what only one cell has', () => {
  const other: UnfinishedCounts = {
    ...counts(0, 0),
    inState: [{ mode: 'test', state: 'queued', count: 9 }],
    oldest: [],
    doubts: [],
  };
  assert.deepEqual(addCounts([counts(1, 70), counts(2, 50), other]), {
    ...counts(3, 70),
    inState: [
      { mode: 'live', state: 'queued', count: 3 },
      { mode: 'test', state: 'queued', count: 9 },
    ],
  });
});
