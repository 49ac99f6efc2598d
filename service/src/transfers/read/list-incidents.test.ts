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
  for (const kind of ['refused_after_success', 'mismatch_after_success'] as const) {
    const incident = { id: newTestId(), transfer, kind, at: new Date() };
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

it('incidents are described by their kind, also those of earlier releases, which stored a sentence', async () => {
  const { bookId, id } = await storeDoubt(test.database);
  const text = `
    insert into incidents (book_id, id, transfer_id, kind, detail, opened_at)
    values ($1, gen_random_uuid(), $2, 'paid_before_sent', 'An older wording.', now()),
           ($1, gen_random_uuid(), $2, 'a_former_kind', 'What it said.', now()),
           ($1, gen_random_uuid(), $2, 'paid_after_failure', null, now())`;
  await test.database.query({ name: '', text }, [bookId, id]);
  const { incidents } = await listIncidents(test.database);
  const told = incidents.filter(({ transferId }) => transferId === id);
  assert.deepEqual(Object.fromEntries(told.map(({ kind, detail }) => [kind, detail])), {
    paid_before_sent: 'The operator says that it paid a transfer that was not sent yet.',
    a_former_kind: 'What it said.',
    paid_after_failure:
      'The operator says that it paid a transfer whose hold was already released.',
  });
});
