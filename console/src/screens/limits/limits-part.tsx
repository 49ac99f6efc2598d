import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Limit, Limits } from '../../api/control-types.ts';
import { useBookApi } from '../../app/book-api.ts';
import { useBook, useBookKey } from '../../app/session.ts';
import { formatPercent } from '../../format/format-amount.ts';
import { formatPhone } from '../../format/format-phone.ts';
import { sayDuration } from '../../format/iso-duration.ts';
import { Amount } from '../../parts/amount.tsx';
import { Card } from '../../parts/card.tsx';
import { Empty } from '../../parts/empty.tsx';
import { type Filter, Filters, useFilters } from '../../parts/filters.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Meter } from '../../parts/meter.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Paging } from '../../parts/table-strip.tsx';
import { Time } from '../../parts/time.tsx';
import { lists } from '../../texts/en/lists.ts';

const texts = lists.limits;

const FILTERS: readonly Filter[] = [
  { name: 'phone', label: texts.filter, type: 'tel', help: texts.phoneHelp, show: formatPhone },
];

/** The rest of each limit: of wallets, keys and people, and of one recipient on request. */
export function LimitsPart() {
  const api = useBookApi();
  const key = useBookKey();
  const { values, set } = useFilters(FILTERS);
  const found = useQuery({
    queryKey: key('limits', values),
    queryFn: ({ signal }) => api<Limits>({ path: '/limits', query: values, signal }),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <Filters filters={FILTERS} values={values} onSet={set} />
      <Loaded found={found} rows={4}>
        {({ items, isComplete }) => (
          <Card>
            {items.length === 0 ? (
              <NoLimits />
            ) : (
              <>
                <Table caption={texts.caption} columns={COLUMNS} rows={items} idOf={idOf} />
                <Paging
                  summary={isComplete ? texts.total(items.length) : texts.more(items.length)}
                  asOf={found.dataUpdatedAt}
                />
              </>
            )}
          </Card>
        )}
      </Loaded>
    </>
  );
}

function NoLimits() {
  const { id } = useBook();
  return (
    <Empty
      icon="limits"
      title={texts.empty}
      actions={
        <Link to={`/b/${id}/policy`} className="btn">
          {texts.toPolicy}
        </Link>
      }
    >
      {texts.emptyDetail}
    </Empty>
  );
}

function idOf({ rule, kind, by, subject, currency }: Limit): string {
  return [rule ?? '', kind, by, subject, currency].join(' ');
}

const COLUMNS: readonly Column<Limit>[] = [
  {
    key: 'subject',
    head: texts.subject,
    isRowHead: true,
    fold: 'main',
    cell: ({ name, by }) => (
      <span className="two">
        {by === 'recipient' ? formatPhone(name) : name}
        <small>{texts.by[by] ?? by}</small>
      </span>
    ),
  },
  {
    key: 'rule',
    head: texts.rule,
    fold: 'state',
    cell: ({ rule, kind, window, currency, refuses }) => (
      <span className="two">
        {rule === null ? texts.walletLimit : texts.ruleName(rule)}
        <small>
          {[
            texts.windows[window] ?? sayDuration(window),
            // Counts are apart for each currency, and do not say theirs.
            ...(kind === 'count' ? [currency] : []),
            refuses ? texts.refuses : texts.asks,
          ].join(', ')}
        </small>
      </span>
    ),
  },
  {
    key: 'left',
    head: texts.left,
    isNumber: true,
    fold: 'num',
    cell: (limit) => (
      <span className={isSpent(limit) ? 'bad-ink strong' : 'strong'}>
        <Figure limit={limit} value={limit.left} />
      </span>
    ),
  },
  {
    key: 'used',
    head: texts.used,
    fold: 'more',
    cell: (limit) => (
      <span className="two limit-used">
        <span>
          <Figure limit={limit} value={limit.used} /> {texts.limit}{' '}
          <Figure limit={limit} value={limit.limit} />
        </span>
        <Meter used={shareOf(limit)} label={texts.usedShare(formatPercent(shareOf(limit)))} />
      </span>
    ),
  },
  {
    key: 'resets',
    head: texts.resets,
    isNumber: true,
    fold: 'time',
    cell: ({ resetsAt }) =>
      resetsAt === null ? <span className="faint">{texts.sliding}</span> : <Time at={resetsAt} />,
  },
];

function Figure({ limit: { kind, currency }, value }: Readonly<{ limit: Limit; value: string }>) {
  return kind === 'count' ? texts.count(value) : <Amount currency={currency} amount={value} />;
}

function isSpent({ left }: Limit): boolean {
  return Number(left) <= 0;
}

function shareOf({ used, limit }: Limit): number {
  const whole = Number(limit);
  return whole <= 0 ? 1 : Math.min(1, Number(used) / whole);
}
