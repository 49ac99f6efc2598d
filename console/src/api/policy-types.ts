import type { MerchantRole } from './types.ts';

type Window = Readonly<{ day?: true; window?: string }>;

type PolicySum = Window & Readonly<{ by: string; above: string }>;
type PolicyCount = Window & Readonly<{ by: string; above: number }>;

export type PolicyHours = Readonly<{
  zone: string;
  days?: readonly string[];
  from: string;
  to: string;
}>;

/** All that are there must hold. Amounts are decimal text, durations ISO 8601. */
export type PolicyConditions = Readonly<{
  amountAtLeast?: string;
  amountBelow?: string;
  sum?: PolicySum;
  count?: PolicyCount;
  firstPayment?: boolean;
  nameMatch?: readonly string[];
  similarWithin?: string;
  source?: readonly string[];
  hours?: PolicyHours;
  operator?: readonly string[];
  country?: readonly string[];
  wallet?: readonly string[];
  key?: readonly string[];
  metadata?: Readonly<Record<string, string | readonly string[]>>;
  onAllowList?: boolean;
}>;

export type ConditionName = keyof PolicyConditions;

export type PolicyRequirement = Readonly<{
  refuse?: true;
  approvals?: number;
  of?: readonly MerchantRole[];
  warn?: true;
  screen?: string;
}>;

export type PolicyRule = Readonly<{
  name: string;
  when: PolicyConditions;
  require: PolicyRequirement;
}>;

export type PolicyDocument = Readonly<{
  sendLateWithin?: string;
  approvalExpiresAfter?: string;
  rules: readonly PolicyRule[];
}>;

type Named = Readonly<{ id: string; name: string }>;

type ReplayCounts = Readonly<{
  refused: number;
  approvals: number;
  warned: number;
  screened: number;
}>;

type ReplayedRule = Readonly<{
  rule: string;
  matched: number;
  samples: readonly string[];
}>;

export type Replay = ReplayCounts &
  Readonly<{
    from: string;
    to: string;
    at: string;
    transfers: number;
    byRule: readonly ReplayedRule[];
    /** The version in force over the same transfers. */
    inForce: (ReplayCounts & Readonly<{ byRule: readonly ReplayedRule[] }>) | null;
    /** False: there were more numbers than are remembered, so some counts are too low. */
    isExact: boolean;
  }>;

export type PolicyDraft = Readonly<{
  document: PolicyDocument;
  contentHash: string;
  changedBy: Named;
  changedAt: string;
  replay: Replay | null;
  /** The first owner; a second one confirms. Null: not published yet. */
  publishedBy: Named | null;
  problems: readonly Readonly<{ field: string; message: string }>[];
}>;

export type PolicyAnswer = Readonly<{
  version: number | null;
  document: PolicyDocument | null;
  publishedAt: string | null;
  publishedBy: readonly Named[];
  draft: PolicyDraft | null;
  history: readonly Readonly<{
    version: number;
    publishedAt: string;
    by: readonly Named[];
  }>[];
}>;
