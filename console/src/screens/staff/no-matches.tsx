import { type Filter, type FilterValues, showValue } from '../../parts/filters.tsx';
import { NothingFound } from '../../parts/nothing-found.tsx';
import { staffTransfers as texts } from '../../texts/en/staff-transfers.ts';

/** Says in words which filters leave no row, and clears them. */
export function NoMatches({
  filters,
  values,
  title = texts.nothing,
  onClear,
}: Readonly<{
  filters: readonly Filter[];
  values: FilterValues;
  /** Where they look at a part only: at which. */
  title?: string | undefined;
  onClear: () => void;
}>) {
  const said = filters.flatMap((filter) => {
    const value = values[filter.name];
    return value === undefined ? [] : [`${filter.label} ${showValue(filter, value)}`];
  });
  return (
    <NothingFound texts={{ ...texts, nothing: title }} onClear={onClear}>
      {texts.nothingDetail(said.join(', '))}
    </NothingFound>
  );
}
