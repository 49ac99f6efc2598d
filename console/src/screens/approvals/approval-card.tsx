import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ApprovalItem } from '../../api/control-types.ts';
import { useBook } from '../../app/session.ts';
import { Sums } from '../../parts/amount.tsx';
import { Card, Facts } from '../../parts/card.tsx';
import { ContentHash } from '../../parts/content-hash.tsx';
import { Note } from '../../parts/note.tsx';
import { Time } from '../../parts/time.tsx';
import { Operator, Phone, StatePill } from '../../parts/words.tsx';
import { approvals as texts } from '../../texts/en/approvals.ts';
import { placeNames } from '../../texts/en/places.ts';
import { sayCount, sayMaker, subjectOf } from './approval-subject.ts';
import { ApprovalVotes } from './approval-votes.tsx';
import { WhyAsked } from './why-asked.tsx';

/** Everything that a person needs to know before they decide: what, why, by whom, and the exact content. */
export function ApprovalCard({
  item,
  isWaiting,
}: Readonly<{ item: ApprovalItem; isWaiting: boolean }>) {
  const subject = subjectOf(item);
  const { name, sums, fees } = subject;
  return (
    <Card
      title={name}
      aside={<SubjectLink item={item} />}
      foot={
        <div className="hash-part">
          <p className="small">
            <b>{item.iCan ? texts.hash.title : texts.hash.titleSeen}</b> {texts.hash.detail}
          </p>
          <ContentHash hash={item.contentHash} />
        </div>
      }
    >
      {item.impossible && isWaiting && <Impossible />}
      <div className="g-inner">
        <div>
          <p className="huge">
            <Sums sums={sums} />
          </p>
          <p className="soft">
            {sayCount(subject)}
            {fees.length > 0 && (
              <>
                , {texts.fees} <Sums sums={fees} />
              </>
            )}
          </p>
          <div className="mt">
            <Facts facts={factsOf(item, isWaiting)} />
          </div>
        </div>
        <div>
          <h3>{item.iCan ? texts.why.title : texts.why.titleOther}</h3>
          <WhyAsked requirements={item.requirements} policyVersion={item.policyVersion} />
          <ApprovalVotes
            requirements={item.requirements}
            decisions={item.decisions}
            canApprove={isWaiting ? item.canApprove : undefined}
          />
        </div>
      </div>
    </Card>
  );
}

function SubjectLink({ item: { kind, id, file } }: Readonly<{ item: ApprovalItem }>) {
  const { id: bookId } = useBook();
  return kind === 'file' ? (
    <Link to={`/b/${bookId}/files/${id}`}>{texts.openFile(file?.rows ?? 0)}</Link>
  ) : (
    <Link to={`/b/${bookId}/transfers/${id}`}>{texts.openTransfer}</Link>
  );
}

type Fact = readonly [string, ReactNode];

function factsOf(item: ApprovalItem, isWaiting: boolean): readonly Fact[] {
  const { transfer, file, maker, expiresAt } = item;
  const at = transfer?.sendAt ?? file?.payAt ?? null;
  // What is late is paid at once.
  const payAt = at === null || Date.parse(at) <= Date.now() ? null : at;
  return [
    ...(transfer === null || transfer === undefined ? [] : transferFacts(transfer)),
    [texts.facts.maker, sayMaker(maker, transfer?.source ?? file?.source)],
    ...(isWaiting
      ? [
          [
            texts.facts.pays,
            payAt === null ? texts.facts.atOnce : <Time key="pays" at={payAt} />,
          ] as const,
        ]
      : []),
    ...(isWaiting && expiresAt !== null
      ? [
          [
            texts.facts.ends,
            <span key="ends">
              <Time at={expiresAt} />, {texts.facts.ifNone}
            </span>,
          ] as const,
        ]
      : []),
  ];
}

function transferFacts(transfer: NonNullable<ApprovalItem['transfer']>): readonly Fact[] {
  const { phone, operator, country, reference, narration, state } = transfer;
  return [
    ...(state === 'awaiting_approval'
      ? []
      : [[placeNames.transfer, <StatePill key="state" state={state} />] as const]),
    [
      texts.facts.recipient,
      <span key="to">
        <Phone phone={phone} />, <Operator operator={operator} country={country} />
      </span>,
    ],
    [
      texts.facts.reference,
      <span key="reference" className="id id-wrap break">
        {reference}
      </span>,
    ],
    ...(narration === null ? [] : [[texts.facts.narration, narration] as const]),
  ];
}

/** No set of the people who are here could give what is asked for. */
export function Impossible() {
  const { id: bookId } = useBook();
  return (
    <div className="card-pad pt-0">
      <Note tone="bad">
        <p>
          <b>{texts.impossible.title}</b>
        </p>
        <p>
          {texts.impossible.detail} <Link to={`/b/${bookId}/team`}>{texts.impossible.team}</Link>
        </p>
      </Note>
    </div>
  );
}
