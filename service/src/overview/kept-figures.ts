import { STATE_RULES } from '../domain/transfer-state.ts';
import type { Queryable } from '../postgres/database.ts';
import type { Figures } from './figures.ts';
import { type Period, readFigures } from './read-figures.ts';

/** About a kilobyte each; a book that is looked at has up to 157. The least recently used go first. */
const PERIODS_KEPT_MAX = 5_000;
/** An id is made before its commit, so a period that ended just now may still get transfers. */
const SETTLED_AFTER_MS = 60_000;
/** A period with unfinished transfers is read again when it is this share older. */
const REFRESH_SHARE = 1 / 20;
/** Reading an empty period costs next to nothing, and the demo fills in what is past. */
const EMPTY_KEPT_MS = 30_000;

type Kept = Readonly<{ figures: Figures; readAtMs: number }>;

export type KeptFigures = Readonly<{
  /** Reads the figures that may have changed. */
  read(
    request: Readonly<{ bookId: string; periods: readonly Period[] }>,
  ): Promise<readonly Figures[]>;
  /** Whether reading it would ask the database. */
  isKept(bookId: string, period: Period): boolean;
}>;

/** Keeps the figures of periods that are over: what has ended there does not change, but for a late reversal. */
export function createKeptFigures(
  deps: Readonly<{ database: Queryable; now: () => Date }>,
): KeptFigures {
  const kept = new Map<string, Kept>();

  function find(name: string, period: Period): Figures | undefined {
    const found = kept.get(name);
    if (found === undefined || isStale(found, period, deps.now().getTime())) return undefined;
    kept.delete(name);
    kept.set(name, found);
    return found.figures;
  }

  function keep(name: string, entry: Kept): void {
    kept.delete(name);
    kept.set(name, entry);
    if (kept.size <= PERIODS_KEPT_MAX) return;
    const [oldest] = kept.keys();
    if (oldest !== undefined) kept.delete(oldest);
  }

  return {
    async read({ bookId, periods }) {
      const figures = periods.map((period) => find(nameOf(bookId, period), period));
      const missing = periods.filter((_, index) => figures[index] === undefined);
      const readAtMs = deps.now().getTime();
      const fresh = await readFigures(deps.database, { bookId, periods: missing });
      for (const [index, period] of missing.entries()) {
        const one = fresh[index];
        if (one !== undefined) keep(nameOf(bookId, period), { figures: one, readAtMs });
      }
      return periods.map((period, index) => {
        const one = figures[index] ?? fresh[missing.indexOf(period)];
        if (one === undefined) throw new Error('a period has no figures');
        return one;
      });
    },
    isKept: (bookId, period) => find(nameOf(bookId, period), period) !== undefined,
  };
}

function nameOf(bookId: string, { from, to }: Period): string {
  return `${bookId} ${from.getTime()} ${to.getTime()}`;
}

function isStale({ figures, readAtMs }: Kept, { to }: Period, nowMs: number): boolean {
  const ageMs = readAtMs - to.getTime();
  if (ageMs < SETTLED_AFTER_MS) return true;
  if (figures.groups.length === 0) return nowMs - readAtMs > EMPTY_KEPT_MS;
  const hasUnfinished = figures.groups.some(({ state }) => STATE_RULES[state].status === 'pending');
  return hasUnfinished && nowMs - readAtMs > ageMs * REFRESH_SHARE;
}
