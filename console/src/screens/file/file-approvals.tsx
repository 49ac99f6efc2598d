import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { PayoutFile } from '../../api/payout-file-types.ts';
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
import { useFileApprovals } from '../files/use-file-approvals.ts';

/** Which rules matched, what they ask for, who has decided; and the decision, where it is the reader's. */
export function FileApprovals({ file }: Readonly<{ file: PayoutFile }>) {
  const { id: bookId } = useBook();
  const { id, state, rules, policyVersion, contentHash, submittedAt } = file;
  const isWaiting = state === 'awaiting_approval';
  const [outcome, setOutcome] = useState<Outcome>();
  const items = useFileApprovals(isWaiting ? 'all' : 'decided', submittedAt !== null);
  const item = items?.get(id);
  if (contentHash === null || (rules.length === 0 && item === undefined)) return null;
  return (
    <div className="stack mb">
      <Card
        title={texts.card.title}
        aside={
          policyVersion !== null && (
            <Link to={`/b/${bookId}/policy`}>{texts.card.version(policyVersion)}</Link>
          )
        }
        foot={
          <div className="hash-part">
            <p className="small">
              <b>{item?.iCan === true && isWaiting ? texts.hash.title : texts.hash.titleSeen}</b>{' '}
              {texts.hash.detail}
            </p>
            <ContentHash hash={contentHash} />
          </div>
        }
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
          {item !== undefined && (
            <div>
              <h3>{texts.votes.label}</h3>
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
    </div>
  );
}
