import { Link } from '@tanstack/react-router';
import type { ApprovalItem } from '../../api/control-types.ts';
import { useBook } from '../../app/session.ts';
import { Card } from '../../parts/card.tsx';
import { ContentHash } from '../../parts/content-hash.tsx';
import { Tag } from '../../parts/words.tsx';
import { approvals as texts } from '../../texts/en/approvals.ts';
import { Impossible } from './approval-card.tsx';
import { ApprovalVotes } from './approval-votes.tsx';
import { WhyAsked } from './why-asked.tsx';

type RulesCardGiven = Readonly<{
  rules: readonly string[];
  policyVersion: number | null;
  contentHash: string | null;
  /** What the list of approvals says of it; undefined: no approval was ever required. */
  item: ApprovalItem | undefined;
  isWaiting: boolean;
  /** Stands above the people who decided. */
  votesTitle: string;
}>;

/** Which rules matched a transfer or a payout file, what they require, and who has decided. */
export function RulesCard(given: RulesCardGiven) {
  const { id: bookId } = useBook();
  const { rules, policyVersion, contentHash, item, isWaiting, votesTitle } = given;
  const hashTitle = item?.iCan === true && isWaiting ? texts.hash.title : texts.hash.titleSeen;
  return (
    <Card
      title={texts.card.title}
      aside={
        policyVersion !== null && (
          <Link to={`/b/${bookId}/policy`}>{texts.card.version(policyVersion)}</Link>
        )
      }
      {...(contentHash !== null && { foot: <HashFoot title={hashTitle} hash={contentHash} /> })}
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
            <h3>{votesTitle}</h3>
            <ApprovalVotes
              requirements={item.requirements}
              decisions={item.decisions}
              canApprove={isWaiting ? item.canApprove : undefined}
            />
            {isWaiting && !item.iCan && !item.iCanReject && item.whyNot !== null && (
              <p className="help">{item.whyNot}</p>
            )}
          </div>
        )}
      </div>
    </Card>
  );
}

function HashFoot({ title, hash }: Readonly<{ title: string; hash: string }>) {
  return (
    <div className="hash-part">
      <p className="small">
        <b>{title}</b> {texts.hash.detail}
      </p>
      <ContentHash hash={hash} />
    </div>
  );
}
