import type { ApprovalItem } from '../../api/control-types.ts';
import type { PayoutFile } from '../../api/payout-file-types.ts';
import { approvals as texts } from '../../texts/en/approvals.ts';
import { DecidePart } from '../approvals/decide-part.tsx';
import { RulesCard } from '../approvals/rules-card.tsx';

/** What the policy requires for a payout file, and the decision where it is the reader's. */
export function FileApprovals({ file }: Readonly<{ file: PayoutFile }>) {
  const { state, rules, policyVersion, contentHash } = file;
  const isWaiting = state === 'awaiting_approval';
  const item = itemOf(file);
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

/** The file as the list of approvals shows it; undefined: no approval was ever required. */
function itemOf(file: PayoutFile): ApprovalItem | undefined {
  const { id, approval, contentHash, currency, submittedAt, policyVersion, counts } = file;
  if (approval === null || contentHash === null) return undefined;
  if (currency === null || submittedAt === null) return undefined;
  const { name, state, source, sum, payAt } = file;
  const rows = counts.rows - counts.dropped;
  const { rowsLeft, amountLeft } = approval;
  return {
    ...approval,
    kind: 'file',
    id,
    contentHash,
    file: { id, name, state, source, rows, amount: sum, rowsLeft, amountLeft, currency, payAt },
    createdAt: submittedAt,
    policyVersion,
  };
}
