import { Link } from '@tanstack/react-router';
import type { Doubt, Some, StaffOverview } from '../../api/staff-types.ts';
import { useSession } from '../../app/session.ts';
import { useStaffQuery } from '../../app/staff-api.ts';
import { formatOperator } from '../../format/format-operator.ts';
import { Amount } from '../../parts/amount.tsx';
import { Card } from '../../parts/card.tsx';
import { Icon, type IconName } from '../../parts/icon.tsx';
import { ModeWord } from '../../parts/words.tsx';
import { decisions } from '../../texts/en/decisions.ts';
import { staffOverview } from '../../texts/en/staff-overview.ts';

const texts = staffOverview.work;
const PROPOSALS_SHOWN_MAX = 5;

type Kind = keyof typeof texts.kinds;

const PLACES: Readonly<
  Record<
    Kind,
    Readonly<{
      to: string;
      search?: Readonly<Record<string, string>>;
      icon: IconName;
      mark: string;
    }>
  >
> = {
  doubts: {
    to: '/staff/doubts',
    search: { which: 'person' },
    icon: 'in_doubt',
    mark: 'mark-doubt',
  },
  incidents: { to: '/staff/incidents', icon: 'alert', mark: 'mark-bad' },
  webhooks: { to: '/staff/overview', icon: 'hook', mark: 'mark-caution' },
  floats: { to: '/staff/float', icon: 'wallet', mark: 'mark-caution' },
  routes: { to: '/staff/routes', icon: 'route', mark: 'mark-caution' },
};

function isKind(kind: string): kind is Kind {
  return Object.hasOwn(PLACES, kind);
}

/** What waits for people; what needs the reader as the second person comes first. */
export function WorkCard({ overview }: Readonly<{ overview: StaffOverview }>) {
  const { person } = useSession();
  const doubts = useStaffQuery<Some<Doubt>>({ path: '/doubts', query: {} });
  const mine = (doubts.data?.items ?? [])
    .filter(({ proposal }) => proposal !== null && proposal.by.id !== person.id)
    .slice(0, PROPOSALS_SHOWN_MAX);
  if (mine.length === 0 && overview.work.length === 0) {
    return (
      <Card title={texts.title} isPadded>
        <p className="soft">{texts.none}</p>
      </Card>
    );
  }
  return (
    <Card title={texts.title}>
      <ol className="todo">
        {mine.map((doubt) => (
          <SecondPerson key={doubt.transfer.id} doubt={doubt} />
        ))}
        {overview.work.flatMap(({ kind, count }) =>
          isKind(kind) ? [<Work key={kind} kind={kind} count={count} />] : [],
        )}
      </ol>
    </Card>
  );
}

function SecondPerson({ doubt }: Readonly<{ doubt: Doubt }>) {
  const { transfer, merchant, mode, proposal } = doubt;
  if (proposal === null) return null;
  return (
    <li>
      <span className="mark mark-doubt">
        <Icon name="awaiting_approval" />
      </span>
      <div className="two">
        <b>{texts.second(proposal.by.name, decisions[proposal.decision])}</b>
        <small>
          {merchant.name} <ModeWord mode={mode} /> {formatOperator(transfer.operator)}
        </small>
      </div>
      <span className="money-cell num">
        <b>
          <Amount currency={transfer.currency} amount={transfer.amount} />
        </b>
      </span>
      <Link className="btn btn-sm btn-main" to={`/staff/doubts/${transfer.id}`}>
        {texts.look}
      </Link>
    </li>
  );
}

function Work({ kind, count }: Readonly<{ kind: Kind; count: number }>) {
  const { to, search = {}, icon, mark } = PLACES[kind];
  return (
    <li>
      <span className={`mark ${mark}`}>
        <Icon name={icon} />
      </span>
      <div className="two">
        <b>{texts.kinds[kind](count)}</b>
        <small>{texts.details[kind]}</small>
      </div>
      <span className="money-cell" />
      <Link
        className="btn btn-sm"
        to={to}
        search={search}
        {...(kind === 'webhooks' ? { hash: 'webhooks' } : {})}
      >
        {texts.open}
      </Link>
    </li>
  );
}
