/** One page of a list, in the order of the list. */
export type MergedPage<T> = Readonly<{ items: readonly T[]; more: boolean }>;

/**
 * A page of a list whose rows live in several places. Each part has one row more than the page where it has as many, in
 * the order of the list, so the first rows of all of them are among what was read, and `more` is exact.
 */
export function mergePages<T>(
  parts: readonly (readonly T[])[],
  {
    limit,
    compare,
  }: Readonly<{
    limit: number;
    /** Below 0: the first comes first. Each part is in this order. */
    compare: (a: T, b: T) => number;
  }>,
): MergedPage<T> {
  const merged = parts.length === 1 ? (parts[0] ?? []) : parts.flat().sort(compare);
  return { items: merged.slice(0, limit), more: merged.length > limit };
}
