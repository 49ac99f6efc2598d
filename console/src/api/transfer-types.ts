import type { Transfer, TransferState, Wallet } from './types.ts';

export type TimelineActor = Readonly<{
  kind: 'person' | 'key' | 'staff' | 'system';
  id: string | null;
  name: string;
}>;

type TimelineFacts = Readonly<{
  from?: string | null;
  to?: string | null;
  state?: TransferState | null;
  operation?: string | null;
  outcome?: string | null;
  httpStatus?: number | null;
  code?: string | null;
  meaning?: string | null;
  elapsedMs?: number | null;
  claims?: string | null;
  verified?: boolean;
  posting?: string | null;
  amount?: string | null;
  currency?: string | null;
  sequence?: number | null;
  event?: string | null;
  deliveryId?: string | null;
  url?: string | null;
  deliveryState?: string | null;
  attempts?: number | null;
  nextAttemptAt?: string | null;
}>;

export type TimelineEntry = Readonly<{
  at: string;
  kind:
    | 'created'
    | 'state'
    | 'attempt'
    | 'callback'
    | 'posting'
    | 'webhook'
    | 'person'
    | 'incident';
  title: string;
  detail: string | null;
  actor: TimelineActor | null;
  facts: TimelineFacts;
}>;

export type Timeline = Readonly<{
  why: Readonly<{ line: string; next: string | null; action: string | null }>;
  entries: readonly TimelineEntry[];
  earlier: readonly Transfer[];
}>;

export type SearchKind = 'id' | 'reference' | 'operatorReference' | 'receipt' | 'phone';

export type SearchAnswer = Readonly<{
  items: readonly Transfer[];
  searched: Readonly<{ as: readonly SearchKind[]; text: string }>;
}>;

type Problem = Readonly<{
  code: string;
  field?: string;
  message: string;
  rule?: string;
  transferId?: string;
}>;

export type Preflight = Readonly<{
  wouldAccept: boolean;
  problems: readonly Problem[];
  warnings: readonly Problem[];
  fee: number | null;
  total: number | null;
  available: string | null;
  operator: Readonly<{
    given: string | null;
    predicted: string | null;
    open: boolean;
    min: number | null;
    max: number | null;
  }>;
  recipient: Readonly<{
    accountName: string;
    nameMatch: 'match' | 'close' | 'mismatch' | null;
  }> | null;
  approvals: Readonly<{ needed: number; rules: readonly string[] }>;
  similar: readonly Transfer[];
  limits: readonly Readonly<{ rule: string; left: string }>[];
}>;

export type OperatorPair = Readonly<{
  operator: string;
  country: string;
  currency: string;
  available: boolean;
}>;

export type SavedView = Readonly<{
  id: string;
  name: string;
  query: string;
  columns: readonly string[];
  isShared: boolean;
  ownedBy: Readonly<{ id: string; name: string }>;
}>;

export type OverviewWallet = Wallet &
  Readonly<{
    name: string;
    lowBalance: string | null;
    heldFor: readonly Readonly<{ state: TransferState; count: number; sum: string }>[];
  }>;

export type Need = Readonly<{
  kind:
    | 'approvals'
    | 'file_approvals'
    | 'approval_impossible'
    | 'not_submitted'
    | 'in_doubt'
    | 'webhook_failing'
    | 'low_balance'
    | 'key_waits'
    | 'failed_today';
  title: string;
  count: number;
  sum?: string;
  currency?: string;
  link: string;
}>;

export type OverviewDay = Readonly<{
  day: string;
  paid: number;
  failed: number;
  doubt: number;
  medianMs: number | null;
  p95Ms: number | null;
}>;

export type OverviewOperator = Readonly<{
  operator: string;
  country: string;
  currency: string;
  todaySum: string;
  todayCount: number;
  usualSum: string;
}>;

export type Overview = Readonly<{
  asOf: string;
  wallets: readonly OverviewWallet[];
  today: readonly Readonly<{
    state: TransferState;
    currency: string;
    count: number;
    sum: string;
  }>[];
  days: readonly OverviewDay[];
  operators: readonly OverviewOperator[];
  needsYou: readonly Need[];
}>;
