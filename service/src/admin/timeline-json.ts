import { formatMinor } from '../domain/money.ts';
import type { Proposal } from '../resolutions/proposal.ts';
import type { TimelineEntry } from '../timelines/read-timeline.ts';
import { visitEntry } from '../timelines/visit-entry.ts';
import { bodyOf, type Clean } from './clean-timeline.ts';

/** One thing that happened, for programs. */
export function toTimelineJson(entry: TimelineEntry, clean: Clean): Record<string, unknown> {
  const { at, sort } = entry;
  return visitEntry<Record<string, unknown>>(entry, {
    event: (event) => ({ sort, ...event }),
    attempt: ({ answer, ...attempt }) => ({
      sort,
      ...attempt,
      answer: clean(answer, { route: attempt.route }),
    }),
    callback: (callback) => ({
      sort,
      ...callback,
      // The body says it.
      reported: undefined,
      body: clean(bodyOf(callback), { route: callback.route }),
    }),
    posting: ({ sequence, amountMinor, ...posting }) => ({
      sort,
      ...posting,
      sequence: Number(sequence),
      amount: formatMinor(amountMinor),
    }),
    incidentOpened: (incident) => ({ at, sort, ...incident }),
    incidentClosed: (incident) => ({ at, sort, ...incident }),
    proposed: (proposal) => ({ at, sort, ...toProposalJson(proposal) }),
    proposalEnded: (proposal) => ({ at, sort, ...toProposalJson(proposal) }),
  });
}

export function toProposalJson(proposal: Proposal) {
  const { id, decision, receipt, evidence, proposedAt, expiresAt, end } = proposal;
  return {
    id,
    decision,
    receipt,
    evidence,
    by: proposal.proposedBy.name,
    proposedAt,
    expiresAt,
    end,
  };
}
