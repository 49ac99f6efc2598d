import type { Observed } from './service-core.ts';

/** What was seen from outside while a schedule ran, for the checks after it. */
export type Journal = {
  /** Submissions that left a process. */
  readonly sends: {
    reference: string;
    route: string;
    owner: string;
    atMs: number;
    /** How the transfer stood in the database at that moment; undefined: it was not there. */
    state: string | undefined;
  }[];
  /** Transfers that the service said it has, as it said so. */
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
  /** Moves that the service wanted and the graph of states does not have. */
  readonly forbidden: { transferId: string; says: string }[];
  readonly observed: { observed: Observed; stateNow: string | undefined }[];
  readonly incidents: { transferId: string; kind: string }[];
};

export function createJournal(): Journal {
  return {
    sends: [],
    acknowledged: [],
    cancelled: [],
    forbidden: [],
    observed: [],
    incidents: [],
  };
}
