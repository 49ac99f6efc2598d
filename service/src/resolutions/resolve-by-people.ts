import {
  type Administrator,
  authenticateAdministrator,
} from '../administrators/authenticate-administrator.ts';
import type { NoteDeps } from '../administrators/note-act.ts';
import type { Database, Queryable } from '../postgres/database.ts';
import { isUnderWayAgain } from '../transfers/move/is-under-way-again.ts';
import { type FoundTransfer, findAnyTransfer } from '../transfers/read/find-any-transfer.ts';
import { confirmResolution } from './confirm-resolution.ts';
import {
  DECISIONS,
  describeDecision,
  endProposal,
  lockOpenProposal,
  type Proposal,
} from './proposal.ts';
import { proposeResolution, type Resolution } from './propose-resolution.ts';
import {
  refuseDisagreement,
  refuseOvertaken,
  refuseOwnProposal,
  refuseState,
  refuseTurn,
  refuseWhileSubmitted,
} from './refuse-resolution.ts';

export type PeopleDeps = NoteDeps & Readonly<{ database: Database }>;

export type Resolved =
  /** Waits for a second administrator. `expired` is an earlier one that nobody confirmed in time. */
  | Readonly<{ kind: 'proposed'; proposal: Proposal; expired: Proposal | null }>
  | Readonly<{ kind: 'carriedOut'; proposal: Proposal; confirmedBy: string }>;

type Refused = Readonly<{ kind: 'refused'; refuse: () => never }>;

/**
 * Takes one administrator's word on a transfer: the first one's is kept as a proposal, and the same
 * word of another one carries it out. Everything else is refused with what to do.
 */
export async function resolveByPeople(
  deps: PeopleDeps,
  request: Readonly<{ id: string; key: string | undefined; resolution: Resolution }>,
): Promise<Resolved> {
  // A refusal is thrown after the commit: a proposal that has ended stays ended.
  const result = await deps.database.transaction((tx) => decide(tx, deps, request));
  return result.kind === 'refused' ? result.refuse() : result;
}

async function decide(
  tx: Queryable,
  deps: PeopleDeps,
  request: Readonly<{ id: string; key: string | undefined; resolution: Resolution }>,
): Promise<Resolved | Refused> {
  const administrator = await authenticateAdministrator(tx, request.key);
  const { transfer } = await findAnyTransfer(tx, request.id);
  const about = { bookId: transfer.bookId, transferId: transfer.id };
  const open = await lockOpenProposal(tx, about);
  // Once more, after the lock: whoever held it may have decided the transfer.
  const found = await findAnyTransfer(tx, transfer.id);
  const { resolution } = request;
  const stale = open === undefined ? null : staleness(open, found, deps.now());
  if (open !== undefined && stale !== null) {
    await endProposal(tx, { proposal: open, as: stale, by: null, at: deps.now() });
    if (stale === 'overtaken' && isSame(open, resolution)) {
      return refused(() => refuseOvertaken(found));
    }
  }
  if (found.transfer.state !== DECISIONS[resolution.decision].from) {
    return refused(() => refuseState(found, resolution.decision));
  }
  if (open !== undefined && stale === null) {
    return confirm(tx, deps, { found, open, administrator, resolution });
  }
  const proposal = await proposeResolution(tx, deps, { found, administrator, resolution });
  if (proposal === undefined) return refused(refuseTurn);
  // Two others may have decided the transfer between the look at it and the insert, which then finds no
  // open proposal in its way. Thrown here, so that the proposal is rolled back.
  const after = await findAnyTransfer(tx, transfer.id);
  if (after.eventSeq !== found.eventSeq) refuseOvertaken(after);
  return { kind: 'proposed', proposal, expired: stale === 'expired' ? (open ?? null) : null };
}

async function confirm(
  tx: Queryable,
  deps: PeopleDeps,
  second: Readonly<{
    found: FoundTransfer;
    open: Proposal;
    administrator: Administrator;
    resolution: Resolution;
  }>,
): Promise<Resolved | Refused> {
  const { found, open, administrator, resolution } = second;
  if (open.proposedBy.id === administrator.id) return refused(() => refuseOwnProposal(open));
  if (!isSame(open, resolution)) return refused(() => refuseDisagreement(open, resolution));
  // Looked at after the transfer was read: what is recorded after this look makes the move impossible.
  if (await isUnderWayAgain(tx, found.transfer)) return refused(refuseWhileSubmitted);
  const { evidence } = resolution;
  const proposal = open;
  if (await confirmResolution(tx, deps, { found, proposal, administrator, evidence })) {
    return { kind: 'carriedOut', proposal, confirmedBy: administrator.name };
  }
  await endProposal(tx, { proposal, as: 'overtaken', by: null, at: deps.now() });
  const now = await findAnyTransfer(tx, found.transfer.id);
  return refused(() => refuseOvertaken(now));
}

/** Why a proposal can no longer be confirmed; null when it can. */
function staleness(
  proposal: Proposal,
  found: FoundTransfer,
  now: Date,
): 'overtaken' | 'expired' | null {
  if (found.eventSeq !== proposal.eventSeq) return 'overtaken';
  return proposal.expiresAt <= now ? 'expired' : null;
}

function isSame(proposal: Proposal, resolution: Resolution): boolean {
  return describeDecision(proposal) === describeDecision(resolution);
}

function refused(refuse: () => never): Refused {
  return { kind: 'refused', refuse };
}
