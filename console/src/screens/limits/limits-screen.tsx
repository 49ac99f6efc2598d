import { useSearch } from '@tanstack/react-router';
import { useBookApi } from '../../app/book-api.ts';
import { useInactive } from '../../app/may-act.ts';
import { Page } from '../../app/page.tsx';
import { useBook, useBookKey } from '../../app/session.ts';
import { Tabs } from '../../parts/tabs.tsx';
import { lists as texts } from '../../texts/en/lists.ts';
import { placeNames } from '../../texts/en/places.ts';
import type { EntryHome } from './entry-home.ts';
import { EntryList } from './entry-list.tsx';
import { LimitsPart } from './limits-part.tsx';
import { ScreenersPart } from './screeners-part.tsx';

const TABS = ['limits', 'deny', 'allow', 'screeners'] as const;

export default function LimitsScreen() {
  const { which } = useSearch({ strict: false }) as { which?: string };
  const tab = TABS.find((one) => one === which) ?? 'limits';
  const home = useBookHome();
  const inactive = useInactive()('lists:write');
  return (
    <Page title={placeNames.limits} intro={texts.intro}>
      <Tabs
        label={texts.which}
        tabs={TABS.map((one) => ({
          key: one,
          label: texts.tabs[one],
          search: one === 'limits' ? {} : { which: one },
          isCurrent: one === tab,
        }))}
      />
      {tab === 'limits' && <LimitsPart />}
      {(tab === 'deny' || tab === 'allow') && (
        <EntryList key={tab} list={tab} home={home} inactive={inactive} />
      )}
      {tab === 'screeners' && <ScreenersPart />}
    </Page>
  );
}

function useBookHome(): EntryHome {
  const api = useBookApi();
  const key = useBookKey();
  const { mode } = useBook();
  return { isCompanys: false, api, key, needsFactor: mode === 'live' };
}
