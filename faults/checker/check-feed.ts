import type { PublicEvent } from '../journal/exchange-record.ts';
import type { Exchange } from './read-journals.ts';
import { isObject, memberOf, textOf } from './shown-transfers.ts';
import { type Found, report } from './violation.ts';

const EVENTS_PATH = '/api/v1/payments/events?';
const JOURNAL = /^feed-(test|live) /;

/** I20: a reader of a book's feed sees every event once, and those of one subject in order. */
export function checkFeed(
  reading: Readonly<{
    exchanges: readonly Exchange[];
    publicEvents: readonly PublicEvent[];
    books: Readonly<Record<string, string>>;
  }>,
  found: Found,
): void {
  const { exchanges, publicEvents, books } = reading;
  const pages = exchanges.filter(
    ({ request, answered }) => request.path.startsWith(EVENTS_PATH) && answered?.status === 200,
  );
  for (const [mode, bookId] of Object.entries(books)) {
    const read = pages.filter(({ place }) => JOURNAL.exec(place)?.[1] === mode).flatMap(itemsOf);
    checkReader(
      { mode, read, publicEvents: publicEvents.filter((event) => event.bookId === bookId) },
      found,
    );
  }
}

type Seen = Readonly<{ id: string; sequence: number; subject: string; page: string }>;

function checkReader(
  {
    mode,
    read,
    publicEvents,
  }: Readonly<{ mode: string; read: readonly Seen[]; publicEvents: readonly PublicEvent[] }>,
  found: Found,
): void {
  const seen = new Set<string>();
  const latest = new Map<string, number>();
  for (const event of read) {
    if (seen.has(event.id)) {
      report(found, 'I20', {}, `a reader of the ${mode} feed saw an event twice`, { event });
    }
    seen.add(event.id);
    if ((latest.get(event.subject) ?? 0) > event.sequence) {
      report(found, 'I20', {}, `a reader of the ${mode} feed saw events out of order`, { event });
    }
    latest.set(event.subject, event.sequence);
  }
  const missed = publicEvents.filter(
    ({ subjectId, seq }) => !seen.has(`evt_${subjectId.replaceAll('-', '')}_${seq}`),
  );
  if (missed.length > 0) {
    const evidence = { missed: missed.slice(0, 5), count: missed.length, seen: seen.size };
    report(found, 'I20', {}, `a reader of the ${mode} feed never saw some events`, evidence);
  }
}

function itemsOf({ answered, place }: Exchange): readonly Seen[] {
  const items = memberOf(memberOf(answered?.body, 'data'), 'items');
  if (!Array.isArray(items)) return [];
  return items.filter(isObject).map((item) => {
    const id = textOf(item['id']) ?? '';
    return { id, sequence: Number(item['sequence']), subject: id.split('_')[1] ?? '', page: place };
  });
}
