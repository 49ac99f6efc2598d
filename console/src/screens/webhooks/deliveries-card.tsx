import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Delivery, Webhook } from '../../api/developer-types.ts';
import type { Page as ListPage } from '../../api/page.ts';
import { useBookApi } from '../../app/book-api.ts';
import { useCursor } from '../../app/cursor-pages.ts';
import { useInactive } from '../../app/may-act.ts';
import { type OpenRow, useOpenRow } from '../../app/open-row.ts';
import { usePreferences } from '../../app/preferences.ts';
import { useBookKey } from '../../app/session.ts';
import { periodOf } from '../../format/zoned-time.ts';
import { toast } from '../../parts/announce.tsx';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Refused } from '../../parts/failure.tsx';
import { type Filter, Filters, useFilters } from '../../parts/filters.tsx';
import { NoRows } from '../../parts/no-rows.tsx';
import { openingColumns } from '../../parts/opening-columns.tsx';
import { PagedRows } from '../../parts/paged-rows.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Duration, Time } from '../../parts/time.tsx';
import { Id, Tag } from '../../parts/words.tsx';
import { webhooks } from '../../texts/en/webhooks.ts';
import { DeliveryDetail } from './delivery-detail.tsx';
import { isAccepted } from './endpoint-health.ts';
import { useEventNames } from './event-names.ts';
import { ReplayMany } from './replay-many.tsx';

const texts = webhooks.deliveries;

const FILTERS: readonly Filter[] = [
  {
    name: 'state',
    label: texts.filterState,
    options: Object.entries(texts.states).map(([value, label]) => ({ value, label })),
  },
  { name: 'from', label: texts.from, type: 'date' },
  { name: 'to', label: texts.to, type: 'date' },
];

export function DeliveriesCard({ webhook }: Readonly<{ webhook: Webhook }>) {
  const api = useBookApi();
  const key = useBookKey();
  const paging = useCursor();
  const { timeZone } = usePreferences();
  const { values, set, clear } = useFilters(FILTERS);
  const may = useInactive()('webhooks:write');
  const [isMany, setMany] = useState(false);
  const query = {
    state: values['state'],
    ...periodOf({ from: values['from'], to: values['to'] }, timeZone),
    cursor: paging.cursor,
    limit: 25,
  };
  const found = useQuery({
    queryKey: key('webhooks', webhook.id, 'deliveries', query),
    queryFn: ({ signal }) =>
      api<ListPage<Delivery>>({ path: `/webhooks/${webhook.id}/deliveries`, query, signal }),
    placeholderData: keepPreviousData,
  });
  const isFiltered = Object.keys(values).length > 0;
  return (
    <Card
      title={texts.title}
      aside={
        <Button size="sm" inactive={may} onClick={() => setMany(true)}>
          {texts.many}
        </Button>
      }
    >
      <div className="card-pad pt-0">
        <Filters filters={FILTERS} values={values} onSet={set} />
      </div>
      <PagedRows
        found={found}
        paging={paging}
        loadingRows={4}
        summary={texts.order}
        empty={<NoRows icon="hook" texts={texts} isFiltered={isFiltered} onClear={clear} />}
      >
        {(deliveries) => <DeliveryTable deliveries={deliveries} />}
      </PagedRows>
      {isMany && <ReplayMany webhook={webhook} onClose={() => setMany(false)} />}
    </Card>
  );
}

function DeliveryTable({ deliveries }: Readonly<{ deliveries: readonly Delivery[] }>) {
  const api = useBookApi();
  const key = useBookKey();
  const queries = useQueryClient();
  const may = useInactive()('webhooks:write');
  const row = useOpenRow();
  const names = useEventNames();
  const replay = useMutation({
    mutationFn: ({ id }: Delivery) =>
      api<Delivery>({ method: 'POST', path: `/webhooks/deliveries/${id}/replay` }),
    onSuccess: async (delivery) => {
      toast(texts.sending(delivery.eventType), 'info');
      await queries.invalidateQueries({ queryKey: key('webhooks') });
    },
  });
  const act = {
    inactive: may,
    busyId: replay.isPending ? replay.variables.id : undefined,
    send: replay.mutate,
  };
  return (
    <>
      {replay.isError && (
        <div className="card-pad pt-0">
          <Refused error={replay.error} />
        </div>
      )}
      <Table
        caption={texts.caption}
        columns={columnsOf({ row, names, act })}
        rows={deliveries}
        idOf={({ id }) => id}
        onOpen={({ id }) => row.toggle(id)}
        detailOf={(delivery) => detailOf(delivery, row)}
      />
    </>
  );
}

function detailOf(delivery: Delivery, { open }: OpenRow) {
  return delivery.id === open ? <DeliveryDetail delivery={delivery} /> : undefined;
}

type SendAct = Readonly<{
  inactive: string | undefined;
  busyId: string | undefined;
  send: (delivery: Delivery) => void;
}>;

type Shown = Readonly<{ row: OpenRow; names: ReadonlyMap<string, string>; act: SendAct }>;

function columnsOf({ row, names, act }: Shown): readonly Column<Delivery>[] {
  const { time, name } = openingColumns<Delivery>({
    row,
    time: { head: texts.time, at: ({ createdAt }) => createdAt, fold: 'state' },
    name: {
      head: texts.event,
      id: ({ id }) => id,
      word: ({ eventType }) => <code className="strong">{eventType}</code>,
      title: ({ eventType }) => texts.open(eventType),
      below: ({ eventId }) => names.get(eventId) ?? <Id id={eventId} />,
    },
  });
  return [
    time,
    name,
    { key: 'answer', head: texts.answer, fold: 'num', cell: (one) => <Answer delivery={one} /> },
    {
      key: 'tries',
      head: texts.tries,
      isNumber: true,
      fold: 'hide',
      cell: ({ attempts }) => attempts.length,
    },
    {
      key: 'took',
      head: texts.took,
      isNumber: true,
      fold: 'hide',
      cell: ({ attempts }) => {
        const last = attempts.at(-1);
        return last === undefined ? '–' : <Duration ms={last.elapsedMs} />;
      },
    },
    {
      key: 'act',
      head: <span className="visually-hidden">{texts.action}</span>,
      isNumber: true,
      fold: 'time',
      cell: (delivery) => <SendAgain delivery={delivery} act={act} />,
    },
  ];
}

function SendAgain({ delivery, act }: Readonly<{ delivery: Delivery; act: SendAct }>) {
  const label = delivery.state === 'pending' ? texts.sendNow : texts.sendAgain;
  return (
    <Button
      size="sm"
      inactive={act.inactive}
      isBusy={act.busyId === delivery.id}
      aria-label={`${label}: ${delivery.eventType}`}
      onClick={() => act.send(delivery)}
    >
      {label}
    </Button>
  );
}

function Answer({ delivery }: Readonly<{ delivery: Delivery }>) {
  const last = delivery.attempts.at(-1);
  if (last === undefined) return <span className="faint">{texts.notSent}</span>;
  return (
    <span className="two">
      <Tag tone={isAccepted(last.status) ? 'good' : 'bad'}>{last.status ?? texts.noAnswer}</Tag>
      {delivery.nextAttemptAt !== null && (
        <small>
          {texts.next} <Time at={delivery.nextAttemptAt} />
        </small>
      )}
      {delivery.state === 'failed' && <small>{texts.givenUp}</small>}
    </span>
  );
}
