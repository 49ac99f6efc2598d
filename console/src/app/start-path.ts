import { call } from '../api/call.ts';
import type { Page } from '../api/page.ts';
import type { Session, Transfer, Wallet } from '../api/types.ts';
import type { Place } from './place.ts';
import { BOOK_PLACES, STAFF_PLACES } from './places.ts';
import { findBook, listBooks, may, type OpenBook } from './session.ts';

const LAST_KEY = 'kafue-last-book';
/** A person with many merchants is not kept waiting for all their books. */
const LOOKED_AT_MAX = 5;
const LOOK_TIMEOUT_MS = 3_000;

function lastKeyOf({ person }: Session): string {
  return `${LAST_KEY}-${person.id}`;
}

/** Remembers where the reader was, a book's id or `staff`, so that the next visit begins there. */
export function rememberPlace(session: Session, place: string): void {
  try {
    localStorage.setItem(lastKeyOf(session), place);
  } catch {
    // Without storage in the browser every visit starts like the first.
  }
}

export function lastPlace(session: Session): string | undefined {
  try {
    return localStorage.getItem(lastKeyOf(session)) ?? undefined;
  } catch {
    return undefined;
  }
}

/**
 * Where a visit begins: where the person was last on this device, else in the first LIVE book that has something to
 * show, else in TEST, which is there to try things out; people without books begin at the staff's pages.
 */
export async function findStartPath(session: Session): Promise<string | undefined> {
  const last = lastPlace(session);
  const start = last === undefined ? undefined : startPathOf(session, last);
  if (start !== undefined) return start;
  const books = listBooks(session);
  const live = books.filter(({ mode }) => mode === 'live').slice(0, LOOKED_AT_MAX);
  const hasSome = await Promise.all(live.map(hasSomething));
  const first =
    live.find((_, index) => hasSome[index]) ?? books.find(({ mode }) => mode === 'test');
  const all = [...(first === undefined ? [] : [first]), ...books].map(({ id }) => id);
  return [...all, 'staff']
    .map((one) => startPathOf(session, one))
    .find((path) => path !== undefined);
}

/** Whether the book has or had money. A book that cannot be read now counts as empty. */
async function hasSomething({ id: bookId }: OpenBook): Promise<boolean> {
  const about = { bookId, timeoutMs: LOOK_TIMEOUT_MS };
  const [wallets, transfers] = await Promise.all([
    call<Page<Wallet>>({ ...about, path: '/payments/wallets', query: { limit: 100 } }),
    call<Page<Transfer>>({ ...about, path: '/payments/transfers', query: { limit: 1 } }),
  ]).catch(() => []);
  const hasMoney = (wallets?.items ?? []).some(
    ({ available, held }) => Number(available) !== 0 || Number(held) !== 0,
  );
  return hasMoney || (transfers?.items.length ?? 0) > 0;
}

/** The first page of a book or of the staff. */
export function startPathOf(session: Session, where: string): string | undefined {
  if (where === 'staff') {
    const place = visiblePlaces(session, undefined)[0];
    return place === undefined ? undefined : `/staff/${place.path}`;
  }
  const book = findBook(session, where);
  const place = book === undefined ? undefined : visiblePlaces(session, book).find(isListed);
  return place === undefined ? undefined : `/b/${where}/${place.path}`;
}

/** The places that the person sees, in the order of the column. */
export function visiblePlaces(session: Session, book: OpenBook | undefined): readonly Place[] {
  const all = book === undefined ? STAFF_PLACES : BOOK_PLACES;
  return all.filter(({ sees }) => may(session, book, sees));
}

function isListed({ column }: Place): boolean {
  return column !== undefined && column.isMain !== true;
}
