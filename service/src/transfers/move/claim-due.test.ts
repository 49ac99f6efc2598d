import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { claimDue, type Due } from '../../../test/claim-due.ts';
import { storeTestTransfer } from '../../../test/stored-transfer.ts';
import { createTestBook, createTestWallet } from '../../../test/test-book.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts';
import { TRANSFER_STATES } from '../../domain/transfer-state.ts';
import { claimScheduled, expireLeases } from './claim-due.ts';
import { firstBook } from './claim-walk.ts';
import { openIncident } from './open-incident.ts';

let test: TestDatabase;
before(async () => {
  test = await createTestDatabase();
});
after(() => test.drop());

const claim = (max: number, leaseOwner: string = randomUUID(), due: Due = 'submission') =>
  claimDue(test.database, {
    route: 'sandbox',
    due,
    leaseOwner,
    afterBook: firstBook(),
    max,
  });

async function storeMany(count: number, reserved: boolean): Promise<string> {
  const book = await createTestBook(test.database);
  const walletId = await createTestWallet(test.database, {
    bookId: book.id,
    fundedMinor: 100_000n,
  });
  for (let n = 0; n < count; n += 1) {
    await storeTestTransfer(test.database, { book, walletId, reserved, leaseOwner: randomUUID() });
  }
  return book.id;
}

it('gives every book its turn, however long another book has been waiting', async () => {
  const big = await storeMany(150, false);
  const small = await storeMany(1, false);
  const { transfers } = await claim(1_000);
  const count = (bookId: string) => transfers.filter((t) => t.bookId === bookId).length;
  assert.equal(count(small), 1);
  assert.ok(count(big) > 0 && count(big) < 150);
  const rest = await claim(1_000);
  assert.equal(transfers.length + rest.transfers.length, 151);
});

it('resumes after the last book that got anything when not all fit', async () => {
  const books = [
    await storeMany(20, false),
    await storeMany(20, false),
    await storeMany(20, false),
  ];
  const leaseOwner = randomUUID();
  const taken = new Map<string, number>();
  let afterBook = firstBook();
  for (let claims = 0; claims < 6; claims += 1) {
    const due = { route: 'sandbox', due: 'submission', leaseOwner, afterBook, max: 5 } as const;
    const { transfers, nextBook } = await claimDue(test.database, due);
    for (const { bookId } of transfers) taken.set(bookId, (taken.get(bookId) ?? 0) + 1);
    afterBook = nextBook;
  }
  for (const bookId of books) assert.ok((taken.get(bookId) ?? 0) >= 5, 'a book was skipped');
});

it('leaves in the queue what another route says it paid before, until a person has closed that incident', async () => {
  const bookId = await storeMany(3, false);
  const ask = (text: string) => test.database.query<{ id: string }>({ name: '', text }, [bookId]);
  const [paid, same] = await ask('select id from transfers where book_id = $1 order by id limit 2');
  if (paid === undefined || same === undefined) throw new Error('there are no transfers');
  for (const [{ id }, route] of [
    [paid, 'mtn-zm'],
    [same, 'sandbox'],
  ] as const) {
    const about = { id: randomUUID(), transfer: { bookId, id } };
    await openIncident(test.database, { ...about, kind: 'paid_before_sent', at: new Date() });
    await ask(`insert into callbacks (
                 id, route, method, headers, body, reading, operator_reference, claims, verified, received_at,
                 handled_at, handled_as
               )
               select gen_random_uuid(), '${route}', 'PUT', '{}', '', 'read', operator_reference, 'paid', false,
                      now(), now(), 'PAID_BEFORE_SENT'
               from transfers where book_id = $1 and id = '${id}'`);
  }
  const claimBy = async (sentBy: string) => {
    const all = {
      route: 'sandbox',
      due: 'submission',
      afterBook: firstBook(),
      max: 1_000,
    } as const;
    const { transfers } = await claimDue(test.database, {
      ...all,
      leaseOwner: randomUUID(),
      sentBy,
    });
    const ids = transfers.filter((one) => one.bookId === bookId).map(({ id }) => id);
    await ask(`update transfers
               set state = 'queued', route = 'sandbox', lease_owner = null, next_action_at = now()
               where book_id = $1`);
    return ids.filter((id) => id === paid.id || id === same.id);
  };
  assert.deepEqual(await claimBy('sandbox'), [same.id]);
  assert.deepEqual(await claimBy('airtel-zm'), []);
  assert.deepEqual(await claimBy('mtn-zm'), [paid.id]);
  await ask(`update incidents set closed_at = now(), closed_by = gen_random_uuid(), note = 'not so'
             where book_id = $1`);
  assert.deepEqual((await claimBy('airtel-zm')).toSorted(), [paid.id, same.id].toSorted());
});

it('gives a transfer to one of many claimers', async () => {
  await storeMany(50, false);
  const claims = await Promise.all(Array.from({ length: 8 }, () => claim(20)));
  const ids = claims.flatMap(({ transfers }) => transfers.map(({ id }) => id));
  assert.equal(new Set(ids).size, ids.length);
});

it('does not claim a leased transfer until its lease ends', async () => {
  const bookId = await storeMany(3, true);
  const mine = async () => {
    const { transfers } = await claim(1_000, randomUUID(), 'inquiry');
    return transfers.filter((t) => t.bookId === bookId);
  };
  assert.deepEqual(await mine(), []);
  await expireLeases(test.database);
  const taken = await mine();
  assert.deepEqual(
    taken.map(({ state, mode }) => ({ state, mode })),
    Array.from({ length: 3 }, () => ({ state: 'submitting', mode: 'test' })),
  );
});

it('claims only transfers that are due for the same kind of action on the same route', async () => {
  const book = await createTestBook(test.database);
  const walletId = await createTestWallet(test.database, { bookId: book.id, fundedMinor: 1_000n });
  const owned = { book, walletId, leaseOwner: randomUUID() };
  const queued = await storeTestTransfer(test.database, { ...owned, route: 'a', reserved: false });
  await storeTestTransfer(test.database, { ...owned, route: 'b', reserved: false });
  const sent = await storeTestTransfer(test.database, { ...owned, route: 'a' });
  await expireLeases(test.database);
  const take = async (due: Due) => {
    const wanted = { route: 'a', due, leaseOwner: randomUUID(), afterBook: firstBook(), max: 10 };
    return (await claimDue(test.database, wanted)).transfers.map(({ id }) => id);
  };
  assert.deepEqual(await take('submission'), [queued.id]);
  assert.deepEqual(await take('inquiry'), [sent.id]);
});

it('claims for submission and for inquiry only the states that are listed', async () => {
  const book = await createTestBook(test.database);
  const walletId = await createTestWallet(test.database, { bookId: book.id, fundedMinor: 10_000n });
  const route = 'every-state';
  for (const state of TRANSFER_STATES) {
    const owned = { book, walletId, leaseOwner: randomUUID(), route };
    const { id } = await storeTestTransfer(test.database, owned);
    await test.database.query({ name: '', text: SET_STATE }, [id, state]);
  }
  const take = async (due: Due) => {
    const wanted = { route, due, leaseOwner: randomUUID(), afterBook: firstBook(), max: 100 };
    const { transfers } = await claimDue(test.database, wanted);
    return transfers.map(({ state }) => state).toSorted();
  };
  // Only what was queued, and it has left the queue now.
  assert.deepEqual(await take('submission'), ['submitting']);
  // Final states too: an inquiry finds reversals, and checks what an operator contradicts.
  const unsent = ['scheduled', 'awaiting_approval', 'queued'];
  const inquired = TRANSFER_STATES.filter((state) => !unsent.includes(state)).toSorted();
  assert.deepEqual(await take('inquiry'), inquired);
});

const SET_STATE = `
  update transfers
  set state = $2::text, lease_owner = null, next_action_at = now() - interval '1 s',
      completed_at = case when $2::text in ('succeeded', 'failed', 'cancelled', 'reversed') then now() end,
      in_doubt_since = case when $2::text = 'in_doubt' then now() end,
      failure_code = case when $2::text in ('failed', 'cancelled') then 'CANCELLED' end
  where id = $1`;

it('leaves queued transfers of a suspended merchant, and still inquires about sent ones', async () => {
  const queued = await storeMany(1, false);
  const sent = await storeMany(1, true);
  const text = 'update books set suspended_at = $2 where id = any ($1::uuid[])';
  const suspend = (at: Date | null) =>
    test.database.query({ name: '', text }, [[queued, sent], at]);
  await suspend(new Date());
  const claimed = async (due: 'submission' | 'inquiry') => {
    const about = { route: 'sandbox', leaseOwner: randomUUID(), afterBook: firstBook() };
    const { transfers } = await claimDue(test.database, { ...about, due, max: 1_000 });
    return transfers.map(({ bookId }) => bookId);
  };
  assert.ok(!(await claimed('submission')).includes(queued));
  await expireLeases(test.database);
  assert.ok((await claimed('inquiry')).includes(sent));
  await suspend(null);
  assert.ok((await claimed('submission')).includes(queued));
});

it('says which queued transfers are late, until a person approves them anew', async () => {
  const book = await createTestBook(test.database);
  const walletId = await createTestWallet(test.database, { bookId: book.id, fundedMinor: 10_000n });
  const route = 'late';
  const store = async (sentAt: string | null, approvedAt?: string) => {
    const order = { book, walletId, leaseOwner: randomUUID(), route, reserved: false };
    const { id } = await storeTestTransfer(test.database, order);
    const at = `update transfers set send_at = now() - $2::interval where id = $1`;
    await test.database.query({ name: '', text: at }, [id, sentAt]);
    if (approvedAt !== undefined)
      await test.database.query({ name: '', text: APPROVE }, [book.id, id, approvedAt]);
    return id;
  };
  const [atOnce, inTime, late] = [await store(null), await store('23 h'), await store('25 h')];
  const approvedSince = await store('25 h', '1 h');
  const approvedBefore = await store('25 h', '26 h');
  const approvedAndLeft = await store('3 days', '2 days');
  const wanted = { route, due: 'submission', leaseOwner: randomUUID(), max: 10 } as const;
  const claimed = await claimDue(test.database, { ...wanted, afterBook: firstBook() });
  const whyNot = (id: string) => claimed.heldBack.get(id)?.why;
  assert.equal(claimed.transfers.length, 6);
  assert.deepEqual([atOnce, inTime, approvedSince].map(whyNot), [undefined, undefined, undefined]);
  assert.deepEqual(
    [late, approvedBefore, approvedAndLeft].map(whyNot),
    Array.from({ length: 3 }, () => 'SEND_TIME_MISSED'),
  );
});

const APPROVE = `
  insert into approvals (
    book_id, subject_kind, subject_id, round, person_id, person_name, decision, role, content_hash, decided_at
  )
  values ($1, 'transfer', $2, 1, gen_random_uuid(), 'Approver', 'approve', 'approver', repeat('0', 64),
          now() - $3::interval)`;

describe('a transfer that pays again what the operator says, after it was accepted, that it paid', () => {
  const FAIL = `
    update transfers set state = 'failed', failure_code = 'OPERATOR_REJECTED', completed_at = now(),
      lease_owner = null, next_action_at = null
    where id = $1`;
  const run = (text: string, values: readonly unknown[]) =>
    test.database.query({ name: '', text }, values);

  /** A book in which `a` failed, and how to order in it. */
  async function openBook(route: string) {
    const book = await createTestBook(test.database);
    const funded = { bookId: book.id, fundedMinor: 10_000n };
    const walletId = await createTestWallet(test.database, funded);
    const store = async (reference: string, sendAt: Date | null = null) => {
      const order = { book, walletId, reference, leaseOwner: randomUUID(), route, sendAt };
      return (await storeTestTransfer(test.database, { ...order, reserved: false })).id;
    };
    const failed = await store('a');
    await run(FAIL, [failed]);
    const sayPaid = () =>
      openIncident(test.database, {
        id: randomUUID(),
        transfer: { bookId: book.id, id: failed },
        kind: 'paid_after_failure',
        at: new Date(),
      });
    return { failed, store, sayPaid };
  }

  const wanted = { due: 'submission', leaseOwner: randomUUID(), max: 10 } as const;

  it('is held back when it is claimed to be sent, by its reference or by what it replaces', async () => {
    const route = 'paid-again';
    const { failed, store, sayPaid } = await openBook(route);
    const [numbered, replacing] = [await store('a.retry-1'), await store('again')];
    const [ordinary, other] = [await store('b'), await store('b.retry-1')];
    await run('update transfers set replaces = $2 where id = $1', [replacing, failed]);
    await sayPaid();
    const claimed = await claimDue(test.database, { ...wanted, route, afterBook: firstBook() });
    assert.equal(claimed.transfers.length, 4);
    const whyNot = (id: string) => claimed.heldBack.get(id)?.why;
    assert.deepEqual([numbered, replacing, ordinary, other].map(whyNot), [
      'EARLIER_MAY_BE_PAID',
      'EARLIER_MAY_BE_PAID',
      undefined,
      undefined,
    ]);
  });

  it('is held back when its time comes', async () => {
    const { store, sayPaid } = await openBook('paid-again-later');
    const [again, ordinary] = [await store('a.retry-1', new Date()), await store('b', new Date())];
    await sayPaid();
    const { due } = await claimScheduled(test.database, {
      leaseOwner: randomUUID(),
      leaseMs: 1_000,
      afterBook: firstBook(),
      max: 10,
    });
    const whyNot = (id: string) => due.find(({ transfer }) => transfer.id === id)?.heldBack?.why;
    assert.deepEqual([again, ordinary].map(whyNot), ['EARLIER_MAY_BE_PAID', undefined]);
  });

  it('costs claims of other transfers no statement', async () => {
    const route = 'ordinary';
    const { store } = await openBook(route);
    await store('b');
    const names: string[] = [];
    const query: typeof test.database.query = (statement, values) => {
      names.push(statement.name);
      return test.database.query(statement, values);
    };
    const claim = { ...wanted, route, afterBook: firstBook() };
    assert.equal((await claimDue({ query }, claim)).transfers.length, 1);
    assert.deepEqual(names, ['claim-due-submissions']);
  });
});
