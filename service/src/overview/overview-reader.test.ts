import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import type { Book } from '../domain/book.ts';
import type { Queryable, Row } from '../postgres/database.ts';
import { createOverviewReader } from './overview-reader.ts';

/** The part before noon has settled. */
const NOON_MS = Date.UTC(2026, 10, 16, 12, 2);
const TEN_MINUTES_MS = 600_000;
const PARTS_UNTIL_NOON = 73;
const DAYS_BEFORE = 13;
const BOOK: Book = {
  id: '01890a5d-ac96-774b-bcce-000000000002',
  merchantId: '01890a5d-ac96-774b-bcce-000000000003',
  mode: 'test',
  feeTerms: { fixedMinor: 0n, basisPoints: 0 },
  isSuspended: false,
  controlsVersion: null,
};

let nowMs = NOON_MS;
/** How many periods each statement about figures asked for. */
let asked: number[] = [];
/** The state of the one transfer in each period; null: there is none. */
let state: string | null = 'succeeded';
let takesMs = 0;
let isBroken = false;

/** Notes which periods are read; the statements themselves are tested over HTTP. */
const database: Queryable = {
  async query<R extends Row>(_: unknown, values: readonly unknown[] = []): Promise<R[]> {
    if (isBroken) throw new Error('the database is away');
    if (values.length !== 3) return [];
    const periods = (values[1] as readonly string[]).length;
    asked.push(periods);
    nowMs += takesMs;
    const row = { state, currency: 'ZMW', operator: 'mtn', country: 'zm' };
    const rows = Array.from({ length: state === null ? 0 : periods }, (_, index) => {
      return { ...row, n: index + 1, step: null, count: 1, sum: '100' };
    });
    return rows as Row[] as R[];
  },
};
const clock = { now: () => new Date(nowMs), monotonicMs: () => nowMs };

beforeEach(() => {
  nowMs = NOON_MS;
  asked = [];
  state = 'succeeded';
  takesMs = 0;
  isBroken = false;
});

describe('the overview of a book', () => {
  it('is read once in 5 seconds, however many ask', async () => {
    const reader = createOverviewReader({ database, ...clock });
    await Promise.all([reader.read(BOOK), reader.read(BOOK)]);
    nowMs += 4_999;
    await reader.read(BOOK);
    assert.deepEqual(asked, [PARTS_UNTIL_NOON, ...Array(DAYS_BEFORE).fill(1)]);
  });

  it('reads only what may have changed since: the part that is going on', async () => {
    const reader = createOverviewReader({ database, ...clock });
    await reader.read(BOOK);
    asked = [];
    nowMs += 5_000;
    await reader.read(BOOK);
    assert.deepEqual(asked, [1]);
    asked = [];
    nowMs += TEN_MINUTES_MS;
    await reader.read(BOOK);
    assert.deepEqual(asked, [2]);
  });

  it('reads a past day with unfinished transfers again, the less often the older it is', async () => {
    state = 'in_doubt';
    const reader = createOverviewReader({ database, ...clock });
    await reader.read(BOOK);
    asked = [];
    // Yesterday ended 12 hours ago: a twentieth of that are 36 minutes. All days before wait longer.
    nowMs += 37 * 60_000;
    await reader.read(BOOK);
    assert.equal(asked.length, 2);
  });

  it('reads empty days again after half a minute: the demo fills in what is past', async () => {
    state = null;
    const reader = createOverviewReader({ database, ...clock });
    await reader.read(BOOK);
    asked = [];
    nowMs += 30_000;
    await reader.read(BOOK);
    assert.deepEqual(asked, [1]);
    state = 'succeeded';
    nowMs += 5_000;
    const { days } = await reader.read(BOOK);
    assert.ok(days.every(({ figures }) => figures.some(({ groups }) => groups.length > 0)));
  });

  it('reads the newest days first, and leaves the rest to the next call when it takes long', async () => {
    takesMs = 400;
    const reader = createOverviewReader({ database, ...clock });
    const counts: number[] = [];
    for (let n = 0; n < 6; n += 1) {
      const { days } = await reader.read(BOOK);
      assert.equal(days.at(-1)?.day.toISOString(), '2026-11-16T00:00:00.000Z');
      counts.push(days.length);
      nowMs += 5_000;
    }
    assert.deepEqual(counts, [4, 7, 10, 13, 14, 14]);
  });

  it('does not keep a failed reading', async () => {
    const reader = createOverviewReader({ database, ...clock });
    isBroken = true;
    await assert.rejects(reader.read(BOOK), /away/);
    isBroken = false;
    assert.equal((await reader.read(BOOK)).days.length, DAYS_BEFORE + 1);
  });
});
