import type { ApprovalItem } from '../../api/control-types.ts';
import type { Transfer } from '../../api/types.ts';
import { approvals as texts } from '../../texts/en/approvals.ts';
import { DecidePart } from '../approvals/decide-part.tsx';
import { RulesCard } from '../approvals/rules-card.tsx';

/** What the policy requires for a transfer, and the decision where it is the reader's. */
export function ApprovalsPart({ transfer }: Readonly<{ transfer: Transfer }>) {
  const { rules = [], policyVersion = null, contentHash = null, approval, state } = transfer;
  const item = itemOf(transfer);
  if (rules.length === 0 && item === undefined && contentHash === null) return null;
  const isWaiting = state === 'awaiting_approval';
  return (
    <>
      <RulesCard
        rules={rules}
        policyVersion={policyVersion}
        contentHash={contentHash}
        item={item}
        isWaiting={isWaiting}
        votesTitle={texts.card.given(approval?.given ?? 0, approval?.needed ?? 0)}
      />
      <DecidePart item={item} isWaiting={isWaiting} />
    </>
  );
}

/** The transfer as the list of approvals shows it; undefined: no approval was ever required. */
function itemOf(transfer: Transfer): ApprovalItem | undefined {
  const { id, contentHash, approval, createdAt, policyVersion = null } = transfer;
  if (approval === null || approval === undefined) return undefined;
  if (contentHash === null || contentHash === undefined) return undefined;
  return { ...approval, kind: 'transfer', id, contentHash, transfer, createdAt, policyVersion };
}
