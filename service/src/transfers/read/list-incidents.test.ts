import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { newTestId, storeDoubt } from '../../../test/stored-doubt.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts';
import { listUnmatchedPayments } from '../callbacks/list-unmatched-payments.ts';
import { openIncident } from '../move/open-incident.ts';
import { listIncidents } from './list-incidents.ts';

let test: TestDatabase;
before(async () => {
  test = await createTestDatabase();
});
after(() => test.drop());

it('as many are listed as the caller asks for, and the list says that there are more', async () => {
  const transfer = await storeDoubt(test.database);
  for (const kind of ['refused_after_success', 'mismatch']) {
    const incident = { id: newTestId(), transfer, kind, detail: 'D', at: new Date() };
    await openIncident(test.database, incident);
  }
  const text = `
    insert into unmatched_payments (operator_reference, id, route, opened_at)
    select gen_random_uuid(), gen_random_uuid(), 'mtn-zm', now() from generate_series(1, 2)`;
  await test.database.query({ name: '', text });
  for (const [max, more] of [
    [1, true],
    [2, false],
  ] as const) {
    const found = await listIncidents(test.database, { max });
    assert.deepEqual([found.incidents.length, found.more], [max, more]);
    const told = await listUnmatchedPayments(test.database, { max });
    assert.deepEqual([told.payments.length, told.more], [max, more]);
  }
});
