import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { COUNTRIES } from '../../../../service/src/domain/operator.ts';
import type { Holiday } from '../../api/schedule-types.ts';
import { Page } from '../../app/page.tsx';
import { useInactive, useStaffQuery } from '../../app/staff-api.ts';
import { formatCountry } from '../../format/format-operator.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Empty } from '../../parts/empty.tsx';
import { SegmentField } from '../../parts/field.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Paging } from '../../parts/table-strip.tsx';
import { holidays as texts } from '../../texts/en/holidays.ts';
import { placeNames } from '../../texts/en/places.ts';
import { sayDay } from '../schedules/say-recurrence.ts';
import { EnterHoliday, RemoveHoliday } from './change-holiday.tsx';

type Search = Readonly<Partial<Record<'country' | 'year', string>>>;

export default function HolidaysScreen() {
  const inactive = useInactive()('holidays:write');
  const navigate = useNavigate();
  const search = useSearch({ strict: false }) as Search;
  const country = search.country ?? COUNTRIES[0];
  const year = Number(search.year ?? new Date().getFullYear());
  const found = useStaffQuery<{ items: readonly Holiday[] }>({
    path: '/holidays',
    query: { country, year },
  });
  const [isEntering, setEntering] = useState(false);
  const [removed, setRemoved] = useState<Holiday>();
  return (
    <Page
      title={placeNames.holidays}
      intro={`${texts.intro} ${texts.declared}`}
      actions={
        <Button kind="main" icon="plus" inactive={inactive} onClick={() => setEntering(true)}>
          {`${texts.enter}…`}
        </Button>
      }
    >
      <div className="actions years mb">
        <SegmentField
          label={texts.country}
          value={country}
          options={COUNTRIES.map((one) => ({ value: one, label: formatCountry(one) }))}
          onChange={(value) => void navigate({ to: '.', search: { ...search, country: value } })}
        />
        <YearLink year={year - 1} />
        <b>{year}</b>
        <YearLink year={year + 1} />
      </div>
      <Loaded found={found} rows={6}>
        {({ items }) => (
          <HolidayTable
            holidays={items}
            asOf={found.dataUpdatedAt}
            inactive={inactive}
            onRemove={setRemoved}
          />
        )}
      </Loaded>
      {isEntering && <EnterHoliday country={country} onClose={() => setEntering(false)} />}
      {removed !== undefined && (
        <RemoveHoliday holiday={removed} onClose={() => setRemoved(undefined)} />
      )}
    </Page>
  );
}

function YearLink({ year }: Readonly<{ year: number }>) {
  return (
    <Link
      to="."
      search={(now: object) => ({ ...now, year: String(year) }) as never}
      className="btn btn-sm"
    >
      {year}
    </Link>
  );
}

type TableGiven = Readonly<{
  holidays: readonly Holiday[];
  asOf: number;
  inactive: string | undefined;
  onRemove: (holiday: Holiday) => void;
}>;

function HolidayTable({ holidays, asOf, inactive, onRemove }: TableGiven) {
  return (
    <Card>
      {holidays.length === 0 ? (
        <Empty icon="calendar" title={texts.empty}>
          {texts.emptyDetail}
        </Empty>
      ) : (
        <>
          <Table
            caption={texts.caption}
            columns={columnsOf(inactive, onRemove)}
            rows={holidays}
            idOf={({ day }) => day}
          />
          <Paging asOf={asOf} summary={`${texts.count(holidays.length)} · ${texts.order}`} />
        </>
      )}
    </Card>
  );
}

function columnsOf(
  inactive: string | undefined,
  onRemove: (holiday: Holiday) => void,
): readonly Column<Holiday>[] {
  return [
    {
      key: 'name',
      head: texts.name,
      isRowHead: true,
      fold: 'main',
      cell: ({ name }) => name,
    },
    {
      key: 'day',
      head: texts.day,
      fold: 'num',
      cell: ({ day }) => <time dateTime={day}>{sayDay(day)}</time>,
    },
    { key: 'source', head: texts.source, fold: 'more', cell: ({ source }) => source },
    { key: 'by', head: texts.enteredBy, fold: 'hide', cell: ({ enteredBy }) => enteredBy },
    {
      key: 'act',
      head: <span className="visually-hidden">{texts.remove}</span>,
      isNumber: true,
      fold: 'act',
      cell: (holiday) => (
        <Button
          size="sm"
          kind="danger"
          inactive={inactive}
          aria-label={texts.removeAct(holiday.name)}
          onClick={() => onRemove(holiday)}
        >
          {texts.remove}
        </Button>
      ),
    },
  ];
}
