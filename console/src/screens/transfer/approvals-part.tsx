import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { ApprovalItem } from '../../api/control-types.ts';
import type { Transfer } from '../../api/types.ts';
import { useBook } from '../../app/session.ts';
import { Card } from '../../parts/card.tsx';
import { ContentHash } from '../../parts/content-hash.tsx';
import { Tag } from '../../parts/words.tsx';
import { approvals as texts } from '../../texts/en/approvals.ts';
import { Impossible } from '../approvals/approval-card.tsx';
import { ApprovalVotes } from '../approvals/approval-votes.tsx';
import { DecideBox, type Outcome } from '../approvals/decide-box.tsx';
import { DecideResults, keyOf } from '../approvals/decide-results.tsx';
import { WhyAsked } from '../approvals/why-asked.tsx';

/** Which rules matched, what they ask for, who has decided; and the decision, where it is the reader's. */
export function ApprovalsPart({ transfer }: Readonly<{ transfer: Transfer }>) {
  const item = itemOf(transfer);
  const [outcome, setOutcome] = useState<Outcome>();
  const rules = transfer.rules ?? [];
  const hasNone = rules.length === 0 && item === undefined;
  if (hasNone && (transfer.contentHash ?? null) === null) return null;
  const isWaiting = transfer.state === 'awaiting_approval';
  return (
    <>
      <RulesCard transfer={transfer} item={item} />
      {outcome?.answers.some(({ ok }) => !ok) === true && (
        <DecideResults
          key={keyOf(outcome)}
          outcome={outcome}
          onClose={() => setOutcome(undefined)}
        />
      )}
      {item !== undefined && isWaiting && item.iCan && (
        <DecideBox items={[item]} isNamed={false} onOutcome={setOutcome} />
      )}
    </>
  );
}

type CardGiven = Readonly<{ transfer: Transfer; item: ApprovalItem | undefined }>;

function RulesCard({ transfer, item }: CardGiven) {
  const { id: bookId } = useBook();
  const { rules = [], policyVersion, contentHash, approval, state } = transfer;
  const isWaiting = state === 'awaiting_approval';
  return (
    <Card
      title={texts.card.title}
      aside={
        policyVersion !== null &&
        policyVersion !== undefined && (
          <Link to={`/b/${bookId}/policy`}>{texts.card.version(policyVersion)}</Link>
        )
      }
      {...(contentHash === null || contentHash === undefined
        ? {}
        : {
            foot: (
              <div className="hash-part">
                <p className="small">
                  <b>
                    {item?.iCan === true && isWaiting ? texts.hash.title : texts.hash.titleSeen}
                  </b>{' '}
                  {texts.hash.detail}
                </p>
                <ContentHash hash={contentHash} />
              </div>
            ),
          })}
    >
      {item?.impossible === true && isWaiting && <Impossible />}
      <div className="g-inner">
        <div>
          <h3>{texts.card.matched}</h3>
          <p className="tags mt-1">
            {rules.length === 0 ? (
              <span className="soft">{texts.card.none}</span>
            ) : (
              rules.map((rule) => <Tag key={rule}>{rule}</Tag>)
            )}
          </p>
          {item !== undefined && (
            <WhyAsked requirements={item.requirements} policyVersion={undefined} />
          )}
        </div>
        {item !== undefined && approval !== null && approval !== undefined && (
          <div>
            <h3>{texts.card.given(approval.given, approval.needed)}</h3>
            <ApprovalVotes
              requirements={item.requirements}
              decisions={item.decisions}
              canApprove={isWaiting ? item.canApprove : undefined}
            />
            {isWaiting && !item.iCan && item.whyNot !== null && (
              <p className="help">{item.whyNot}</p>
            )}
          </div>
        )}
      </div>
    </Card>
  );
}

/** The transfer as the list of approvals shows it; undefined: no approval was ever asked for. */
function itemOf(transfer: Transfer): ApprovalItem | undefined {
  const { id, contentHash, approval, createdAt, policyVersion = null } = transfer;
  if (approval === null || approval === undefined) return undefined;
  if (contentHash === null || contentHash === undefined) return undefined;
  return { ...approval, kind: 'transfer', id, contentHash, transfer, createdAt, policyVersion };
}
