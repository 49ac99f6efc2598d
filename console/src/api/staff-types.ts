import type { TeamInvitation, TeamPerson } from './team-types.ts';
import type { SearchKind, TimelineEntry } from './transfer-types.ts';
import type { Mode, StaffRole, Transfer, TransferState } from './types.ts';

export type Named = Readonly<{ id: string; name: string }>;

/** A transfer as the staff see it: whose it is, by which route it goes, and its number masked. */
export type StaffTransfer = Transfer &
  Readonly<{ merchant: Named; bookId: string; route: string; operatorReference: string }>;

export type Decision = 'paid' | 'not_paid' | 'reversed';

export type OpenProposal = Readonly<{
  decision: Decision;
  receipt: string | null;
  evidence: string;
  by: Named;
  at: string;
  expiresAt: string;
}>;

export type Proposal = OpenProposal &
  Readonly<{
    id: string;
    end: Readonly<{ at: string; as: string; by: string | null; evidence: string | null }> | null;
  }>;

export type Doubt = Readonly<{
  transfer: StaffTransfer;
  merchant: Named;
  mode: Mode;
  since: string;
  kind: string;
  why: string;
  whatToDo: string;
  checks: number;
  lastCheckedAt: string | null;
  lastAnswer: string | null;
  nextCheckAt: string | null;
  needsPerson: boolean;
  proposal: OpenProposal | null;
}>;

export type Some<T> = Readonly<{ items: readonly T[]; more: boolean }>;

/**
 * An entry as the staff see it: which incident it belongs to, how a proposal ended, and what a callback reports
 * otherwise than it was sent.
 */
export type StaffEntry = TimelineEntry &
  Readonly<{
    facts: Readonly<{
      incidentId?: string;
      endedAs?: string | null;
      reportedAmount?: string | null;
      reportedCurrency?: string | null;
      reportedPhone?: string | null;
    }>;
  }>;

/** One transfer with everything that is known of it. */
export type Dossier = Readonly<{
  transfer: StaffTransfer;
  why: Readonly<{ line: string; next: string | null; action: string | null }>;
  entries: readonly StaffEntry[];
  earlier: readonly StaffTransfer[];
  evidence: Readonly<{
    checks: number;
    lastCheckedAt: string | null;
    lastAnswer: string | null;
    resubmissions: number;
    contradictions: readonly string[];
    receipt: string | null;
    doubtKind: string | null;
    needsPerson: boolean;
    resubmissionAt: string | null;
  }>;
  proposals: readonly Proposal[];
  proposal: OpenProposal | null;
  /** Names what is shown here: a decision that is sent with it is refused if this has changed. */
  seen: string;
}>;

export type StaffSearch = Readonly<{
  items: readonly StaffTransfer[];
  more: boolean;
  searched: Readonly<{ as: readonly SearchKind[]; text: string }>;
}>;

export type Inquiry = Readonly<{
  outcome: string;
  answer: Readonly<{
    request: string;
    httpStatus: number | null;
    text: string;
    elapsedMs: number;
    cause: string | null;
  }> | null;
  transfer: StaffTransfer;
}>;

export type Resolved = Readonly<{
  result: 'proposed' | 'confirmed';
  transfer: StaffTransfer;
  proposal: Proposal;
}>;

export type Incident = Readonly<{
  id: string;
  kind: string;
  detail: string;
  openedAt: string;
  transfer: Readonly<{ id: string; reference: string; state: TransferState }> | null;
  merchant: Named | null;
  mode: Mode | null;
  route: string | null;
  operatorReference: string | null;
  closed: Readonly<{ at: string; by: string; note: string }> | null;
}>;

type Fees = Readonly<{ fixed: string; percent: string }>;
export type MerchantBook = Readonly<{ id: string; mode: Mode; fees: Fees }>;

type MerchantCore = Named &
  Readonly<{ createdAt: string; suspendedAt: string | null; books: readonly MerchantBook[] }>;

export type ListedMerchant = MerchantCore & Readonly<{ liveKeys: number; wallets: number }>;

export type StaffWallet = Readonly<{
  id: string;
  bookId: string;
  merchant: Named;
  mode: Mode;
  currency: string;
  name: string;
  status: 'active' | 'frozen';
  available: string;
  held: string;
  dailyLimit: string | null;
  lowBalance: string | null;
  createdAt: string;
}>;

export type StaffKey = Readonly<{
  id: string;
  bookId: string;
  mode: Mode;
  hint: string;
  name: string;
  scopes: readonly string[];
  addresses: readonly string[];
  createdAt: string;
  expiresAt: string | null;
  revokedAt: string | null;
  lastUsedAt: string | null;
  state: string;
}>;

type GivenStaffRole = Readonly<{ role: StaffRole; bookId: string | null }>;

export type Merchant = MerchantCore &
  Readonly<{
    wallets: readonly StaffWallet[];
    keys: readonly StaffKey[];
    people: readonly (Named &
      Readonly<{
        email: string | null;
        roles: readonly Readonly<{ role: string; bookId: string | null }>[];
      }>)[];
  }>;

export type TakeBack = Readonly<{
  id: string;
  merchant: Named;
  mode: Mode;
  walletId: string;
  currency: string;
  fundingReference: string;
  amount: string;
  reason: string;
  proposedBy: Named;
  proposedAt: string;
  expiresAt: string;
  end: Readonly<{ at: string; as: string; by: string | null; reason: string | null }> | null;
}>;

export type RouteState = 'open' | 'shut' | 'held' | 'closed';

export type StaffRoute = Readonly<{
  name: string;
  connector: string;
  operators: readonly Readonly<{ operator: string; country: string }>[];
  state: RouteState;
  why: string | null;
  by: string | null;
  since: string | null;
  used: number;
  limit: number;
  /** Null, as the three after it: not known, because not every cell answered in time. */
  queued: number | null;
  submitted1h: number | null;
  succeeded1h: number | null;
  failed1h: number | null;
  successRate: number | null;
  medianMs: number | null;
  p99Ms: number | null;
  codes: readonly Readonly<{ code: string; meaning: string; count: number }>[];
}>;

export type FloatLevel = 'ok' | 'low' | 'out' | 'unknown';

/** The money in our account with an operator; amounts as decimal text, null: not known. */
export type StaffFloat = Readonly<{
  route: string;
  operator: string;
  country: string;
  currency: string;
  level: FloatLevel;
  reportsBalance: boolean;
  ours: string | null;
  operators: string | null;
  difference: string | null;
  readAt: string | null;
  error: string | null;
  underWay: string;
  queued: string;
  spendable: string | null;
  hoursLeft: number | null;
  sharedWith: readonly string[];
  /** Names what has been explained so far: an explanation that is sent with it is refused if this has changed. */
  seen: string | null;
}>;

export type FailingEndpoint = Readonly<{
  endpointId: string;
  merchant: Named;
  mode: Mode;
  url: string;
  status: 'enabled' | 'disabled';
  disabledReason: string | null;
  failingSince: string | null;
  waiting: number;
}>;

export type StaffDay = Readonly<{
  day: string;
  paid: number;
  failed: number;
  doubtsOpened: number;
  doubtsEnded: number;
  medianMs: number | null;
  p99Ms: number | null;
  isPartial: boolean;
}>;

/** A decision or the return of a funding that one person has proposed. */
export type ProposedAct = Readonly<{
  id: string;
  kind: Decision | 'take_back';
  merchant: Named;
  mode: Mode;
  /** Null of a funding. */
  transferId: string | null;
  walletId: string;
  amount: string;
  currency: string;
  proposedBy: Named;
  expiresAt: string;
}>;

export type StaffOverview = Readonly<{
  asOf: string;
  doubts: Readonly<{ count: number; oldestAt: string | null; needPerson: number }>;
  queues: readonly Readonly<{
    state: TransferState;
    mode: Mode;
    count: number;
    oldestAt: string;
  }>[];
  incidents: Readonly<{ open: number }>;
  webhooks: Readonly<{ failing: readonly FailingEndpoint[]; more: boolean }>;
  /** Everything that waits for a second person. */
  proposals: Some<ProposedAct>;
  routes: readonly StaffRoute[];
  days: readonly StaffDay[];
  work: readonly Readonly<{ kind: string; count: number }>[];
}>;

export type StaffPerson = TeamPerson<GivenStaffRole>;
export type StaffInvitation = TeamInvitation<GivenStaffRole>;

export type Act = Readonly<{
  id: string;
  at: string;
  actor: Readonly<{ kind: string; id: string | null; name: string }>;
  kind: string;
  subject: string;
  merchant: Named | null;
  bookId: string | null;
  reason: string | null;
  before: Readonly<Record<string, unknown>> | null;
  after: Readonly<Record<string, unknown>> | null;
}>;
