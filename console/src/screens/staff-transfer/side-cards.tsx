import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Dossier, Proposal, StaffTransfer } from '../../api/staff-types.ts';
import { Amount } from '../../parts/amount.tsx';
import { Card, Facts } from '../../parts/card.tsx';
import { Time } from '../../parts/time.tsx';
import { Id, ModeWord, Operator, StatePill } from '../../parts/words.tsx';
import { decisions } from '../../texts/en/decisions.ts';
import { staffTransfers } from '../../texts/en/staff-transfers.ts';
import { isRouted } from '../staff/is-routed.ts';

const texts = staffTransfers.page;

export function FactsCard({ transfer }: Readonly<{ transfer: StaffTransfer }>) {
  const { merchant, mode, completedAt, operatorTransactionId: receipt } = transfer;
  const facts: readonly (readonly [string, ReactNode])[] = [
    [
      texts.merchant,
      <Link key="merchant" to={`/staff/merchants/${merchant.id}`}>
        {merchant.name}
      </Link>,
    ],
    [texts.book, <ModeWord key="book" mode={mode} />],
    [
      texts.operator,
      <Operator key="operator" operator={transfer.operator} country={transfer.country} />,
    ],
    [
      texts.route,
      isRouted(transfer) ? (
        <Link key="route" to={`/staff/routes/${encodeURIComponent(transfer.route)}`}>
          <code>{transfer.route}</code>
        </Link>
      ) : (
        texts.noRoute
      ),
    ],
    [texts.fee, <Amount key="fee" currency={transfer.currency} amount={transfer.fee} />],
    [texts.created, <Time key="created" at={transfer.createdAt} />],
    [texts.ended, completedAt === null ? texts.none : <Time key="ended" at={completedAt} />],
    [texts.state, <code key="state">{transfer.state}</code>],
    [texts.reference, <Id key="reference" id={transfer.reference} whole what={texts.reference} />],
    [texts.id, <Id key="id" id={transfer.id} whole what={texts.id} />],
    [
      texts.operatorReference,
      <Id key="order" id={transfer.operatorReference} whole what={texts.operatorReference} />,
    ],
    [
      texts.receipt,
      receipt === null ? texts.none : <Id key="receipt" id={receipt} whole what={texts.receipt} />,
    ],
  ];
  return (
    <Card title={texts.facts} isPadded>
      <Facts facts={facts} />
    </Card>
  );
}

/** All that was ever proposed, newest first. */
export function ProposalsCard({
  proposals,
  proposal: open,
}: Pick<Dossier, 'proposals' | 'proposal'>) {
  if (proposals.length === 0) return null;
  return (
    <Card title={texts.proposals} isPadded>
      <ol className="stack-s">
        {proposals.toReversed().map(({ id, by, decision, evidence, at, end }) => (
          <li key={id}>
            <b>{texts.proposedBy(by.name, decisions[decision])}</b>{' '}
            <span className="faint small">
              <Time at={at} />
            </span>
            <p className="quote">“{evidence}”</p>
            <p className="small soft">{sayEnd(end, { canBeConfirmed: open?.at === at })}</p>
            {typeof end?.evidence === 'string' && <p className="quote">“{end.evidence}”</p>}
          </li>
        ))}
      </ol>
    </Card>
  );
}

function sayEnd(
  end: Proposal['end'],
  { canBeConfirmed }: Readonly<{ canBeConfirmed: boolean }>,
): string {
  if (end === null) return canBeConfirmed ? texts.open : texts.stale;
  const words: Readonly<Record<string, string>> = texts.proposalEnds;
  const word = words[end.as] ?? end.as;
  return end.by === null ? word : texts.endedBy(word, end.by);
}

export function EarlierCard({ earlier }: Readonly<{ earlier: readonly StaffTransfer[] }>) {
  return (
    <Card title={texts.earlier} isPadded>
      {earlier.length === 0 ? (
        <p className="soft">{texts.earlierNone}</p>
      ) : (
        <ul className="earlier">
          {earlier.map(({ id, currency, amount, state, createdAt }) => (
            <li key={id}>
              <Link to={`/staff/transfers/${id}`}>
                <Amount currency={currency} amount={amount} />
              </Link>{' '}
              <StatePill state={state} />{' '}
              <span className="faint small">
                <Time at={createdAt} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
