import assert from 'node:assert/strict';
import { it } from 'node:test';
import { minute } from '../../../test/staff-dossier.ts';
import type { FailingEndpoint } from '../../api/staff-types.ts';
import { countFailing } from './count-failing.ts';

function failing(mode: 'live' | 'test', merchantId: string): FailingEndpoint {
  return {
    endpointId: `${mode} ${merchantId}`,
    url: 'https://example.com',
    merchant: { id: merchantId, name: merchantId },
    mode,
    status: 'enabled',
    disabledReason: null,
    failingSince: minute(0),
    waiting: 5,
  };
}

it('counts endpoints of live books, their merchants and what waits for them', () => {
  const all = [failing('live', 'a'), failing('test', 'a'), failing('test', 'b')];
  assert.deepEqual(countFailing(all), { endpoints: 1, merchants: 1, waiting: 5 });
});
