import { DOUBT_RULES, type DoubtKind } from '../domain/doubt-kind.ts';
import type { HeldBackReason } from '../domain/held-back.ts';
import type { Currency } from '../domain/money.ts';
import type { Country, Operator } from '../domain/operator.ts';
import type { Mode } from '../domain/transfer.ts';
import type { TransferState } from '../domain/transfer-state.ts';
import type { FileStop } from './file-stop.ts';
import type { StopEffect } from './stop-routes.ts';

/** A transfer or recipient that does not progress as it should. */
export type StuckFacts = Readonly<{
  kind: 'transfer' | 'recipient';
  id: string;
  reference: string | null;
  merchant: string;
  mode: Mode;
  amountMinor: bigint | null;
  currency: Currency | null;
  operator: Operator;
  country: Country;
  state: TransferState | 'pending';
  /** The reference under which the operator knows the transfer. */
  operatorReference: string | null;
  since: Date;
  checks: number;
  nextActionAt: Date | null;
  /** A person must act: nothing more happens by itself. */
  flagged: boolean;
  /** Why it is in doubt; null: it is not. */
  doubtKind: DoubtKind | null;
  /** How a person stopped the route that it waits for; null: the route is open. */
  routeStop: StopEffect | null;
  merchantIsSuspended: boolean;
  /** Why it waits for people although it was to be sent; null: it does not, or the reason is not known here. */
  heldBack: HeldBackReason | null;
  /** It is queued, and another route says that it paid it already. */
  isPaidElsewhere: boolean;
  /** It is queued, and its payout file keeps it there; null: it does not. */
  fileStop: FileStop | null;
}>;

/** Why it is stuck. Drivers make sentences of it, in the words of their users. */
export type StuckReason =
  | 'DOUBT_OPEN'
  | 'DOUBT_NEEDS_PERSON'
  | 'SENDER_STOPPED'
  | 'APPROVAL_IMPOSSIBLE'
  | HeldBackReason
  | 'HELD_BACK_OTHERWISE'
  | 'NOT_QUEUED'
  | 'NOT_TAKEN'
  | 'MERCHANT_SUSPENDED'
  | 'PAID_ELSEWHERE'
  | 'FILE_CANCELLED'
  | 'FILE_WAITS'
  | 'ROUTE_HELD'
  | 'ROUTE_CLOSED'
  | 'OPERATOR_SILENT'
  | 'NAME_UNKNOWN';

export function stuckReasonOf(stuck: StuckFacts): StuckReason {
  switch (stuck.state) {
    case 'in_doubt':
      return doubtReasonOf(stuck);
    case 'submitting':
      return 'SENDER_STOPPED';
    case 'awaiting_approval':
      if (!stuck.flagged) return 'APPROVAL_IMPOSSIBLE';
      return stuck.heldBack ?? 'HELD_BACK_OTHERWISE';
    case 'scheduled':
      return stuck.merchantIsSuspended ? 'MERCHANT_SUSPENDED' : 'NOT_QUEUED';
    case 'queued':
      return queuedReasonOf(stuck);
    case 'submitted':
      return 'OPERATOR_SILENT';
    case 'pending':
      return 'NAME_UNKNOWN';
    default:
      throw new Error(`a transfer that is ${stuck.state} is not stuck`);
  }
}

function doubtReasonOf({ doubtKind, flagged, nextActionAt }: StuckFacts): StuckReason {
  const { needsPerson } = DOUBT_RULES[doubtKind ?? 'SUBMISSION_LOST'];
  return needsPerson || flagged || nextActionAt === null ? 'DOUBT_NEEDS_PERSON' : 'DOUBT_OPEN';
}

function queuedReasonOf(stuck: StuckFacts): StuckReason {
  if (stuck.isPaidElsewhere) return 'PAID_ELSEWHERE';
  // Also of a suspended merchant.
  if (stuck.fileStop === 'cancelled') return 'FILE_CANCELLED';
  if (stuck.merchantIsSuspended) return 'MERCHANT_SUSPENDED';
  if (stuck.fileStop === 'waits') return 'FILE_WAITS';
  if (stuck.routeStop === null) return 'NOT_TAKEN';
  return stuck.routeStop === 'held' ? 'ROUTE_HELD' : 'ROUTE_CLOSED';
}
