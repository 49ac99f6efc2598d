import type { StaffOverview } from '../../api/staff-types.ts';
import { Page } from '../../app/page.tsx';
import { usePreferences } from '../../app/preferences.ts';
import { useStaffQuery } from '../../app/staff-api.ts';
import { formatDay } from '../../format/format-time.ts';
import { Card } from '../../parts/card.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { placeNames } from '../../texts/en/places.ts';
import { routes as routeTexts } from '../../texts/en/routes.ts';
import { staffOverview as texts } from '../../texts/en/staff-overview.ts';
import { RouteTable } from '../staff/route-table.tsx';
import { FailingCard } from './failing-card.tsx';
import { Figures } from './figures.tsx';
import { Plots } from './plots.tsx';
import { QueuesCard } from './queues-card.tsx';
import { WorkCard } from './work-card.tsx';

export default function StaffOverviewScreen() {
  const { timeZone } = usePreferences();
  const found = useStaffQuery<StaffOverview>({ path: '/overview' });
  return (
    <Page title={placeNames.overview} intro={texts.intro(formatDay(new Date(), timeZone))}>
      <Loaded found={found} rows={8}>
        {(overview) => (
          <div className="stack">
            <Figures overview={overview} />
            <Card title={texts.operators} aside={routeTexts.lastHour}>
              <RouteTable routes={overview.routes} />
            </Card>
            <WorkCard overview={overview} />
            <Plots overview={overview} />
            <div className="grid g2">
              <QueuesCard queues={overview.queues} />
              <FailingCard failing={overview.webhooks.failing} />
            </div>
          </div>
        )}
      </Loaded>
    </Page>
  );
}
