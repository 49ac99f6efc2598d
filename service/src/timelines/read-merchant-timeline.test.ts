import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { queueScreenings } from '../../test/queue-screenings.ts';
import { storeAwaiting } from '../../test/stored-awaiting.ts';
import { createTestBook, createTestWallet } from '../../test/test-book.ts';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import { storePerson } from '../../test/test-person.ts';
import type { Book } from '../domain/book.ts';
import type { ApprovalRequirement } from '../domain/policy/assign-approvals.ts';
import { readMerchantTimeline } from './read-merchant-timeline.ts';

const BIG: readonly ApprovalRequirement[] = [{ rule: 'big', count: 1, of: ['approver'] }];
const RULES = `update transfers set rules = '["big", "night"]' where id = $1`;
const HOLD = `update screenings set decision = 'hold', decided_at = now(), next_attempt_at = null where transfer_id = $1`;
const APPROVE = `
  insert into approvals (book_id, subject_kind, subject_id, round, person_id, person_name, decision, role, content_hash, decided_at)
  values ($1, 'transfer', $2, 2, $3, 'A', 'approve', 'approver', $4, now())`;

describe('why a transfer waits, as its merchant reads it', () => {
  let test: TestDatabase;
  let book: Book;
  let walletId: string;
  before(async () => {
    test = await createTestDatabase();
    book = await createTestBook(test.database);
    walletId = await createTestWallet(test.database, { bookId: book.id, fundedMinor: 100_000n });
  });
  after(() => test.drop());

  const run = (text: string, values: readonly unknown[]) =>
    test.database.query({ name: '', text }, values);

  async function store(
    needed: readonly ApprovalRequirement[],
    { screened }: { screened: boolean },
  ) {
    const stored = await storeAwaiting(test.database, { book, walletId, needed });
    const { id } = stored.transfer;
    await run(RULES, [id]);
    const question = { bookId: book.id, transferId: id, rule: 'night', screener: 'payouts' };
    if (screened) await queueScreenings(test.database, [question]);
    return stored;
  }
  async function whyOf({ transfer: { id } }: Awaited<ReturnType<typeof store>>) {
    const { why } = await readMerchantTimeline(test, { book, id, now: new Date() });
    return why;
  }

  it('is its screener alone: no person can approve it', async () => {
    const { line, action } = await whyOf(await store([], { screened: true }));
    assert.equal(
      line,
      'It waits for the answer of a screener, as the policy asks. It matched big, night. The money stays held.',
    );
    assert.match(action ?? '', /^It goes on when the screener allows it\./);
    assert.doesNotMatch(action ?? '', /may approve/);
  });

  it('is the screener alone once people have approved it', async () => {
    const stored = await store(BIG, { screened: true });
    assert.match((await whyOf(stored)).line, /^It waits for approvals and for the answer of a scr/);
    assert.match((await whyOf(stored)).action ?? '', /under Approvals/);
    const roles = [{ merchantId: book.merchantId, role: 'approver' as const }];
    const person = await storePerson(test.database, { roles });
    await run(APPROVE, [book.id, stored.transfer.id, person.id, stored.contentHash]);
    assert.match((await whyOf(stored)).line, /^It waits for the answer of a screener/);
  });

  it('is a person when a screener did not allow it, besides those for whom the policy asks', async () => {
    const held = await store([], { screened: true });
    const both = await store(BIG, { screened: true });
    for (const { transfer } of [held, both]) await run(HOLD, [transfer.id]);
    const { line, action } = await whyOf(held);
    assert.match(line, /^A screener did not allow it, so it waits for a person who approves it\. /);
    assert.match(action ?? '', /under Approvals/);
    assert.match((await whyOf(both)).line, /approves it, besides the approvals that the policy /);
  });

  it('is people where the policy asks for no screener', async () => {
    const { line } = await whyOf(await store(BIG, { screened: false }));
    assert.match(
      line,
      /^It waits for approvals that the policy asks for\. It matched big, night\./,
    );
  });
});
