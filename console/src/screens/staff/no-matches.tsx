import { Button } from '../../parts/button.tsx';
import { Empty } from '../../parts/empty.tsx';
import { type Filter, type FilterValues, showValue } from '../../parts/filters.tsx';
import { staffTransfers as texts } from '../../texts/en/staff-transfers.ts';

/** The filters in words, and the way out. */
export function NoMatches({
  filters,
  values,
  onClear,
}: Readonly<{ filters: readonly Filter[]; values: FilterValues; onClear: () => void }>) {
  const said = filters.flatMap((filter) => {
    const value = values[filter.name];
    return value === undefined ? [] : [`${filter.label} ${showValue(filter, value)}`];
  });
  return (
    <Empty
      icon="search"
      title={texts.nothing}
      actions={
        <Button kind="main" onClick={onClear}>
          {texts.clear}
        </Button>
      }
    >
      {texts.nothingDetail(said.join(', '))}
    </Empty>
  );
}
