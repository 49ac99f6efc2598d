import type { Doubt, Some } from '../../api/staff-types.ts';
import { Page } from '../../app/page.tsx';
import { useStaffQuery } from '../../app/staff-api.ts';
import { type Filter, Filters, useFilters } from '../../parts/filters.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { doubts as texts } from '../../texts/en/doubts.ts';
import { placeNames } from '../../texts/en/places.ts';
import { modeOptions, operatorOptions } from '../staff/filter-options.ts';
import { KIND_OPTIONS } from './doubt-kinds.ts';
import { DoubtList } from './doubt-list.tsx';

const FILTERS: readonly Filter[] = [
  { name: 'mode', label: texts.filters.mode, options: modeOptions },
  { name: 'operator', label: texts.filters.operator, options: operatorOptions },
  { name: 'kind', label: texts.filters.kind, options: KIND_OPTIONS },
];

export default function DoubtsScreen() {
  const { values, set, clear } = useFilters(FILTERS);
  const found = useStaffQuery<Some<Doubt>>({ path: '/doubts', query: values });
  return (
    <Page title={placeNames.doubts} intro={texts.intro}>
      <Filters filters={FILTERS} values={values} onSet={set} />
      <Loaded found={found} rows={6}>
        {(data) => (
          <DoubtList
            doubts={data.items}
            hasMore={data.more}
            asOf={found.dataUpdatedAt}
            // What was shown before stays only while the filters are the same.
            listKey={`${JSON.stringify(values)} ${found.isPlaceholderData}`}
            onClear={Object.keys(values).length === 0 ? undefined : clear}
          />
        )}
      </Loaded>
    </Page>
  );
}
