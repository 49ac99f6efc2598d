import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { newTestId } from '../../test/stored-doubt.ts';
import { readActs, TEST_ACTOR } from '../../test/test-actor.ts';
import { createTestBook } from '../../test/test-book.ts';
import {
  cellsOf,
  createTestDatabase,
  openTestPool,
  type TestDatabase,
} from '../../test/test-database.ts';
import { storePerson } from '../../test/test-person.ts';
import type { Book } from '../domain/book.ts';
import { withdrawProposals } from './withdraw-proposals.ts';

let test: TestDatabase;
before(async () => {
  test = await createTestDatabase();
});
after(() => test.drop());

const ask = (text: string, values: readonly unknown[] = []) =>
  test.database.query({ name: '', text }, values);

it('withdraws what a person proposed although a merchant of another proposal has left the cell', async () => {
  const person = await storePerson(test.database, { staffRoles: ['admin'] });
  const [gone, here] = [await createTestBook(test.database), await createTestBook(test.database)];
  const propose = (book: Book) =>
    ask(
      `insert into proposals (
         book_id, id, transfer_id, decision, evidence, event_seq, proposed_by, proposed_at, expires_at
       )
       values ($1, gen_random_uuid(), gen_random_uuid(), 'not_paid', 'a statement', 1, $2, now(),
               now() + interval '1 day')`,
      [book.id, person.id],
    );
  await propose(gone);
  await propose(here);
  await ask(`update merchants set state = 'moved' where id = $1`, [gone.merchantId]);
  const deps = {
    cells: test.cells,
    now: () => new Date(),
    newId: newTestId,
    logger: { warn: () => assert.fail('all cells answer') },
  };
  await withdrawProposals(deps, { id: person.id, actor: TEST_ACTOR });
  const left = await ask('select book_id as id from proposals where ended_at is null');
  assert.deepEqual(left, [{ id: gone.id }]);
  const acts = await readActs(test, { kind: 'RESOLUTION_WITHDRAWN' });
  assert.deepEqual(
    acts.map(({ actor, merchant, bookId, before }) => [
      actor.name,
      merchant?.id,
      bookId,
      before?.['decision'],
      before?.['proposedBy'],
    ]),
    [['tester@test.example', here.merchantId, here.id, 'not_paid', person.name]],
  );
});

it('tells the log of a cell that does not answer', async () => {
  const told: unknown[] = [];
  const closed = openTestPool(test.serviceUrl);
  await closed.close();
  const deps = {
    cells: cellsOf({ main: test.database, away: closed }),
    now: () => new Date(),
    newId: newTestId,
    logger: {
      warn: ({ cell, personId }: { cell?: unknown; personId?: unknown }) =>
        void told.push([cell, personId]),
    },
  };
  const id = newTestId();
  await withdrawProposals(deps, { id, actor: TEST_ACTOR });
  assert.deepEqual(told, [['away', id]]);
});
