import type { Session } from '../api/types.ts';
import type { Place } from './place.ts';
import { BOOK_PLACES, STAFF_PLACES } from './places.ts';
import { findBook, listBooks, may, type OpenBook } from './session.ts';

const LAST_KEY = 'kafue-last-book';

/** Remembers where the reader was, a book's id or `staff`, so that the next visit begins there. */
export function rememberPlace(place: string): void {
  try {
    localStorage.setItem(LAST_KEY, place);
  } catch {
    // A browser that keeps nothing begins with the first book.
  }
}

export function lastPlace(): string | undefined {
  try {
    return localStorage.getItem(LAST_KEY) ?? undefined;
  } catch {
    return undefined;
  }
}

/** The first page of a book or of the staff; without one given: where the reader was last, else the first there is. */
export function startPathOf(session: Session, where?: string): string | undefined {
  if (where === undefined) {
    const last = lastPlace();
    const start = last === undefined ? undefined : startPathOf(session, last);
    if (start !== undefined) return start;
    const all = [...listBooks(session).map(({ id }) => id), 'staff'];
    return all.map((one) => startPathOf(session, one)).find((path) => path !== undefined);
  }
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
