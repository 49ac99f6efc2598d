import { Link, useParams } from '@tanstack/react-router';
import type { StaffRoute } from '../../api/staff-types.ts';
import { Page } from '../../app/page.tsx';
import { useStaffQuery } from '../../app/staff-api.ts';
import { formatCount } from '../../format/format-amount.ts';
import { Card, Facts } from '../../parts/card.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { nameOutcome } from '../../texts/en/decisions.ts';
import { placeNames } from '../../texts/en/places.ts';
import { routes as texts } from '../../texts/en/routes.ts';
import { namePairs, RouteTag, showKnown, showMs, showRate } from '../staff/route-words.tsx';
import { HistoryCard } from './history-card.tsx';
import { RouteActs } from './route-acts.tsx';

type Code = StaffRoute['codes'][number];

const CODE_COLUMNS: readonly Column<Code>[] = [
  {
    key: 'code',
    head: texts.codes.code,
    isRowHead: true,
    fold: 'main',
    cell: ({ code }) => (
      <code>{code === 'none' ? texts.codes.noAnswer : texts.codes.http(code)}</code>
    ),
  },
  {
    key: 'meaning',
    head: texts.codes.meaning,
    fold: 'state',
    cell: ({ meaning }) => nameOutcome(meaning),
  },
  {
    key: 'count',
    head: texts.codes.count,
    isNumber: true,
    fold: 'num',
    cell: ({ count }) => formatCount(count),
  },
];

export default function RouteScreen() {
  const { routeName = '' } = useParams({ strict: false });
  const found = useStaffQuery<{ items: readonly StaffRoute[] }>({ path: '/routes' });
  const route = found.data?.items.find(({ name }) => name === routeName);
  return (
    <Page
      title={routeName}
      crumbs={[
        <Link key="list" to="/staff/routes">
          {placeNames.routes}
        </Link>,
        routeName,
      ]}
      intro={
        route === undefined ? undefined : (
          <span className="head-facts">
            <RouteTag state={route.state} />
            <span>{namePairs(route)}</span>
            <Link to="/staff/transfers" search={{ route: route.name }}>
              {texts.transfers}
            </Link>
          </span>
        )
      }
      actions={route === undefined ? undefined : <RouteActs key={route.name} route={route} />}
    >
      <Loaded found={found}>
        {() => (
          <div className="stack">
            {route === undefined ? (
              <Card>
                <Empty icon="route" title={texts.unknown}>
                  {texts.unknownDetail}
                </Empty>
              </Card>
            ) : (
              <RouteCards route={route} />
            )}
            <HistoryCard key={routeName} routeName={routeName} />
          </div>
        )}
      </Loaded>
    </Page>
  );
}

function RouteCards({ route }: Readonly<{ route: StaffRoute }>) {
  return (
    <>
      <div className="grid g2">
        <Card title={texts.facts.title} isPadded>
          <Facts
            facts={[
              [texts.facts.state, <RouteTag key="state" state={route.state} />],
              ...(route.why === null ? [] : [[texts.facts.why, route.why] as const]),
              ...(route.by === null ? [] : [[texts.facts.by, route.by] as const]),
              ...(route.since === null
                ? []
                : [[texts.facts.since, <Time key="since" at={route.since} />] as const]),
              [texts.facts.connector, <code key="connector">{route.connector}</code>],
              [texts.facts.underWay, texts.of(route.used, route.limit)],
              [texts.facts.queued, showKnown(route.queued)],
            ]}
          />
        </Card>
        <Card title={texts.hour.title} isPadded>
          <Facts
            isMoney
            facts={[
              [texts.hour.submitted, showKnown(route.submitted1h)],
              [texts.hour.paid, showKnown(route.succeeded1h)],
              [texts.hour.refused, showKnown(route.failed1h)],
              [texts.hour.rate, showRate(route.successRate)],
              [texts.hour.median, showMs(route.medianMs)],
              [texts.hour.p99, showMs(route.p99Ms)],
            ]}
          />
        </Card>
      </div>
      <Card title={texts.codes.title}>
        {route.codes.length === 0 ? (
          <p className="card-pad pt-0 soft">{texts.codes.none}</p>
        ) : (
          <Table
            caption={texts.codes.caption}
            columns={CODE_COLUMNS}
            rows={route.codes}
            idOf={({ code, meaning }) => `${code} ${meaning}`}
          />
        )}
      </Card>
    </>
  );
}
