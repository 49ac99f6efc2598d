import type { Observed } from './service-core.ts';

/**
 * The end of the lease identifies the claim that a process acted on: an answer may arrive after it made another claim.
 */
export type Claimed = Readonly<{
  transferId: string;
  owner: string;
  leasedUntilMs: number | null;
  why: string | null;
}>;

/** External observations during a schedule, for the checks after it. */
export type Journal = {
  /** Submissions that processes sent. */
  readonly sends: {
    reference: string;
    route: string;
    owner: string;
    atMs: number;
    /** The transfer's state in the database at that moment; undefined: it was not stored. */
    state: string | undefined;
  }[];
  /** Transfers that the service acknowledged, with the acknowledged values. */
  readonly acknowledged: {
    id: string;
    bookId: string;
    reference: string;
    amountMinor: bigint;
    phone: string;
    isReplay: boolean;
    key: string | null;
  }[];
  readonly cancelled: string[];
  /** Moves that the service attempted and the state graph does not allow. */
  readonly forbidden: { transferId: string; says: string }[];
  readonly observed: { observed: Observed; stateNow: string | undefined }[];
  readonly incidents: { transferId: string; kind: string }[];
  /** The ids of callbacks that were taken as answers. */
  readonly taken: Set<string>;
  /** What processes took, and why it was not to leave then; null: it was. */
  readonly claims: Claimed[];
  /** The transfers that left a schedule or a queue, with the claim that the process acted on. */
  readonly left: { transferId: string; to: string; why: string | null }[];
};

export function createJournal(): Journal {
  return {
    sends: [],
    acknowledged: [],
    cancelled: [],
    forbidden: [],
    observed: [],
    incidents: [],
    claims: [],
    left: [],
    taken: new Set(),
  };
}
