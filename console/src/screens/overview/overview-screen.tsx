import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef } from 'react';
import type { Overview } from '../../api/transfer-types.ts';
import { useBookApi } from '../../app/book-api.ts';
import { createLaterLook } from '../../app/later-look.ts';
import { Page } from '../../app/page.tsx';
import { usePreferences } from '../../app/preferences.ts';
import { useBookKey } from '../../app/session.ts';
import { useChanges } from '../../app/stream.tsx';
import { formatDay } from '../../format/format-time.ts';
import { Card } from '../../parts/card.tsx';
import { PartFailed } from '../../parts/failure.tsx';
import { LoadingRows } from '../../parts/loading.tsx';
import { placeNames } from '../../texts/en/places.ts';
import { NeedsCard } from './needs-card.tsx';
import { PaidPlot, RatePlot } from './plots.tsx';
import { TodayCard } from './today-card.tsx';
import { VolumeCard } from './volume-card.tsx';
import { WalletCards } from './wallet-cards.tsx';

export default function OverviewScreen() {
  const api = useBookApi();
  const key = useBookKey();
  const { timeZone } = usePreferences();
  const found = useQuery({
    queryKey: key('overview'),
    queryFn: ({ signal }) => api<Overview>({ path: '/overview', signal }),
  });
  useLaterLook(() => void found.refetch());
  return (
    <Page title={placeNames.overview} intro={formatDay(new Date(), timeZone)}>
      {found.data !== undefined ? (
        <Whole overview={found.data} />
      ) : (
        <Card>
          {found.isError ? (
            <PartFailed error={found.error} onRetry={() => void found.refetch()} />
          ) : (
            <LoadingRows rows={8} />
          )}
        </Card>
      )}
    </Page>
  );
}

/** The service keeps its figures for 5 s: what changed within them shows with one more look after that. */
const LATER_LOOK_MS = 5_500;

function useLaterLook(look: () => void): void {
  const onTime = useEffectEvent(look);
  const later = useRef<ReturnType<typeof createLaterLook>>(undefined);
  useEffect(() => {
    const made = createLaterLook(() => onTime(), LATER_LOOK_MS);
    // The first figures may be as old.
    made.plan();
    later.current = made;
    return made.stop;
  }, []);
  useChanges(() => later.current?.plan());
}

function Whole({ overview }: Readonly<{ overview: Overview }>) {
  return (
    <div className="stack">
      <NeedsCard needs={overview.needsYou} />
      <WalletCards wallets={overview.wallets} />
      <TodayCard today={overview.today} />
      <div className="grid g3">
        <PaidPlot days={overview.days} />
        <RatePlot days={overview.days} />
        <VolumeCard operators={overview.operators} />
      </div>
    </div>
  );
}
