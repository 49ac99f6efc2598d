import { Link } from '@tanstack/react-router';
import type { Need } from '../../api/transfer-types.ts';
import { BOOK_PLACES } from '../../app/places.ts';
import { readSearch } from '../../app/search-params.ts';
import { useBook, useMay } from '../../app/session.ts';
import { Amount } from '../../parts/amount.tsx';
import { Card } from '../../parts/card.tsx';
import { Icon, type IconName } from '../../parts/icon.tsx';
import { overview as texts } from '../../texts/en/overview.ts';

const MARKS: Readonly<Record<Need['kind'], readonly [IconName, string]>> = {
  approvals: ['check2', 'mark'],
  file_approvals: ['file', 'mark'],
  approval_impossible: ['alert', 'mark mark-bad'],
  not_submitted: ['file', 'mark mark-bad'],
  in_doubt: ['in_doubt', 'mark mark-doubt'],
  low_balance: ['wallet', 'mark mark-caution'],
  webhook_failing: ['hook', 'mark mark-bad'],
  key_waits: ['key', 'mark'],
  failed_today: ['failed', 'mark mark-bad'],
};

/** What a person should look at, money first. */
export function NeedsCard({ needs }: Readonly<{ needs: readonly Need[] }>) {
  const sorted = needs.toSorted(
    (a, b) => Number(b.sum !== undefined) - Number(a.sum !== undefined),
  );
  return (
    <Card
      title={texts.needs.title}
      {...(needs.length === 0 ? {} : { aside: texts.needs.aside(needs.length) })}
      isPadded={needs.length === 0}
    >
      {needs.length === 0 ? (
        <p className="soft">{texts.needs.none}</p>
      ) : (
        <ol className="todo">
          {sorted.map((need) => (
            <NeedLine key={`${need.kind} ${need.currency} ${need.link}`} need={need} />
          ))}
        </ol>
      )}
    </Card>
  );
}

function NeedLine({ need }: Readonly<{ need: Need }>) {
  const { kind, title, count, sum, currency, link } = need;
  const [icon, className] = MARKS[kind];
  const to = useOpenLink(link);
  return (
    <li>
      <span className={className}>
        <Icon name={icon} />
      </span>
      <div className="two">
        <b>{title}</b>
        <small>{texts.needs.details[kind](count)}</small>
      </div>
      <span className="money-cell num">
        {sum !== undefined && currency !== undefined && (
          <b>
            <Amount currency={currency} amount={sum} />
          </b>
        )}
      </span>
      {to === undefined ? (
        <span />
      ) : (
        <Link
          className="btn btn-sm"
          to={to.path}
          search={to.search}
          aria-label={`${texts.needs.open}: ${title}`}
        >
          {texts.needs.open}
        </Link>
      )}
    </li>
  );
}

/** Links of the service are below the console; a place that the person does not see has none. */
function useOpenLink(
  link: string,
): Readonly<{ path: string; search: Readonly<Record<string, string>> }> | undefined {
  const book = useBook();
  const may = useMay();
  const [path = '', query = ''] = link.replace(/^\//, '').split('?');
  const place = BOOK_PLACES.find((one) => isAt(one.path, path) && may(one.sees));
  return place === undefined
    ? undefined
    : { path: `/b/${book.id}/${path}`, search: readSearch(query) };
}

function isAt(placePath: string, path: string): boolean {
  const pattern = placePath.split('/').map((part) => (part.startsWith('$') ? '[^/]+' : part));
  return new RegExp(`^${pattern.join('/')}$`).test(path);
}
