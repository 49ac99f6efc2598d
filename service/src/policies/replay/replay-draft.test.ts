import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { createTestBook, createTestWallet } from '../../../test/test-book.ts';
import { createTestDatabase } from '../../../test/test-database.ts';
import type { Book } from '../../domain/book.ts';
import { Refusal } from '../../domain/refusal.ts';
import { firstUuidAt } from '../../domain/uuid.ts';
import { hashDocument } from '../content-hash.ts';
import { createReplays } from './replay-draft.ts';

const { database, drop } = await createTestDatabase();
after(drop);

const NOW = new Date('2026-11-16T10:00:00Z');
const HOUR_MS = 60 * 60_000;
const MTN = { operator: 'mtn', phone: '+260967433571' } as const;
const KEY = randomUUID();
const PERSON = randomUUID();

const run = (text: string, values: readonly unknown[]) =>
  database.query({ name: '', text }, values);

type Past = Readonly<{
  hoursAgo: number;
  amountMinor?: number;
  phone?: string;
  operator?: string;
  name?: string;
  actor?: string;
  source?: string;
  sendAt?: Date;
  /** Left out: it succeeded at once. */
  state?: 'succeeded' | 'failed' | 'reversed';
  tookHours?: number;
}>;

/** Stores a transfer as it would have been left, so many hours ago. */
async function storePast(book: Book, walletId: string, past: Past): Promise<void> {
  const { hoursAgo, amountMinor = 100, operator = MTN.operator } = past;
  const at = new Date(NOW.getTime() - hoursAgo * HOUR_MS);
  const id = firstUuidAt(at).slice(0, 24) + randomUUID().slice(24);
  await run(
    `insert into transfers (
       book_id, id, wallet_id, reference, state, amount_minor, fee_minor, currency, phone, operator, country,
       recipient_name, source, operator_reference, event_seq, created_at, updated_at, completed_at, failure_code, send_at
     )
     values ($1, $2, $3, $4, $12::text, $5, 0, 'ZMW', $6, $7, 'zm', $8, $9, $10, 1, $11, $11,
       $11::timestamptz + $13::float8 * interval '1 hour',
       case $12::text when 'failed' then 'OPERATOR_REJECTED' end, $14)`,
    [
      book.id,
      id,
      walletId,
      id,
      amountMinor,
      past.phone ?? MTN.phone,
      operator,
      past.name ?? null,
      past.source ?? null,
      randomUUID(),
      at,
      past.state ?? 'succeeded',
      past.tookHours ?? 0,
      past.sendAt ?? null,
    ],
  );
  await run(
    `insert into events (book_id, subject_id, seq, type, to_state, cause, actor, created_at)
     values ($1, $2, 1, 'transfer.created', 'queued', 'ACCEPTED', $3, $4)`,
    [book.id, id, past.actor ?? `key:${KEY}`, at],
  );
}

async function storeDraft(book: Book, conditions: readonly object[]): Promise<void> {
  const rules = conditions.map((when, index) => ({
    name: `r${index}`,
    when,
    require: { warn: true },
  }));
  const document = { rules };
  await run('delete from policy_drafts where book_id = $1', [book.id]);
  await run(
    `insert into policy_drafts (book_id, document, content_hash, changed_by, changed_by_name, changed_at)
     values ($1, $2, $3, $4, 'Mutale', $5)`,
    [book.id, JSON.stringify(document), hashDocument(document), PERSON, NOW],
  );
}

async function bookWith(pasts: readonly Past[]) {
  const book = await createTestBook(database);
  const walletId = await createTestWallet(database, { bookId: book.id });
  for (const past of pasts) await storePast(book, walletId, past);
  return { book, walletId };
}

const monotonicMs = () => performance.now();
const replays = createReplays({ database, now: () => NOW, monotonicMs });

/** How many of the transfers of the last hours each condition matches. */
async function matched(book: Book, hours: number, ...conditions: readonly object[]) {
  await storeDraft(book, conditions);
  const { byRule } = await replays.replay({
    book,
    from: new Date(NOW.getTime() - hours * HOUR_MS),
    to: NOW,
    isAbandoned: () => false,
  });
  return byRule.map((rule) => rule.matched);
}

describe('a replay', () => {
  it('counts what was before its period, for as long as windows are', async () => {
    const { book } = await bookWith([
      { hoursAgo: 30 },
      { hoursAgo: 20 },
      { hoursAgo: 13 },
      { hoursAgo: 1, amountMinor: 300 },
    ]);
    const within = (window: string) => ({ count: { by: 'wallet', window, above: 1 } });
    assert.deepEqual(
      await matched(book, 2, within('PT6H'), within('PT15H'), within('P2D'), {
        sum: { by: 'recipient', window: 'P2D', above: '5.99' },
      }),
      [0, 1, 1, 1],
    );
    // 10:00 UTC is noon in Lusaka: the transfer of 13 hours ago is of the day before.
    const day = { sum: { by: 'wallet', day: true, above: '3.00' } };
    assert.deepEqual(await matched(book, 2, day), [0]);
    assert.deepEqual(await matched(book, 2, { similarWithin: 'P1D' }), [0]);
    assert.deepEqual(
      await matched(book, 18, { similarWithin: 'PT8H' }, { similarWithin: 'PT6H' }),
      [1, 0],
    );
  });

  it('finds in hours what was ordered or was to be sent within them', async () => {
    const { book } = await bookWith([
      { hoursAgo: 30, sendAt: new Date(NOW.getTime() - 20 * HOUR_MS) },
      { hoursAgo: 20 },
      { hoursAgo: 4, sendAt: new Date(NOW.getTime() - HOUR_MS) },
      { hoursAgo: 4 },
    ]);
    // Now it is noon of Monday in Lusaka; 20 hours ago it was 16:00 of Sunday.
    const hours = { zone: 'Africa/Lusaka', days: ['sun'], from: '15:00', to: '17:00' };
    assert.deepEqual(await matched(book, 40, { hours }), [2]);
  });

  it('knows who ordered a transfer and how', async () => {
    const { book } = await bookWith([
      { hoursAgo: 4 },
      { hoursAgo: 3, actor: `person:${PERSON}` },
      { hoursAgo: 2, actor: `person:${PERSON}`, source: 'file' },
      { hoursAgo: 1, source: 'schedule', actor: 'system:schedules' },
    ]);
    const by = (subject: string) => ({ count: { by: subject, window: 'P1D', above: 0 } });
    assert.deepEqual(
      await matched(
        book,
        5,
        { source: ['api'] },
        { source: ['console'] },
        { source: ['file', 'schedule'] },
        { key: [KEY] },
        by('key'),
        by('person'),
      ),
      [1, 1, 2, 1, 1, 2],
    );
  });

  it('knows first payments, names and the allow list', async () => {
    const { book } = await bookWith([
      { hoursAgo: 50 },
      { hoursAgo: 3, name: 'Joseph Tembo' },
      { hoursAgo: 2, phone: '+260967433572', name: 'Joseph Tembo' },
      { hoursAgo: 1, phone: '+260967433573' },
      { hoursAgo: 0.5, phone: '+260967433573' },
    ]);
    await run(
      `insert into recipients (book_id, id, phone, operator, country, account_name, resolution, created_at)
       values ($1, $2, $3, 'mtn', 'zm', 'JOSEPH TEMBO', 'resolved', now()),
         ($1, $4, '+260967433572', 'mtn', 'zm', 'PETER MWANSA', 'resolved', now())`,
      [book.id, randomUUID(), MTN.phone, randomUUID()],
    );
    await run(
      `insert into list_entries (book_id, id, list, phone, reason, created_by, created_by_name, created_at)
       values ($1, $2, 'allow', $3, 'known', $4, 'Mutale', now())`,
      [book.id, randomUUID(), MTN.phone, PERSON],
    );
    assert.deepEqual(
      await matched(
        book,
        5,
        { firstPayment: true },
        { firstPayment: false },
        { nameMatch: ['match'] },
        { nameMatch: ['mismatch'] },
        { nameMatch: ['unknown'] },
        { onAllowList: true },
        { onAllowList: false },
      ),
      [2, 2, 1, 1, 2, 1, 3],
    );
  });

  it('takes a number as paid from the time on at which a transfer to it had succeeded', async () => {
    const phones = ['+260967433572', '+260967433573', '+260967433574', '+260967433575'] as const;
    const [paid, failed, reversed, slow] = phones;
    const { book } = await bookWith([
      { hoursAgo: 50, phone: paid },
      { hoursAgo: 50, phone: failed, state: 'failed' },
      { hoursAgo: 50, phone: reversed, state: 'reversed' },
      { hoursAgo: 50, phone: slow, tookHours: 48 },
      ...phones.map((phone) => ({ hoursAgo: 3, phone })),
      { hoursAgo: 1, phone: slow },
    ]);
    assert.deepEqual(
      await matched(book, 4, { firstPayment: true }, { firstPayment: false }),
      [3, 2],
    );
  });

  it('runs one at a time, ends when it is not wanted any more or takes too long, and is kept only for its own draft', async () => {
    const { book } = await bookWith([{ hoursAgo: 1 }]);
    await storeDraft(book, [{}]);
    const period = { book, from: new Date(NOW.getTime() - 2 * HOUR_MS), to: NOW };
    const codeOf = (work: Promise<unknown>) =>
      work.then(
        () => 'done',
        (error: unknown) => (error instanceof Refusal ? error.code : String(error)),
      );
    const wanted = () => replays.replay({ ...period, isAbandoned: () => false });
    const both = await Promise.all([codeOf(wanted()), codeOf(wanted())]);
    assert.deepEqual(both, ['done', 'RATE_LIMITED']);
    const turn = { isTaken: false };
    const inCells = await Promise.all(
      ['main', 'east'].map(() => {
        const ofCell = createReplays({ database, now: () => NOW, monotonicMs }, turn);
        return codeOf(ofCell.replay({ ...period, isAbandoned: () => false }));
      }),
    );
    assert.deepEqual(inCells, ['done', 'RATE_LIMITED']);
    const abandoned = replays.replay({ ...period, isAbandoned: () => true });
    assert.equal(await codeOf(abandoned), 'UNAVAILABLE');
    let nowMs = 0;
    const clock = { now: () => NOW, monotonicMs: () => (nowMs += 600_001) };
    const slow = createReplays({ database, ...clock });
    const tooLong = slow.replay({ ...period, isAbandoned: () => false });
    assert.equal(await codeOf(tooLong), 'LIMIT_EXCEEDED');
    const whileChanged = createReplays({
      now: () => NOW,
      monotonicMs,
      database: {
        async query(statement, values) {
          if (statement.name === 'read-past-transfers') {
            await storeDraft(book, [{ amountAtLeast: '1.00' }]);
          }
          return database.query(statement, values);
        },
      },
    });
    const changed = whileChanged.replay({ ...period, isAbandoned: () => false });
    assert.equal(await codeOf(changed), 'CONTENT_CHANGED');
    assert.equal(await codeOf(wanted()), 'done');
  });
});
