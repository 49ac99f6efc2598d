import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Doubt, ProposedAct, Some, StaffOverview } from '../../api/staff-types.ts';
import { useStaffQuery } from '../../app/staff-api.ts';
import { formatOperator } from '../../format/format-operator.ts';
import { Amount } from '../../parts/amount.tsx';
import { Card } from '../../parts/card.tsx';
import { PartFailed } from '../../parts/failure.tsx';
import { Icon, type IconName } from '../../parts/icon.tsx';
import { OldAnswer } from '../../parts/loaded.tsx';
import { LoadingRows } from '../../parts/loading.tsx';
import { MissingCells } from '../../parts/missing-cells.tsx';
import { ModeWord } from '../../parts/words.tsx';
import { decisions } from '../../texts/en/decisions.ts';
import { staffOverview } from '../../texts/en/staff-overview.ts';
import { useReader } from '../staff/use-reader.ts';
import { splitProposals } from './split-proposals.ts';

const texts = staffOverview.work;

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
    // As it is counted: in live books.
    search: { which: 'person', mode: 'live' },
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
  const reader = useReader();
  const doubts = useStaffQuery<Some<Doubt>>({ path: '/doubts', query: {} });
  const { shown, more, others } = splitProposals(doubts.data?.items ?? [], reader);
  const elsewhere = overview.proposals.items.filter(isElsewhere);
  const isEmpty = shown.length + others + elsewhere.length + overview.work.length === 0;
  return (
    <>
      <OldAnswer found={doubts} />
      <MissingCells answer={doubts.data} />
      <Card title={texts.title}>
        {doubts.data === undefined && <NotYet found={doubts} />}
        {isEmpty && doubts.data !== undefined && <p className="card-pad pt-0 soft">{texts.none}</p>}
        {!isEmpty && (
          <ol className="todo">
            {shown.map((doubt) => (
              <SecondPerson key={doubt.transfer.id} doubt={doubt} />
            ))}
            {more > 0 && <Waiting text={texts.more(more)} />}
            {others > 0 && <Waiting text={texts.others(others)} />}
            {elsewhere.map((act) => (
              <Elsewhere key={act.id} act={act} />
            ))}
            {overview.work.flatMap(({ kind, count }) =>
              isKind(kind) ? [<Work key={kind} kind={kind} count={count} />] : [],
            )}
          </ol>
        )}
      </Card>
    </>
  );
}

/** What is proposed and is no doubt stands in no other list. */
function isElsewhere({ kind }: ProposedAct): boolean {
  return kind === 'reversed' || kind === 'take_back';
}

/** Without the proposals it is not known whether anything waits. */
function NotYet({ found }: Readonly<{ found: UseQueryResult<Some<Doubt>> }>) {
  return found.isError ? (
    <PartFailed error={found.error} onRetry={() => void found.refetch()} />
  ) : (
    <LoadingRows rows={1} />
  );
}

type TodoGiven = Readonly<{
  text: string;
  detail?: ReactNode;
  sum?: Readonly<{ currency: string; amount: string | number }>;
  link: ReactNode;
}>;

/** Something that one person has proposed. */
function Todo({ text, detail, sum, link }: TodoGiven) {
  return (
    <li>
      <span className="mark mark-doubt">
        <Icon name="awaiting_approval" />
      </span>
      <div className="two">
        <b>{text}</b>
        {detail !== undefined && <small>{detail}</small>}
      </div>
      <span className="money-cell num">
        {sum !== undefined && (
          <b>
            <Amount {...sum} />
          </b>
        )}
      </span>
      {link}
    </li>
  );
}

/** Proposals that are not listed here, in all modes. */
function Waiting({ text }: Readonly<{ text: string }>) {
  return (
    <Todo
      text={text}
      link={
        <Link className="btn btn-sm" to="/staff/doubts" search={{ which: 'second' }}>
          {texts.open}
        </Link>
      }
    />
  );
}

function Elsewhere({ act }: Readonly<{ act: ProposedAct }>) {
  const { kind, merchant, mode, proposedBy, transferId } = act;
  const place =
    transferId === null ? `/staff/merchants/${merchant.id}` : `/staff/transfers/${transferId}`;
  return (
    <Todo
      text={
        kind === 'take_back'
          ? texts.takeBack(proposedBy.name)
          : texts.proposed(proposedBy.name, decisions[kind])
      }
      detail={
        <>
          {merchant.name} <ModeWord mode={mode} />
        </>
      }
      sum={{ currency: act.currency, amount: act.amount }}
      link={
        <Link className="btn btn-sm" to={place}>
          {texts.look}
        </Link>
      }
    />
  );
}

function SecondPerson({ doubt }: Readonly<{ doubt: Doubt }>) {
  const { transfer, merchant, mode, proposal } = doubt;
  if (proposal === null) return null;
  return (
    <Todo
      text={texts.second(proposal.by.name, decisions[proposal.decision])}
      detail={
        <>
          {merchant.name} <ModeWord mode={mode} /> {formatOperator(transfer.operator)}
        </>
      }
      sum={{ currency: transfer.currency, amount: transfer.amount }}
      link={
        <Link className="btn btn-sm btn-main" to={`/staff/doubts/${transfer.id}`}>
          {texts.look}
        </Link>
      }
    />
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
