import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { claimDue } from '../../../test/claim-due.ts';
import { createPayingProcess, isAccepted, type Paid } from '../../../test/paying-process.ts';
import { putPolicy } from '../../../test/put-policy.ts';
import { createTestBook, createTestWallet } from '../../../test/test-book.ts';
import {
  createTestDatabase,
  openTestPool,
  type TestDatabase,
} from '../../../test/test-database.ts';
import { storePerson } from '../../../test/test-person.ts';
import type { ApprovalRequirement } from '../../domain/approval-requirement.ts';
import type { Book } from '../../domain/book.ts';
import { hashContent } from '../../domain/content-hash.ts';
import { NO_ROUTE, type Transfer } from '../../domain/transfer.ts';
import { verifyLedger } from '../../ledger/verify-ledger.ts';
import { bumpControls } from '../../policies/bump-controls.ts';
import type { Database } from '../../postgres/database.ts';
import { claimScheduled } from '../move/claim-due.ts';
import { firstBook } from '../move/claim-walk.ts';

const BIG = { name: 'big', when: { amountAtLeast: '50.00' } };
const APPROVED = { ...BIG, require: { approvals: 1, of: ['approver', 'owner'] } };
const WEEK_MS = 7 * 24 * 60 * 60_000;
const PHONE = '+260977433571';

let test: TestDatabase;
let pool: Database;
before(async () => {
  test = await createTestDatabase();
  pool = openTestPool(test.serviceUrl);
});
after(async () => {
  const { ok, problems } = await verifyLedger(test.database);
  assert.ok(ok, JSON.stringify(problems));
  await pool.close();
  await test.drop();
});

async function open(rules: readonly object[], approvers: readonly 'approver'[]) {
  const book = await createTestBook(test.database);
  const walletId = await createTestWallet(test.database, {
    bookId: book.id,
    fundedMinor: 1_000_00n,
  });
  const { merchantId } = book;
  const people = [];
  for (const role of approvers) {
    people.push(await storePerson(test.database, { roles: [{ merchantId, role }] }));
  }
  await putPolicy(test.database, book, rules);
  return { book: { ...book, controlsVersion: 1 }, walletId, people };
}

function acceptedOf(paid: Paid): Transfer {
  assert.ok(isAccepted(paid), isAccepted(paid) ? '' : paid.code);
  return paid;
}

function codeOf(paid: Paid): string {
  return isAccepted(paid) ? paid.state : paid.code;
}

type StoredRow = {
  state: string;
  route: string;
  expires_in_ms: number;
  lease_owner: string | null;
};

async function readRow({ bookId, id }: Transfer): Promise<StoredRow | undefined> {
  const [row] = await test.database.query<StoredRow>(
    {
      name: '',
      text: `
        select state, route, lease_owner,
               (1000 * extract(epoch from next_action_at - created_at))::double precision as expires_in_ms
        from transfers where book_id = $1 and id = $2`,
    },
    [bookId, id],
  );
  return row;
}

async function readEvents({ bookId, id }: Transfer): Promise<readonly string[]> {
  const rows = await test.database.query<{ told: string }>(
    {
      name: '',
      text: `
        select concat_ws(' ', seq, type, from_state, to_state) as told from events
        where book_id = $1 and subject_id = $2 order by seq`,
    },
    [bookId, id],
  );
  return rows.map(({ told }) => told);
}

/** What the scanners would take, once the time of everything has come. */
async function claimAll(bookId: string): Promise<readonly string[]> {
  const { database } = test;
  const text = `update transfers set next_action_at = now() - interval '1 second' where book_id = $1`;
  await database.query({ name: '', text }, [bookId]);
  const claim = { leaseOwner: randomUUID(), leaseMs: 1_000, afterBook: firstBook(), max: 1_000 };
  const found = [(await claimScheduled(database, claim)).due.map(({ transfer }) => transfer)];
  for (const route of ['sandbox', NO_ROUTE]) {
    for (const due of ['submission', 'inquiry'] as const) {
      found.push([...(await claimDue(database, { ...claim, route, due })).transfers]);
    }
  }
  return found
    .flat()
    .filter((one) => one.bookId === bookId)
    .map(({ id }) => id);
}

describe('a payout that must be approved', () => {
  it('holds its funds, and neither a slot nor a place in the queue', async () => {
    const { book, walletId } = await open([APPROVED], ['approver']);
    const process = createPayingProcess(pool);
    const order = { walletId, amountMinor: 50_00n };
    const paid = acceptedOf(await process.pay(book, order));
    assert.equal(paid.state, 'awaiting_approval');
    assert.deepEqual([paid.policyVersion, paid.rules], [1, ['big']]);
    assert.deepEqual(paid.approvalsNeeded, [{ rule: 'big', count: 1, of: ['approver', 'owner'] }]);
    assert.match(hashContent(paid), /^[0-9a-f]{64}$/);
    assert.deepEqual([process.dispatched.length, process.limiter.used()], [0, 0]);
    const row = await readRow(paid);
    assert.deepEqual([row?.state, row?.route, row?.lease_owner], ['awaiting_approval', '-', null]);
    assert.ok(Math.abs((row?.expires_in_ms ?? 0) - WEEK_MS) < 60_000);
    assert.deepEqual(await readEvents(paid), [
      '1 transfer.created awaiting_approval',
      '2 transfer.awaiting_approval awaiting_approval awaiting_approval',
    ]);
    assert.deepEqual(await claimAll(book.id), []);
  });

  it('waits also where the process reserved a slot before it knew, and gives the slot back', async () => {
    const { book, walletId } = await open([APPROVED], ['approver']);
    const process = createPayingProcess(pool);
    // As a key in memory knows the book: without controls.
    const stale = { ...book, controlsVersion: null };
    const paid = await process.pay(stale, { walletId, amountMinor: 50_00n });
    assert.equal(codeOf(paid), 'awaiting_approval');
    assert.equal(process.dispatched.length, 0);
    assert.equal(process.limiter.used(), 0);
  });

  it('goes its way when no rule asks, and says by which policy', async () => {
    const { book, walletId } = await open([APPROVED], ['approver']);
    const process = createPayingProcess(pool);
    const paid = acceptedOf(await process.pay(book, { walletId, amountMinor: 49_99n }));
    assert.deepEqual([paid.state, paid.policyVersion, paid.rules], ['submitting', 1, []]);
    assert.equal(process.dispatched.length, 1);
  });

  it('is answered in the same words when its key is repeated', async () => {
    const { book, walletId } = await open([APPROVED], ['approver']);
    const process = createPayingProcess(pool);
    const order = { walletId, amountMinor: 50_00n, reference: randomUUID(), idempotencyKey: 'k1' };
    const first = acceptedOf(await process.pay(book, order));
    // A policy of later refuses it: what is stored is shown all the same.
    await putPolicy(test.database, book, [{ ...BIG, require: { refuse: true } }]);
    const again = acceptedOf(await process.pay(book, order));
    assert.deepEqual(
      [again.id, again.state, again.rules, again.policyVersion],
      [first.id, 'awaiting_approval', ['big'], 1],
    );
    const { idempotencyKey: _, ...withoutKey } = order;
    assert.equal(codeOf(await process.pay(book, withoutKey)), 'DUPLICATE_REFERENCE');
  });

  it('is refused where no one but its maker could approve it', async () => {
    const { book, walletId, people } = await open([APPROVED], ['approver']);
    const [maker] = people;
    const process = createPayingProcess(pool);
    const origin = { source: 'console' as const, madeBy: maker?.id ?? null };
    const order = { walletId, amountMinor: 50_00n, actor: `person:${maker?.id}`, origin };
    assert.equal(codeOf(await process.pay(book, order)), 'APPROVAL_IMPOSSIBLE');
    assert.equal(
      codeOf(await process.pay(book, { walletId, amountMinor: 50_00n })),
      'awaiting_approval',
    );
  });

  it('is not asked for again what was approved with its file', async () => {
    const rules = [APPROVED, { ...APPROVED, name: 'any', when: {} }];
    const { book, walletId } = await open(rules, ['approver', 'approver']);
    const process = createPayingProcess(pool);
    const big = { rule: 'big', count: 1, of: ['approver', 'owner'] } as const;
    const pay = (preApproved: readonly ApprovalRequirement[]) =>
      process.pay(book, {
        walletId,
        amountMinor: 50_00n,
        origin: { source: 'file', madeBy: randomUUID(), preApproved },
      });
    assert.equal(codeOf(await pay([big, { ...big, rule: 'any' }])), 'submitting');
    const partly = acceptedOf(await pay([big]));
    assert.deepEqual(
      partly.approvalsNeeded?.map(({ rule }) => rule),
      ['any'],
    );
  });

  it('is asked for what a later policy wants under the name of a rule that was approved with its file', async () => {
    const { book, walletId } = await open([APPROVED], ['approver', 'approver']);
    const process = createPayingProcess(pool);
    const [given] =
      acceptedOf(await process.pay(book, { walletId, amountMinor: 50_00n })).approvalsNeeded ?? [];
    assert.ok(given !== undefined);
    const payUnder = async (require: object) => {
      await putPolicy(test.database, book, [{ ...BIG, require }]);
      const origin = { source: 'file' as const, madeBy: randomUUID(), preApproved: [given] };
      return acceptedOf(await process.pay(book, { walletId, amountMinor: 50_00n, origin }));
    };
    for (const more of [
      { approvals: 2, of: ['approver', 'owner'] },
      { approvals: 1, of: ['approver'] },
    ]) {
      const { state, approvalsNeeded } = await payUnder(more);
      assert.deepEqual(
        [state, approvalsNeeded],
        ['awaiting_approval', [{ rule: 'big', count: more.approvals, of: more.of }]],
      );
    }
    const same = await payUnder({ approvals: 1, of: ['owner', 'approver'] });
    assert.equal(same.approvalsNeeded, null);
  });

  it('keeps its time to be sent for after the approval', async () => {
    const { book, walletId } = await open([APPROVED], ['approver']);
    const sendAt = new Date(Date.now() + 60_000);
    const process = createPayingProcess(pool);
    const paid = acceptedOf(await process.pay(book, { walletId, amountMinor: 50_00n, sendAt }));
    const row = await readRow(paid);
    assert.deepEqual([paid.state, row?.state], ['awaiting_approval', 'awaiting_approval']);
    assert.ok((row?.expires_in_ms ?? 0) > 60 * 60_000, 'it would leave at its time');
  });
});

describe('a payout that is screened', () => {
  it('waits, and its question is stored with it', async () => {
    const rule = { ...BIG, require: { screen: 'payouts' } };
    const { book, walletId } = await open([rule], []);
    const process = createPayingProcess(pool);
    const paid = acceptedOf(await process.pay(book, { walletId, amountMinor: 50_00n }));
    assert.deepEqual([paid.state, paid.approvalsNeeded], ['awaiting_approval', []]);
    const rows = await test.database.query<{ rule: string; screener: string }>(
      { name: '', text: 'select rule, screener from screenings where transfer_id = $1' },
      [paid.id],
    );
    assert.deepEqual(rows, [{ rule: 'big', screener: 'payouts' }]);
  });
});

describe('a number on a list', () => {
  async function list(book: Book, word: 'allow' | 'deny', expiresAt: Date | null = null) {
    await test.database.transaction(async (tx) => {
      await tx.query(
        {
          name: '',
          text: `
            insert into list_entries (
              book_id, id, list, phone, reason, created_by, created_by_name, created_at, expires_at
            )
            values ($1, $2, $3, $4, 'test', $2, 'Test', now(), $5)`,
        },
        [book.id, randomUUID(), word, PHONE, expiresAt],
      );
      await bumpControls(tx, { bookId: book.id });
    });
  }

  it('is not paid from the moment that it is denied, also by a process that does not know yet', async () => {
    const { book, walletId } = await open([], []);
    const process = createPayingProcess(pool);
    assert.equal(codeOf(await process.pay(book, { walletId, phone: PHONE })), 'submitting');
    await list(book, 'deny');
    const denied = await process.pay(book, { walletId, phone: PHONE });
    assert.equal(codeOf(denied), 'RECIPIENT_DENIED');
    assert.equal(
      codeOf(await process.pay(book, { walletId, phone: '+260977433572' })),
      'submitting',
    );
  });

  it('is paid again once its entry is over', async () => {
    const { book, walletId } = await open([], []);
    await list(book, 'deny', new Date(Date.now() + 2_000));
    const process = createPayingProcess(pool);
    assert.equal(codeOf(await process.pay(book, { walletId, phone: PHONE })), 'RECIPIENT_DENIED');
    await new Promise((resolve) => setTimeout(resolve, 2_050));
    assert.equal(codeOf(await process.pay(book, { walletId, phone: PHONE })), 'submitting');
  });

  it('is known to rules', async () => {
    const rule = { name: 'unknown', when: { onAllowList: false }, require: { refuse: true } };
    const { book, walletId } = await open([rule], []);
    await list(book, 'allow');
    const process = createPayingProcess(pool);
    assert.equal(codeOf(await process.pay(book, { walletId, phone: PHONE })), 'submitting');
    const other = await process.pay(book, { walletId, phone: '+260977433572' });
    assert.equal(codeOf(other), 'POLICY_REFUSED');
  });
});

describe('a rule about names', () => {
  it('judges by the name that the account has', async () => {
    const rule = { name: 'name', when: { nameMatch: ['mismatch'] }, require: { refuse: true } };
    const { book, walletId } = await open([rule], []);
    const order = { walletId, recipientName: 'Mutale' };
    const mismatch = createPayingProcess(pool, { nameMatch: 'mismatch' });
    assert.equal(codeOf(await mismatch.pay(book, order)), 'POLICY_REFUSED');
    const unknown = createPayingProcess(pool);
    assert.equal(codeOf(await unknown.pay(book, order)), 'submitting');
  });
});
