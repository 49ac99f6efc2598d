import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { pollUntil } from '../../../test/poll.ts';
import { type PreparedOptions, prepareTransfer } from '../../../test/stored-transfer.ts';
import { createTestBook, createTestWallet } from '../../../test/test-book.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts';
import type { Book } from '../../domain/book.ts';
import { violatedConstraint } from '../../postgres/database.ts';
import { type AcceptedTransfer, acceptTransfer } from './prepared-transfer.ts';
import { storeTransfers } from './store-transfers.ts';

const FUNDED_MINOR = 1_000n;
const AT = new Date('2026-05-06T07:08:09.010Z');
const LEASE_OWNER = randomUUID();

let test: TestDatabase;
before(async () => {
  test = await createTestDatabase();
});
after(() => test.drop());

const ask = (text: string, values: readonly unknown[] = []) =>
  test.database.query({ name: '', text }, values);

/** What a wallet may be like, and the order that meets it. */
type Case = Readonly<{
  what: string;
  order?: Omit<PreparedOptions, 'walletId'>;
  /** Changes the wallet before. */
  wallet?: string;
  isStored: boolean;
}>;

const CASES: readonly Case[] = [
  { what: 'an order to be sent now', isStored: true },
  { what: 'an order that is queued', order: { reserved: false }, isStored: true },
  {
    what: 'an order with all its texts, a key and a fee',
    order: { narration: 'a "b", {c} \\', recipientName: 'null', idempotencyKey: 'k', feeMinor: 7n },
    isStored: true,
  },
  { what: 'all that there is', order: { amountMinor: 993n, feeMinor: 7n }, isStored: true },
  {
    what: 'an order that leaves less than the mark',
    wallet: 'low_balance_minor = 950',
    isStored: true,
  },
  { what: 'an order that leaves just the mark', wallet: 'low_balance_minor = 900', isStored: true },
  {
    what: 'an order of a wallet that was below its mark before',
    wallet: 'low_balance_minor = 1001',
    isStored: true,
  },
  {
    what: 'an order that just keeps the limit of the day',
    wallet:
      "day = (now() at time zone 'utc')::date, day_total_minor = 400, daily_limit_minor = 500",
    isStored: true,
  },
  {
    what: 'an order on the day after one that used up the limit',
    wallet:
      "day = (now() at time zone 'utc')::date - 1, day_total_minor = 500, daily_limit_minor = 500",
    isStored: true,
  },
  {
    what: 'an order beyond the limit of the day',
    wallet:
      "day = (now() at time zone 'utc')::date, day_total_minor = 401, daily_limit_minor = 500",
    isStored: false,
  },
  { what: 'more than there is', order: { amountMinor: 994n, feeMinor: 7n }, isStored: false },
  { what: 'an order of a frozen wallet', wallet: "status = 'frozen'", isStored: false },
  { what: 'an order in another currency', order: { currency: 'NGN' }, isStored: false },
  { what: 'an order of a book with controls', wallet: 'controls_version = 1', isStored: false },
];

/** A new wallet as the case wants it, and the order. */
async function prepareCase({ order = {}, wallet }: Case) {
  const book = await createTestBook(test.database);
  const walletId = await createTestWallet(test.database, {
    bookId: book.id,
    fundedMinor: FUNDED_MINOR,
  });
  if (wallet !== undefined) await ask(`update wallets set ${wallet} where id = $1`, [walletId]);
  const options = { reference: 'r-1', phone: '+260966123456', ...order, walletId };
  return { book, accepted: acceptTransfer(prepareTransfer(book, options), AT) };
}

async function besides(): Promise<AcceptedTransfer> {
  const book = await createTestBook(test.database);
  const walletId = await createTestWallet(test.database, { bookId: book.id, fundedMinor: 100n });
  return acceptTransfer(prepareTransfer(book, { walletId }), AT);
}

const store = (accepted: readonly AcceptedTransfer[]) =>
  storeTransfers(test.database, { accepted, leaseOwner: LEASE_OWNER, at: AT });

const TABLES = {
  transfers: 't.book_id = $1',
  postings: 't.book_id = $1',
  wallets: 't.book_id = $1',
  events: 't.book_id = $1',
  feed_pending: '$1 = any (t.book_ids)',
} as const;

/** Everything that is stored of the book, with its ids replaced by what they stand for. */
async function readAll(book: Book, { transfer }: AcceptedTransfer): Promise<string> {
  const names = new Map([
    [book.id, 'book'],
    [transfer.id, 'transfer'],
    [transfer.walletId, 'wallet'],
    [transfer.operatorReference, 'reference'],
  ]);
  const tables = await Promise.all(
    Object.entries(TABLES).map(async ([table, where]) => [
      table,
      await ask(`select to_jsonb(t) as row from ${table} t where ${where} order by 1`, [book.id]),
    ]),
  );
  const text = JSON.stringify(tables, null, 1)
    // The clock of the database, and the feed's own.
    .replaceAll(/("(?:next_action_at|first_submitted_at|written_at)": )"[^"]*"/g, '$1"a time"')
    .replaceAll(/("created_at": )"(?!2026-05-06)[^"]*"/g, '$1"another time"');
  return [...names].reduce((all, [id, name]) => all.replaceAll(id, name), text);
}

describe('a transfer that is stored alone', () => {
  for (const one of CASES) {
    it(`leaves the same rows as in a group: ${one.what}`, async () => {
      const alone = await prepareCase(one);
      assert.equal(await store([alone.accepted]), one.isStored);
      const grouped = await prepareCase(one);
      const group = [grouped.accepted, await besides()];
      assert.equal(await store(group), one.isStored);
      const rows = await readAll(alone.book, alone.accepted);
      if (one.isStored) assert.match(rows, /"reference": "r-1"/);
      // Two events of a group share a row of the queue, in which the other book's is too.
      const withoutOther = (text: string) => text.slice(0, text.indexOf('"feed_pending"'));
      assert.equal(withoutOther(rows), withoutOther(await readAll(grouped.book, grouped.accepted)));
      assert.equal(rows.includes('"subject_ids"'), one.isStored, 'the event is in the queue');
    });
  }

  it('is refused where the wallet does not exist, or is of another book', async () => {
    const { book, accepted } = await prepareCase({ what: '', isStored: false });
    const other = await createTestBook(test.database);
    for (const wrong of [{ walletId: randomUUID() }, { bookId: other.id }]) {
      const transfer = { ...accepted.transfer, ...wrong };
      assert.equal(await store([{ ...accepted, transfer }]), false);
    }
    assert.doesNotMatch(await readAll(book, accepted), /"reference": "r-1"/);
  });

  it('violates the index of references when its reference is taken', async () => {
    const { book, accepted } = await prepareCase({ what: '', isStored: true });
    assert.equal(await store([accepted]), true);
    const before = await readAll(book, accepted);
    const transfer = { ...accepted.transfer, id: randomUUID(), operatorReference: randomUUID() };
    await assert.rejects(store([{ ...accepted, transfer }]), (error) => {
      return violatedConstraint(error) !== undefined;
    });
    assert.equal(await readAll(book, accepted), before);
  });

  it('is judged by the balance that the transaction before it left in the wallet', async () => {
    const { book, accepted } = await prepareCase({
      what: '',
      order: { amountMinor: FUNDED_MINOR },
      isStored: true,
    });
    const ids = { id: randomUUID(), reference: 'r-2', operatorReference: randomUUID() };
    const second = { ...accepted, transfer: { ...accepted.transfer, ...ids } };
    const later = await test.database.transaction(async (tx) => {
      const given = { accepted: [accepted], leaseOwner: LEASE_OWNER, at: AT };
      assert.equal(await storeTransfers(tx, given), true);
      const waiting = store([second]);
      await pollUntil('the second to wait', async () => (await ask(WAITING)).length > 0);
      return { waiting };
    });
    assert.equal(await later.waiting, false);
    assert.match(await readAll(book, accepted), /"available_minor": 0/);
  });
});

const WAITING = `
  select pid from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock'
    and query like '%from wallets w%'`;
