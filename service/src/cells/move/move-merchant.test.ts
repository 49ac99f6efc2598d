import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { HELD_LOCK } from '../../../test/held-lock.ts';
import { createPayingProcess } from '../../../test/paying-process.ts';
import { pollUntil } from '../../../test/poll.ts';
import { TEST_ACTOR } from '../../../test/test-actor.ts';
import { bookOf, createTestMerchant } from '../../../test/test-merchant.ts';
import { createTwoCells, type TwoCells } from '../../../test/two-cells.ts';
import { countImpossible } from '../../approvals/count-impossible.ts';
import { COMPANY_BOOK_ID } from '../../domain/company-book.ts';
import { Refusal } from '../../domain/refusal.ts';
import { findOpenWork } from '../../due-work/find-due-work.ts';
import { verifyLedger } from '../../ledger/verify-ledger.ts';
import { bumpControls } from '../../policies/bump-controls.ts';
import { type Database, sqlState } from '../../postgres/database.ts';
import { countUnresolved } from '../../recipients/count-unresolved.ts';
import { applyCallbacks } from '../../transfers/callbacks/apply-callbacks.ts';
import { findCallbackCell } from '../../transfers/callbacks/find-callback-cell.ts';
import { storeCallbacks } from '../../transfers/callbacks/store-callbacks.ts';
import { countUnfinished } from '../../transfers/read/count-unfinished.ts';
import { countOpenIncidents } from '../../transfers/read/list-incidents.ts';
import { closeMerchant } from './close-merchant.ts';
import { forgetRows } from './forget-rows.ts';
import { listMerchantTables, listUnassignedTables } from './merchant-tables.ts';
import { forgetMoved, moveMerchant, undoMove } from './move-merchant.ts';
import { WORK } from './moving-work.ts';
import { openMerchant } from './open-merchant.ts';

const MOVING = 'KF001';
const REFUSES = (error: unknown) => sqlState(error) === MOVING;

let cells: TwoCells;
before(async () => {
  cells = await createTwoCells();
});
after(() => cells.drop());

const ask = <R extends Record<string, unknown>>(
  database: Database,
  text: string,
  values: readonly unknown[] = [],
) => database.query<R>({ name: '', text }, values);

/** Without what is due: payouts that nothing sends. */
async function payQueued(merchant: Awaited<ReturnType<typeof createTestMerchant>>, count: number) {
  const { main } = cells;
  const { pay } = createPayingProcess(main.database);
  const book = bookOf(merchant);
  const paid = [];
  for (let n = 0; n < count; n += 1) {
    paid.push(await pay(book, { walletId: merchant.wallets.test.ZMW, reference: `r-${n}` }));
  }
  // As if the processes that have them had ended.
  await ask(main.database, `update transfers set next_action_at = now() where book_id = $1`, [
    book.id,
  ]);
  return paid;
}

async function denyAsCompany(database: Database, phone: string): Promise<void> {
  const text = `
    insert into list_entries (book_id, id, list, phone, reason, created_by, created_by_name, created_at)
    values ($1, gen_random_uuid(), 'deny', $2, 'test', gen_random_uuid(), 'Test', now())`;
  await database.transaction(async (tx) => {
    await bumpControls(tx, { bookId: null });
    await tx.query({ name: '', text }, [COMPANY_BOOK_ID, phone]);
  });
}

async function untilWaiting(statements: number): Promise<void> {
  await pollUntil('statements to wait for a lock', async () => {
    const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    return (await ask(cells.main.database, waiting)).length === statements;
  });
}

const callbackAbout = (operatorReference: string) =>
  ({
    id: randomUUID(),
    route: 'sandbox',
    method: 'POST',
    headers: {},
    body: Buffer.from('paid'),
    reading: 'read',
    cause: null,
    operatorReference,
    claims: 'paid',
    verified: false,
    reported: null,
    receivedAt: new Date(),
  }) as const;

describe('the tables of a cell', () => {
  it("are a merchant's or the cell's own, all of them", async () => {
    assert.deepEqual(await listUnassignedTables(cells.main.database), []);
    const names = (await listMerchantTables(cells.main.database)).map(({ name }) => name);
    assert.deepEqual(names.slice(0, 2), ['merchants', 'books']);
    for (const name of ['transfers', 'postings', 'callbacks', 'acts'])
      assert.ok(names.includes(name));
  });

  it('have no work that a move would not put off', async () => {
    const due = await ask<{ line: string }>(
      cells.main.database,
      `select c.relname || '.' || a.attname as line
       from pg_attribute a join pg_class c on c.oid = a.attrelid
       where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attname like 'next\\_%'
         and a.atttypid = 'timestamptz'::regtype
       order by 1`,
    );
    assert.deepEqual(
      due.map(({ line }) => line),
      WORK.map(({ table, time }) => `${table}.${time}`).toSorted(),
    );
  });

  it('are each held to what the cell may do with the merchant, or written only with one that is', async () => {
    /** Written by statements that change a wallet, a transfer or a delivery too, or place what these left. */
    const WITH_OTHERS = [
      'attempts',
      'book_controls',
      'callbacks',
      'delivery_attempts',
      'events',
      'feed_batches',
      'merchants',
      'policy_counters',
      'postings',
      'screening_attempts',
      'transfer_metadata',
    ];
    const held = await ask<{ name: string }>(
      cells.main.database,
      `select distinct c.relname::text as name
       from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_proc p on p.oid = t.tgfoid
       where c.relnamespace = 'public'::regnamespace and t.tgenabled = 'O' and p.proname in (
         'keep_closed_book', 'keep_closed_books', 'keep_closed_merchant', 'keep_closed_wallet', 'keep_moving_work'
       )`,
    );
    const names = (await listMerchantTables(cells.main.database)).map(({ name }) => name);
    const isHeld = new Set(held.map(({ name }) => name));
    assert.deepEqual(names.filter((name) => !isHeld.has(name)).toSorted(), WITH_OTHERS);
  });
});

describe('a merchant that moves', () => {
  it('has the same rows afterwards, and its payouts go on in the new cell', async () => {
    const { main, second, directory, deps } = cells;
    const merchant = await createTestMerchant(main.database);
    await payQueued(merchant, 20);
    const due = `select reference, next_action_at, lease_owner, operator_reference from transfers where book_id = $1 order by 1`;
    const before = await ask(main.database, due, [merchant.books.test]);
    const moved = await moveMerchant(deps, {
      actor: TEST_ACTOR,
      merchant: merchant.name,
      reason: 'room',
      to: 'second',
    });
    assert.ok((moved.rows ?? 0) > 60);
    const after = await ask(second.database, due, [merchant.books.test]);
    assert.deepEqual(
      after,
      before.map((row) => ({ ...row, lease_owner: null })),
    );
    assert.deepEqual(
      await ask(directory, 'select cell, epoch from merchants where id = $1', [merchant.id]),
      [{ cell: 'second', epoch: 2 }],
    );
    const states = 'select state, epoch from merchants where id = $1';
    assert.deepEqual(await ask(main.database, states, [merchant.id]), [
      { state: 'moved', epoch: 1 },
    ]);
    assert.deepEqual(await ask(second.database, states, [merchant.id]), [
      { state: 'open', epoch: 2 },
    ]);
    assert.equal((await verifyLedger(main.database)).ok, true);
    assert.equal((await verifyLedger(second.database)).ok, true);

    // Counted once, although both cells have their rows.
    const unfinished = async (database: Database) =>
      (await countUnfinished(database)).states.reduce((sum, { count }) => sum + count, 0);
    assert.deepEqual([await unfinished(main.database), await unfinished(second.database)], [0, 20]);

    const order = { walletId: merchant.wallets.test.ZMW, reference: 'after' };
    const there = await createPayingProcess(second.database).pay(bookOf(merchant), order);
    assert.ok('id' in there);
    await assert.rejects(
      createPayingProcess(main.database).pay(bookOf(merchant), { ...order, reference: 'old' }),
      REFUSES,
    );
    assert.deepEqual(
      await ask(
        main.database,
        `select id from transfers where book_id = $1 and reference = 'old'`,
        [merchant.books.test],
      ),
      [],
    );

    const { rows } = await forgetMoved(deps, {
      actor: TEST_ACTOR,
      merchant: merchant.name,
      reason: null,
    });
    assert.ok(rows > 60);
    for (const { name } of await listMerchantTables(main.database)) {
      const column =
        name === 'merchants'
          ? 'id'
          : name === 'callbacks'
            ? 'operator_reference'
            : name === 'books' || name === 'acts'
              ? 'merchant_id'
              : 'book_id';
      const ids = [merchant.id, merchant.books.test, merchant.books.live];
      const left = await ask(
        main.database,
        `select 1 from ${name} where ${column} = any ($1::uuid[])`,
        [ids],
      );
      assert.deepEqual(left, [], name);
    }
    assert.equal((await verifyLedger(second.database)).ok, true);
  });

  it('refuses writes of every kind while it is closed, and takes them again when it is undone', async () => {
    const { main, deps } = cells;
    const merchant = await createTestMerchant(main.database);
    await payQueued(merchant, 3);
    const closing = { merchantId: merchant.id, epoch: 2 };
    await closeMerchant({ ...main, lock: HELD_LOCK, monotonicMs: deps.monotonicMs }, closing);
    const book = merchant.books.test;
    for (const text of [
      `update wallets set daily_limit_minor = 5 where book_id = '${book}'`,
      `update books set fee_fixed_minor = 5 where id = '${book}'`,
      `insert into approval_checks_done (book_id, after, asked_at) values ('${book}', '${book}', now())`,
      `insert into acts (id, actor_kind, actor_name, kind, subject, merchant_id, acted_at, as_member)
       values (gen_random_uuid(), 'system', 'x', 'FEES_SET', 'x', '${merchant.id}', now(), false)`,
    ]) {
      await assert.rejects(ask(main.database, text), REFUSES, text);
    }
    const touched = await ask(
      main.database,
      `update transfers set next_action_at = now() where book_id = $1 returning id`,
      [book],
    );
    assert.deepEqual(touched, []);
    await openMerchant(main.database, HELD_LOCK, { merchantId: merchant.id, epoch: 1 });
    const { pay } = createPayingProcess(main.database);
    const paid = await pay(bookOf(merchant), {
      walletId: merchant.wallets.test.ZMW,
      reference: 'x',
    });
    assert.ok('id' in paid);
  });

  it('takes along callbacks that came while it was closed, and its new cell alone answers for them', async () => {
    const { main, second, deps } = cells;
    const merchant = await createTestMerchant(main.database);
    const [transfer] = await payQueued(merchant, 1);
    assert.ok(transfer !== undefined && 'id' in transfer);
    const closing = { merchantId: merchant.id, epoch: 2 };
    await closeMerchant({ ...main, lock: HELD_LOCK, monotonicMs: deps.monotonicMs }, closing);
    const { operatorReference } = transfer;
    const callback = callbackAbout(operatorReference);
    assert.deepEqual(await storeCallbacks(main.database, [callback]), [true]);
    const families = new Map<string, string>();
    const before = await applyCallbacks(main.database, { at: new Date(), families });
    assert.equal(before.handled, 0);
    const request = { actor: TEST_ACTOR, merchant: merchant.id, reason: null };
    await moveMerchant(deps, { ...request, to: 'second' });
    const find = 'select id from callbacks where operator_reference = $1';
    assert.deepEqual(await ask(main.database, find, [operatorReference]), []);
    assert.deepEqual(await ask(second.database, find, [operatorReference]), [{ id: callback.id }]);
    const found = await findCallbackCell(
      { cells: [main, second], down: [] },
      { operatorReference, at: new Date() },
    );
    assert.equal(found.name, 'second');
    // Whether it was sent is asked first; then the callback counts.
    const submitted = `update transfers set state = 'submitted', next_action_at = now() + interval '1 hour', lease_owner = null
      where id = $1`;
    await ask(second.database, submitted, [transfer.id]);
    const afterwards = await applyCallbacks(second.database, { at: new Date(), families });
    assert.equal(afterwards.handled, 1);
    const asBefore = `update transfers set state = 'submitting' where id = $1`;
    await ask(second.database, asBefore, [transfer.id]);
    const usage = `select calls::integer as calls from callback_usage where route = 'sandbox'`;
    assert.deepEqual(await ask(main.database, usage), [{ calls: 0 }]);
    assert.deepEqual(await ask(second.database, usage), [{ calls: 1 }]);
  });

  it('cannot be forgotten while it is open, nor its rows be deleted', async () => {
    const { main } = cells;
    const merchant = await createTestMerchant(main.database);
    await assert.rejects(
      ask(main.database, `select forget_rows($1, 'postings', 10)`, [merchant.id]),
      /only a merchant that has moved/,
    );
    await assert.rejects(
      ask(main.database, `delete from postings where book_id = $1`, [merchant.books.test]),
      /append-only/,
    );
  });

  it('is where it was after an undo, and each step is an act', async () => {
    const { main, second, directory, deps } = cells;
    const merchant = await createTestMerchant(main.database);
    await payQueued(merchant, 3);
    const request = { actor: TEST_ACTOR, merchant: merchant.name, reason: null };
    await assert.rejects(undoMove(deps, request), { code: 'MOVE_NOT_FOUND' });
    const failing = {
      ...deps,
      onProgress: ({ table }: { table: string }) => {
        if (table === 'postings') throw new Error('cut off');
      },
    };
    await assert.rejects(moveMerchant(failing, { ...request, to: 'second' }), /cut off/);
    await undoMove(deps, request);
    assert.deepEqual(
      await ask(second.database, 'select 1 from merchants where id = $1', [merchant.id]),
      [],
    );
    assert.deepEqual(
      await ask(main.database, 'select state from merchants where id = $1', [merchant.id]),
      [{ state: 'open' }],
    );
    await moveMerchant(deps, { ...request, to: 'second' });
    assert.equal((await verifyLedger(second.database)).ok, true);
    await forgetMoved(deps, request);
    assert.deepEqual(
      await ask(directory, 'select kind from acts where merchant_id = $1 order by acted_at', [
        merchant.id,
      ]),
      [
        { kind: 'MERCHANT_MOVE_BEGAN' },
        { kind: 'MERCHANT_MOVE_UNDONE' },
        { kind: 'MERCHANT_MOVE_BEGAN' },
        { kind: 'MERCHANT_MOVED' },
        { kind: 'MERCHANT_FORGOTTEN' },
      ],
    );
  });

  it('is judged by what the company denied while it was closed', async () => {
    const { main, deps } = cells;
    const merchant = await createTestMerchant(main.database);
    const closing = { merchantId: merchant.id, epoch: 2 };
    await closeMerchant({ ...main, lock: HELD_LOCK, monotonicMs: deps.monotonicMs }, closing);
    const pay = (phone: string) =>
      createPayingProcess(main.database).pay(bookOf(merchant), {
        walletId: merchant.wallets.test.ZMW,
        phone,
      });
    const versions = 'select coalesce(controls_version, 0) as version from books where id = $1';
    const versionOf = async () =>
      Number((await ask(main.database, versions, [merchant.books.test]))[0]?.['version']);
    const before = await versionOf();
    await denyAsCompany(main.database, '+260977000001');
    assert.equal(await versionOf(), before);
    // A change that begins while it is being opened counts once it is open.
    let both: Promise<unknown> | undefined;
    await main.database.transaction(async (tx) => {
      const text = 'select from wallets where book_id = $1 for update';
      await tx.query({ name: '', text }, [merchant.books.test]);
      const opening = openMerchant(main.database, HELD_LOCK, { merchantId: merchant.id, epoch: 1 });
      await untilWaiting(1);
      both = Promise.all([opening, denyAsCompany(main.database, '+260977000002')]);
      await untilWaiting(2);
    });
    await both;
    assert.equal(await versionOf(), before + 2);
    for (const phone of ['+260977000001', '+260977000002']) {
      const refused = await pay(phone);
      assert.ok(refused instanceof Refusal, phone);
      assert.equal(refused.code, 'RECIPIENT_DENIED');
    }
    assert.ok('id' in (await pay('+260977433571')));
  });

  it('is copied anew when it moves on after an undo that was cut off', async () => {
    const { main, second, deps } = cells;
    const merchant = await createTestMerchant(main.database);
    await payQueued(merchant, 3);
    const request = { actor: TEST_ACTOR, merchant: merchant.name, reason: null };
    let isCopying = false;
    let readings = 0;
    const cutOffBeforeSwitch = {
      ...deps,
      onProgress: () => {
        isCopying = true;
      },
      // The first time after the copy is that of its phase.
      now: () => {
        if (isCopying && ++readings > 1) throw new Error('cut off');
        return new Date();
      },
    };
    const to = 'second';
    await assert.rejects(moveMerchant(cutOffBeforeSwitch, { ...request, to }), /cut off/);
    const sourceAway = {
      ...deps,
      cellNamed: (name: string) => {
        if (name === 'main') throw new Error('the server is away');
        return deps.cellNamed(name);
      },
    };
    await assert.rejects(undoMove(sourceAway, request), /away/);
    const { rows } = await moveMerchant(deps, { ...request, to });
    assert.ok(rows !== null && rows > 0, 'a copy that was deleted was taken for whole');
    const count = 'select id from transfers where book_id = $1';
    const stored = await ask(second.database, count, [merchant.books.test]);
    assert.equal(stored.length, 3);
    assert.equal((await verifyLedger(second.database)).ok, true);
  });

  it('is left alone where it came back to before it was recorded as forgotten there', async () => {
    const { main, second, deps } = cells;
    const merchant = await createTestMerchant(main.database);
    await payQueued(merchant, 3);
    const request = { actor: TEST_ACTOR, merchant: merchant.name, reason: null };
    await moveMerchant(deps, { ...request, to: 'second' });
    const cutOff = {
      ...deps,
      now: () => {
        throw new Error('cut off');
      },
    };
    await assert.rejects(forgetMoved(cutOff, request), /cut off/);
    await moveMerchant(deps, { ...request, to: 'main' });
    const { cells: forgotten } = await forgetMoved(deps, request);
    assert.deepEqual(forgotten, ['second']);
    const find = 'select id from transfers where book_id = $1';
    assert.equal((await ask(main.database, find, [merchant.books.test])).length, 3);
    assert.equal((await ask(second.database, find, [merchant.books.test])).length, 0);
    await assert.rejects(forgetRows({ ...main, lock: HELD_LOCK }, merchant.id), /open/);
    await assert.rejects(forgetMoved(deps, request), { code: 'MOVE_NOT_FOUND' });
  });

  it('leaves nothing that its old cell counts or looks for', async () => {
    const { main, second, deps } = cells;
    const merchant = await createTestMerchant(main.database);
    await payQueued(merchant, 3);
    const values = [merchant.books.test];
    for (const text of [
      `insert into deliveries (book_id, id, endpoint_id, subject_id, event_seq, next_attempt_at, created_at)
       values ($1, gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 1, now() + interval '1 hour', now())`,
      `insert into recipients (book_id, id, phone, operator, country, resolution, next_resolve_at, created_at)
       values ($1, gen_random_uuid(), '+260977433571', 'airtel', 'zm', 'pending', now() + interval '1 hour', now())`,
      `insert into incidents (book_id, id, transfer_id, kind, opened_at)
       select book_id, gen_random_uuid(), id, 'paid_after_failure', now() from transfers where book_id = $1 limit 1`,
      `insert into payout_files (
         book_id, id, name, source, state, made_by_name, created_at, updated_at, submitted_at, content_hash
       )
       values ($1, gen_random_uuid(), 'wages', 'file', 'awaiting_approval', 'a maker', now(), now(), now(), repeat('0', 64))`,
      `insert into impossible_approvals (book_id, subject_kind, subject_id, round, since)
       select book_id, 'file', id, 1, now() from payout_files where book_id = $1`,
    ]) {
      await ask(main.database, text, values);
    }
    const count = async (database: Database) => ({
      unresolved: await countUnresolved(database),
      incidents: await countOpenIncidents(database),
      impossible: await countImpossible(database),
    });
    const work = async (database: Database) => {
      const found = await findOpenWork(database);
      return found.filter((kind) => kind === 'deliveries' || kind === 'transfers');
    };
    const all = { unresolved: 1, incidents: 1, impossible: 1 };
    assert.deepEqual(await count(main.database), all);
    const request = { actor: TEST_ACTOR, merchant: merchant.id, reason: null };
    await moveMerchant(deps, { ...request, to: 'second' });
    assert.deepEqual(await count(main.database), { unresolved: 0, incidents: 0, impossible: 0 });
    assert.deepEqual(await count(second.database), all);
    assert.ok((await work(second.database)).includes('deliveries'));
    // Ends what other tests left here; what is put off does not change.
    await ask(main.database, 'update transfers set next_action_at = null');
    assert.deepEqual(await work(main.database), []);
  });

  it('is copied as it was at one moment: a callback that comes meanwhile is handed over', async () => {
    const { main, second, deps } = cells;
    const merchant = await createTestMerchant(main.database);
    const [transfer] = await payQueued(merchant, 1);
    assert.ok(transfer !== undefined && 'id' in transfer);
    const { operatorReference } = transfer;
    let stored: Promise<unknown> | undefined;
    const meanwhile = {
      ...deps,
      onProgress: ({ table }: { table: string }) => {
        // After its table was copied.
        if (table !== 'deliveries') return;
        stored = storeCallbacks(main.database, [callbackAbout(operatorReference)]);
      },
    };
    const request = { actor: TEST_ACTOR, merchant: merchant.id, reason: null };
    await moveMerchant(meanwhile, { ...request, to: 'second' });
    await stored;
    const find = 'select id from callbacks where operator_reference = $1';
    assert.equal((await ask(main.database, find, [operatorReference])).length, 0);
    assert.equal((await ask(second.database, find, [operatorReference])).length, 1);
  });

  it('gets a callback that its old cell stored after it had left, before that cell forgets it', async () => {
    const { main, second, deps } = cells;
    const merchant = await createTestMerchant(main.database);
    const [transfer] = await payQueued(merchant, 1);
    assert.ok(transfer !== undefined && 'id' in transfer);
    const { operatorReference } = transfer;
    const request = { actor: TEST_ACTOR, merchant: merchant.id, reason: null };
    await moveMerchant(deps, { ...request, to: 'second' });
    // Its cell was looked for before.
    await storeCallbacks(main.database, [callbackAbout(operatorReference)]);
    await forgetMoved(deps, request);
    const find = 'select id from callbacks where operator_reference = $1';
    assert.equal((await ask(main.database, find, [operatorReference])).length, 0);
    assert.equal((await ask(second.database, find, [operatorReference])).length, 1);
  });
});
