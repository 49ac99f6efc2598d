import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type { Page as ListPage } from '../../api/page.ts';
import type { Calendar, Schedule } from '../../api/schedule-types.ts';
import { useBookApi } from '../../app/book-api.ts';
import { useCursor } from '../../app/cursor-pages.ts';
import { useInactive } from '../../app/may-act.ts';
import { Page } from '../../app/page.tsx';
import { usePreferences } from '../../app/preferences.ts';
import { useBookKey } from '../../app/session.ts';
import { dayOf } from '../../format/day-start.ts';
import { Button } from '../../parts/button.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { placeNames } from '../../texts/en/places.ts';
import { schedules as texts } from '../../texts/en/schedules.ts';
import { DayCard } from './day-card.tsx';
import { HolidaysCard } from './holidays-card.tsx';
import { MonthCalendar } from './month-calendar.tsx';
import { ScheduleForm } from './schedule-form.tsx';
import { ScheduleList } from './schedule-list.tsx';

const PAGE_SCHEDULES = 50;

type Search = Readonly<Partial<Record<'month' | 'day' | 'country', string>>>;

export default function SchedulesScreen() {
  const { timeZone } = usePreferences();
  const inactive = useInactive();
  const search = useSearch({ strict: false }) as Search;
  const [isAdding, setAdding] = useState(false);
  const today = dayOf(new Date(), timeZone);
  const month = search.month ?? search.day?.slice(0, 7) ?? today.slice(0, 7);
  const calendar = useCalendar(month, search.country);
  const paging = useCursor();
  const list = useSchedules(paging.cursor);
  return (
    <Page
      title={placeNames.schedules}
      intro={texts.intro}
      actions={
        <Button
          kind="main"
          icon="plus"
          inactive={inactive('payouts:write')}
          onClick={() => setAdding(true)}
        >
          {`${texts.add}…`}
        </Button>
      }
    >
      <div className="grid g-calendar">
        <div className="stack">
          <Loaded found={calendar} rows={6}>
            {(found) => <MonthCalendar calendar={found} today={today} chosen={search.day} />}
          </Loaded>
          {calendar.data !== undefined && <HolidaysCard days={calendar.data.days} />}
        </div>
        <div className="stack">
          {calendar.data !== undefined && (
            <DayCard calendar={calendar.data} chosen={search.day} today={today} />
          )}
          <Loaded found={list} title={texts.list.title} rows={3}>
            {({ items, nextCursor }) => (
              <ScheduleList
                schedules={items}
                asOf={list.dataUpdatedAt}
                onOlder={paging.older(nextCursor)}
                onNewer={paging.newer}
              />
            )}
          </Loaded>
        </div>
      </div>
      {isAdding && <ScheduleForm onClose={() => setAdding(false)} />}
    </Page>
  );
}

function useCalendar(month: string, country: string | undefined) {
  const api = useBookApi();
  const key = useBookKey();
  const query = { month, country };
  return useQuery({
    queryKey: key('calendar', query),
    queryFn: ({ signal }) => api<Calendar>({ path: '/calendar', query, signal }),
    placeholderData: keepPreviousData,
  });
}

function useSchedules(cursor: string | undefined) {
  const api = useBookApi();
  const key = useBookKey();
  const query = { limit: PAGE_SCHEDULES, cursor };
  return useQuery({
    queryKey: key('schedules', query),
    queryFn: ({ signal }) => api<ListPage<Schedule>>({ path: '/schedules', query, signal }),
    placeholderData: keepPreviousData,
  });
}
