import { formatMinor } from '../domain/money.ts';
import type { Proposal } from '../resolutions/proposal.ts';
import type { TimelineEntry } from '../resolutions/read-timeline.ts';
import { bodyOf, type Clean } from './clean-timeline.ts';

/** One thing that happened, for programs. */
export function toTimelineJson(entry: TimelineEntry, clean: Clean): Record<string, unknown> {
  const { at, sort } = entry;
  switch (entry.sort) {
    case 'event':
      return { sort, ...entry.event };
    case 'attempt': {
      const { attempt } = entry;
      return { sort, ...attempt, answer: clean(attempt.answer, { route: attempt.route }) };
    }
    case 'callback': {
      const { callback } = entry;
      return { sort, ...callback, body: clean(bodyOf(entry), { route: callback.route }) };
    }
    case 'posting': {
      const { sequence, amountMinor, ...posting } = entry.posting;
      return { sort, ...posting, sequence: Number(sequence), amount: formatMinor(amountMinor) };
    }
    case 'incident opened':
    case 'incident closed':
      return { at, sort, ...entry.incident };
    case 'proposed':
    case 'proposal ended':
      return { at, sort, ...toProposalJson(entry.proposal) };
    default: {
      const unhandled: never = entry;
      throw new Error(`unhandled ${JSON.stringify(unhandled)}`);
    }
  }
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
