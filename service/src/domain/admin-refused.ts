import type { Mode } from './transfer.ts';
import type { TransferState } from './transfer-state.ts';

type None = Readonly<Record<string, never>>;
type Count = Readonly<{ max: number }>;
type Said = Readonly<{ decision: 'paid' | 'not_paid' | 'reversed'; receipt: string | null }>;

/** Every way in which an administrator is refused, with the facts that its sentence needs. */
export type AdminRefusals = Readonly<{
  ADMIN_KEY_MISSING: Readonly<{ isFirst: boolean }>;
  ADMIN_KEY_UNKNOWN: Readonly<{ isFirst: boolean }>;
  ADMINISTRATOR_NEEDED: None;
  ADMINISTRATOR_REMOVED: None;
  ADMINISTRATOR_EXISTS: Readonly<{ name: string }>;
  ADMINISTRATOR_NAME_INVALID: Count;
  ADMINISTRATOR_NOT_FOUND: None;
  ADMINISTRATOR_IS_LAST: None;
  ADMINISTRATOR_NOT_ALONE: Readonly<{ others: number }>;
  OWNER_NEEDED: None;
  STATEMENT_INVALID: Count;
  MERCHANT_NAME_IS_UUID: None;
  MERCHANT_EXISTS: Readonly<{ name: string }>;
  MERCHANT_NOT_FOUND: None;
  CELL_CLOSED: Readonly<{ name: string }>;
  MERCHANT_SUSPENDED: Readonly<{ name: string; since: Date }>;
  MERCHANT_NOT_SUSPENDED: Readonly<{ name: string }>;
  MOVE_TO_SAME_CELL: Readonly<{ name: string; cell: string }>;
  MOVE_ELSEWHERE: Readonly<{ name: string; to: string }>;
  MOVE_UNDER_WAY: Readonly<{ name: string }>;
  MOVE_NOT_FOUND: None;
  MOVE_NOT_FORGOTTEN: Readonly<{ name: string; cell: string }>;
  MOVE_SWITCHED: Readonly<{ name: string; to: string }>;
  MOVE_NOT_QUIET: None;
  MOVE_NOT_COPIED: Readonly<{ table: string; cause: string }>;
  CELL_NAME_INVALID: Count;
  CELL_EXISTS: Readonly<{ name: string }>;
  CELL_NOT_FOUND: Readonly<{ known: readonly string[] }>;
  CELL_IS_CLOSED: Readonly<{ name: string; since: Date }>;
  CELL_IS_OPEN: Readonly<{ name: string }>;
  CELL_VARIABLE_INVALID: None;
  CELL_URL_MISSING: Readonly<{ variable: string }>;
  CELL_URL_INVALID: Readonly<{ variable: string; problem: string }>;
  CELL_UNREACHABLE: Readonly<{ place: string; variable: string; cause: string }>;
  CELL_SCHEMA_FOREIGN: Readonly<{ schema: string; place: string }>;
  CELL_HAS_MERCHANTS: Readonly<{ schema: string; place: string; merchants: number }>;
  /** The server has a directory, or the copy of one of another installation. */
  CELL_SERVER_TAKEN: Readonly<{ place: string; has: 'directory' | 'copy' }>;
  NAME_INVALID: Count & Readonly<{ whose: 'merchant' | 'key' | 'wallet' }>;
  FEE_INVALID: None;
  PERCENT_INVALID: None;
  KEY_NOT_FOUND: None;
  KEY_ENDED: Readonly<{ standing: 'expired' | 'revoked' | 'awaiting_confirmation' }>;
  KEYS_TOO_MANY: Count;
  SCOPE_UNKNOWN: Readonly<{ given: readonly string[]; known: readonly string[] }>;
  ADDRESSES_TOO_MANY: Count;
  ADDRESS_INVALID: Readonly<{ given: string }>;
  WALLET_NOT_FOUND: None;
  WALLETS_TOO_MANY: Count;
  FUNDING_REFERENCE_INVALID: Count;
  FUNDING_REFERENCE_USED: None;
  FUNDING_REFERENCE_TAKEN_BACK: Readonly<{ sequence: bigint; at: Date }>;
  FUNDING_NOT_FOUND: None;
  FUNDING_TAKEN_BACK: Readonly<{ sequence: bigint; at: Date }>;
  FUNDING_SPENT: Readonly<{
    amountMinor: bigint;
    availableMinor: bigint;
    heldMinor: bigint;
    currency: string;
  }>;
  TAKE_BACK_IS_OWN: Readonly<{ expiresAt: Date }>;
  TAKE_BACK_NOT_PROPOSED: None;
  TRANSFER_NOT_FOUND: None;
  TRANSFER_AMBIGUOUS: Readonly<{
    found: readonly Readonly<{ merchant: string; mode: Mode; id: string }>[];
  }>;
  DECISION_IMPOSSIBLE: Readonly<{ state: TransferState; decision: Said['decision'] }>;
  DECISION_OVERTAKEN: Readonly<{ state: TransferState }>;
  DECISION_DIFFERS: Readonly<{ proposedBy: string; proposed: Said; given: Said }>;
  PROPOSAL_IS_OWN: Readonly<{ expiresAt: Date }>;
  PROPOSAL_RACED: None;
  PROPOSAL_NOT_FOUND: None;
  SUBMISSION_UNDER_WAY: None;
  RECALL_STATE: Readonly<{ state: TransferState }>;
  RECALL_ROUTE_UNKNOWN: Readonly<{ route: string }>;
  RECALL_UNSUPPORTED: Readonly<{ route: string }>;
  ASK_STATE: Readonly<{ state: TransferState }>;
  ASK_IMPOSSIBLE: Readonly<{ route: string; isKnown: boolean }>;
  ASKED_JUST_NOW: Readonly<{ pauseMs: number }>;
  CANCEL_STATE: Readonly<{ state: TransferState }>;
  INCIDENT_NOT_FOUND: None;
  FLOAT_NOT_FOUND: None;
  FLOAT_UNREPORTED: Readonly<{ route: string }>;
  FLOAT_CHANGE_INVALID: None;
  ROUTE_STOPPED: Readonly<{ route: string; effect: 'held' | 'closed' }>;
  ROUTE_NOT_STOPPED: Readonly<{ route: string; effect: 'held' | 'closed' }>;
}>;

export type AdminRefusalCode = keyof AdminRefusals;

/** A "no" to an administrator: a code and facts. Drivers make sentences of it, in the words of their users. */
export class AdminRefused<Code extends AdminRefusalCode = AdminRefusalCode> extends Error {
  readonly code: Code;
  readonly facts: AdminRefusals[Code];

  constructor(code: Code, facts: AdminRefusals[Code]) {
    super(code);
    this.name = 'AdminRefused';
    this.code = code;
    this.facts = facts;
  }
}
