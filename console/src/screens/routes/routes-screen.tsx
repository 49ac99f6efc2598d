import type { StaffRoute } from '../../api/staff-types.ts';
import { Page } from '../../app/page.tsx';
import { useStaffQuery } from '../../app/staff-api.ts';
import { Card } from '../../parts/card.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Paging } from '../../parts/table-strip.tsx';
import { placeNames } from '../../texts/en/places.ts';
import { routes as texts } from '../../texts/en/routes.ts';
import { RouteTable } from '../staff/route-table.tsx';

export default function RoutesScreen() {
  const found = useStaffQuery<{ items: readonly StaffRoute[] }>({ path: '/routes' });
  return (
    <Page title={placeNames.routes} intro={texts.intro}>
      <Loaded found={found}>
        {({ items }) => (
          <Card>
            {items.length === 0 ? (
              <Empty icon="route" title={texts.empty}>
                {texts.emptyDetail}
              </Empty>
            ) : (
              <>
                <RouteTable routes={items} />
                <Paging
                  summary={`${texts.count(items.length)} · ${texts.lastHour}`}
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
