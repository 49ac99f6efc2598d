import { countImpossible } from '../approvals/count-impossible.ts';
import type { Book } from '../domain/book.ts';
import type { Queryable } from '../postgres/database.ts';
import type { Figures } from './figures.ts';
import { createKeptFigures, type KeptFigures } from './kept-figures.ts';
import type { Period } from './read-figures.ts';
import {
  type AwaitingFiles,
  countFailingEndpoints,
  type HeldFunds,
  type NotSubmitted,
  readAwaitingFiles,
  readHeld,
  readNotSubmitted,
  readWalletsNow,
  type WalletNow,
} from './read-needs.ts';

/** People who look at one book share what was read this long ago. */
const OVERVIEW_AGE_MAX_MS = 5_000;
/** Some tens of kilobytes each. */
const OVERVIEWS_KEPT_MAX = 500;
const DAYS_SHOWN = 14;
const DAY_MS = 24 * 60 * 60 * 1_000;
/** Today is read in parts, so that only the last one or two are read again. */
const PART_MS = 10 * 60 * 1_000;
/** Days that are not kept yet are read newest first while there is time; the next call goes on. */
const DAYS_READ_MAX_MS = 1_000;

export type DayFigures = Readonly<{ day: Date; figures: readonly Figures[] }>;

export type Overview = Readonly<{
  asOf: Date;
  wallets: readonly WalletNow[];
  held: readonly HeldFunds[];
  awaitingFiles: readonly AwaitingFiles[];
  notSubmitted: readonly NotSubmitted[];
  failingEndpoints: number;
  /** Transfers and payout files that wait and cannot be approved by the people who are left. */
  impossible: number;
  /** Oldest first; the last is today. Days that there was no time to read are missing. */
  days: readonly DayFigures[];
}>;

export type OverviewReader = Readonly<{ read(book: Book): Promise<Overview> }>;

type ReaderDeps = Readonly<{
  database: Queryable;
  now: () => Date;
  monotonicMs: () => number;
}>;

type Reading = Readonly<{ overview: Promise<Overview>; beganMs: number }>;

/** Reads what a merchant sees first. Days are those of UTC, as for the daily limits of wallets. */
export function createOverviewReader(deps: ReaderDeps): OverviewReader {
  const kept = createKeptFigures(deps);
  const readings = new Map<string, Reading>();
  return {
    read(book) {
      const beganMs = deps.monotonicMs();
      const known = readings.get(book.id);
      if (known !== undefined && beganMs - known.beganMs < OVERVIEW_AGE_MAX_MS) {
        return known.overview;
      }
      const overview = readOverview(deps, kept, book.id);
      const reading = { overview, beganMs };
      readings.delete(book.id);
      readings.set(book.id, reading);
      const [oldest] = readings.keys();
      if (readings.size > OVERVIEWS_KEPT_MAX && oldest !== undefined) readings.delete(oldest);
      // A failed reading is not kept; its callers learn of it.
      overview.catch(() => {
        if (readings.get(book.id) === reading) readings.delete(book.id);
      });
      return overview;
    },
  };
}

async function readOverview(
  deps: ReaderDeps,
  kept: KeptFigures,
  bookId: string,
): Promise<Overview> {
  const { database } = deps;
  const asOf = deps.now();
  const today = new Date(asOf.getTime() - (asOf.getTime() % DAY_MS));
  const wallets = await readWalletsNow(database, bookId);
  const held = await readHeld(database, bookId);
  const awaitingFiles = await readAwaitingFiles(database, bookId);
  const notSubmitted = await readNotSubmitted(database, bookId);
  const failingEndpoints = await countFailingEndpoints(database, bookId);
  const impossible = await countImpossible(database, bookId);
  const parts = await kept.read({ bookId, periods: partsOf(today, asOf) });
  const before = await readDaysBefore(deps, kept, { bookId, today });
  const days = [...before, { day: today, figures: parts }];
  const needs = { awaitingFiles, notSubmitted, failingEndpoints, impossible };
  return { asOf, wallets, held, ...needs, days };
}

function partsOf(today: Date, asOf: Date): readonly Period[] {
  const parts: Period[] = [];
  for (let fromMs = today.getTime(); fromMs <= asOf.getTime(); fromMs += PART_MS) {
    parts.push({ from: new Date(fromMs), to: new Date(fromMs + PART_MS) });
  }
  return parts;
}

async function readDaysBefore(
  { monotonicMs }: ReaderDeps,
  kept: KeptFigures,
  { bookId, today }: Readonly<{ bookId: string; today: Date }>,
): Promise<readonly DayFigures[]> {
  const beganMs = monotonicMs();
  const days: DayFigures[] = [];
  for (let back = 1; back < DAYS_SHOWN; back += 1) {
    const from = new Date(today.getTime() - back * DAY_MS);
    const period = { from, to: new Date(from.getTime() + DAY_MS) };
    const hasTime = monotonicMs() - beganMs < DAYS_READ_MAX_MS;
    if (!hasTime && !kept.isKept(bookId, period)) continue;
    days.push({ day: from, figures: await kept.read({ bookId, periods: [period] }) });
  }
  return days.toReversed();
}
