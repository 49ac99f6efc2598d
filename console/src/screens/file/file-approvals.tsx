import type { PayoutFile } from '../../api/payout-file-types.ts';
import { approvals as texts } from '../../texts/en/approvals.ts';
import { DecidePart } from '../approvals/decide-part.tsx';
import { RulesCard } from '../approvals/rules-card.tsx';
import { useFileApprovals } from '../files/use-file-approvals.ts';

/** What the policy requires for a payout file, and the decision where it is the reader's. */
export function FileApprovals({ file }: Readonly<{ file: PayoutFile }>) {
  const { id, state, rules, policyVersion, contentHash, submittedAt } = file;
  const isWaiting = state === 'awaiting_approval';
  const items = useFileApprovals(isWaiting ? 'all' : 'decided', submittedAt !== null);
  const item = items?.get(id);
  if (contentHash === null || (rules.length === 0 && item === undefined)) return null;
  return (
    <div className="stack mb">
      <RulesCard
        rules={rules}
        policyVersion={policyVersion}
        contentHash={contentHash}
        item={item}
        isWaiting={isWaiting}
        votesTitle={texts.votes.label}
      />
      <DecidePart item={item} isWaiting={isWaiting} />
    </div>
  );
}
