import type { WaitsFor } from '../approvals/transfers/read-waits-for.ts';
import type { Transfer } from '../domain/transfer.ts';

/** For what a transfer waits that was not held back. `policy` is what its reader calls the policy. */
export function describeWaiting(
  { rules, approvalsNeeded }: Pick<Transfer, 'rules' | 'approvalsNeeded'>,
  { people, screener, isHeldByScreener }: WaitsFor,
  policy: string,
): string {
  const asked = rules.length === 0 ? '' : ` It matched ${rules.join(', ')}.`;
  if (screener) {
    const approvals = people ? 'approvals and for ' : '';
    return `It waits for ${approvals}the answer of a screener, as ${policy} asks.${asked}`;
  }
  if (isHeldByScreener) {
    const others =
      approvalsNeeded?.length === 0 ? '' : `, besides the approvals that ${policy} asks for`;
    return `A screener did not allow it, so it waits for a person who approves it${others}.${asked}`;
  }
  if (approvalsNeeded === null) return `A person has to look at it before it is sent.${asked}`;
  return `It waits for approvals that ${policy} asks for.${asked}`;
}
