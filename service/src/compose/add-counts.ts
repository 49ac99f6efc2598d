import type { UnfinishedCounts } from '../telemetry/metric-sources.ts';

/** The counts of several cells as one. Of ages the oldest counts. */
export function addCounts(counts: readonly UnfinishedCounts[]): UnfinishedCounts {
  const sum = (valueOf: (count: UnfinishedCounts) => number) =>
    counts.reduce((total, count) => total + valueOf(count), 0);
  return {
    inState: merge(
      counts.flatMap(({ inState }) => inState),
      ({ mode, state }) => `${mode} ${state}`,
      (left, right) => ({ ...left, count: left.count + right.count }),
    ),
    oldest: merge(
      counts.flatMap(({ oldest }) => oldest),
      ({ mode, state }) => `${mode} ${state}`,
      (left, right) => ({ ...left, ageSeconds: Math.max(left.ageSeconds, right.ageSeconds) }),
    ),
    doubts: merge(
      counts.flatMap(({ doubts }) => doubts),
      ({ mode, kind, operator, needsPerson }) => `${mode} ${kind} ${operator} ${needsPerson}`,
      (left, right) => ({ ...left, count: left.count + right.count }),
    ),
    recipientsUnresolved: sum(({ recipientsUnresolved }) => recipientsUnresolved),
    incidentsOpen: sum(({ incidentsOpen }) => incidentsOpen),
    approvalsImpossible: sum(({ approvalsImpossible }) => approvalsImpossible),
  };
}

function merge<T>(
  items: readonly T[],
  keyOf: (item: T) => string,
  add: (left: T, right: T) => T,
): readonly T[] {
  const merged = new Map<string, T>();
  for (const item of items) {
    const key = keyOf(item);
    const known = merged.get(key);
    merged.set(key, known === undefined ? item : add(known, item));
  }
  return [...merged.values()];
}
