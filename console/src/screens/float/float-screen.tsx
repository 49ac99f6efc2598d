import type { StaffFloat } from '../../api/staff-types.ts';
import { Page } from '../../app/page.tsx';
import { useStaffQuery } from '../../app/staff-api.ts';
import { Card } from '../../parts/card.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Paging } from '../../parts/table-strip.tsx';
import { float as texts } from '../../texts/en/float.ts';
import { placeNames } from '../../texts/en/places.ts';
import { FloatTable } from './float-table.tsx';

export default function FloatScreen() {
  const found = useStaffQuery<{ asOf: string; items: readonly StaffFloat[] }>({
    path: '/floats',
    refetchMs: 15_000,
  });
  return (
    <Page title={placeNames.float} intro={texts.intro}>
      <Loaded found={found}>
        {({ items }) => (
          <Card>
            {items.length === 0 ? (
              <Empty icon="wallet" title={texts.empty}>
                {texts.emptyDetail}
              </Empty>
            ) : (
              <>
                <FloatTable floats={items} />
                <Paging
                  summary={`${texts.count(items.length)} · ${texts.rule}`}
                  asOf={found.dataUpdatedAt}
                />
              </>
            )}
          </Card>
        )}
      </Loaded>
    </Page>
  );
}
