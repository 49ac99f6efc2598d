import type { Queryable } from './session.ts';

/** One page of a list, in the order of the list. */
export type MergedPage<T> = Readonly<{ items: readonly T[]; more: boolean }>;

/**
 * A page of a list whose rows live in several databases. Each is asked for one row more than the page has, in the order
 * of the list, so the first rows of all of them are among what is read, and `more` is exact.
 */
export async function mergePages<T>(
  databases: readonly Queryable[],
  page: Readonly<{
    limit: number;
    /** Below 0: the first comes first. Each database answers in this order. */
    compare: (a: T, b: T) => number;
    read: (database: Queryable, max: number) => Promise<readonly T[]>;
  }>,
): Promise<MergedPage<T>> {
  const { limit, compare, read } = page;
  const parts = await Promise.all(databases.map((database) => read(database, limit + 1)));
  const merged = parts.length === 1 ? (parts[0] ?? []) : parts.flat().sort(compare);
  return { items: merged.slice(0, limit), more: merged.length > limit };
}

/** The one row that any of the databases has; undefined: none has it. */
export async function findInAny<T>(
  databases: readonly Queryable[],
  find: (database: Queryable) => Promise<T | undefined>,
): Promise<T | undefined> {
  const found = await Promise.all(databases.map(find));
  return found.find((row) => row !== undefined);
}
