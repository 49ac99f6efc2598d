import type { DoubtOutlook } from '../../domain/describe-doubt.ts';
import type { HeldBackReason } from '../../domain/held-back.ts';
import type { Transfer } from '../../domain/transfer.ts';
import { describeResolution } from '../../resolutions/proposal.ts';
import type { QueueStop } from '../../resolutions/read-queue-stop.ts';
import { describeWaiting } from '../../timelines/describe-waiting.ts';
import type { Timeline } from '../../timelines/read-timeline.ts';
import type { WhyAwaiting } from '../../timelines/read-why-awaiting.ts';

export type WaitingExplanation = Readonly<{
  line: string;
  next: string | null;
  action: string | null;
}>;

/** Why a transfer is where it is, when the service acts on it next, and what a person can do. */
export function explainWaiting(
  timeline: Timeline,
  {
    outlook,
    isFloatLow,
    stop,
    whyAwaiting,
  }: Readonly<{
    outlook: DoubtOutlook | null;
    isFloatLow: boolean;
    /** What keeps it in the queue or in its schedule. */
    stop: QueueStop | null;
    /** Null: it is not in `awaiting_approval`. */
    whyAwaiting: WhyAwaiting | null;
  }>,
): WaitingExplanation {
  const { transfer } = timeline;
  const next = transfer.nextActionAt?.toISOString() ?? null;
  if (stop !== null) return { ...explainStop(stop, transfer.route), next: null };
  switch (transfer.state) {
    case 'scheduled':
      return {
        line: 'It waits for its time.',
        next: transfer.sendAt?.toISOString() ?? next,
        action: 'It can be cancelled until then.',
      };
    case 'awaiting_approval':
      return { ...explainApproval(transfer, whyAwaiting), next };
    case 'queued':
      return {
        line: isFloatLow
          ? `It waits for its turn on the route ${transfer.route}, whose float is too low for it.`
          : `It waits for its turn on the route ${transfer.route}.`,
        next,
        action: isFloatLow
          ? 'Top up the account with the operator. While it is queued it can be cancelled.'
          : 'Look under Routes whether the route is open. While it is queued it can be cancelled.',
      };
    case 'submitting':
      return { line: 'It is being sent now.', next, action: null };
    case 'submitted':
      return {
        line: 'The operator has it and has not said yet whether it paid.',
        next,
        action: 'Ask the operator now, or wait: the service asks by itself.',
      };
    case 'in_doubt':
      return {
        line: outlook?.says ?? 'It is not known whether it was paid.',
        next,
        action: adviseOnDoubt(timeline, outlook),
      };
    default:
      return { line: `It ended: ${transfer.state}.`, next, action: null };
  }
}

/** The same facts as `explain-stuck.ts` has, in words for the browser. */
function explainStop(stop: QueueStop, route: string): Pick<WaitingExplanation, 'line' | 'action'> {
  switch (stop) {
    case 'paidElsewhere':
      return {
        line: 'Another route says that it paid it before it was sent, so it is not sent while that incident is open.',
        action:
          'Look its reference up at the operator. If it was paid, cancel it; then close the incident: what is not cancelled is sent.',
      };
    case 'suspended':
      return {
        line: 'Its merchant is suspended, so what is queued or scheduled waits.',
        action: 'It goes on when the merchant is resumed. Until then it can be cancelled.',
      };
    case 'heldWithFile':
      return {
        line: 'The rest of its payout file waits for a person, so it is not sent either.',
        action:
          'An approver or an owner of the merchant approves or rejects the file. Then it is sent or cancelled.',
      };
    case 'cancelledWithFile':
      return {
        line: 'Its payout file was cancelled, so it is not sent either: the service cancels it by itself.',
        action: null,
      };
    case 'held':
    case 'closed':
      return {
        line: `Its route ${route} is ${stop} by a person, so nothing is sent on it.`,
        action: `Look under Routes by whom and why; ${stop === 'held' ? 'releasing' : 'opening'} it ends this. While it is queued it can be cancelled.`,
      };
    default: {
      const unhandled: never = stop;
      throw new Error(`unhandled ${String(unhandled)}`);
    }
  }
}

const HELD_BACK: Readonly<Record<HeldBackReason, Pick<WaitingExplanation, 'line' | 'action'>>> = {
  RECIPIENT_DENIED: {
    line: 'It was not sent: its number is on a deny list since it was ordered.',
    action:
      'An approver or an owner of the merchant rejects it, or approves it once the entry has ended. Without a decision it is cancelled.',
  },
  EARLIER_MAY_BE_PAID: {
    line: 'It was not sent: it pays again what failed or was cancelled, and the operator may have paid that.',
    action:
      'Look the earlier payout up at its operator, settle it, and close its incident. Until then the people of the merchant can only reject this one. Without a decision it is cancelled.',
  },
  SEND_TIME_MISSED: {
    line: 'It was not sent: when it could be, its time had passed longer ago than the policy allows.',
    action:
      'An approver or an owner of the merchant decides whether it is sent now. Without a decision it is cancelled.',
  },
};

/** Only people of the merchant decide. */
function explainApproval(
  transfer: Transfer,
  whyAwaiting: WhyAwaiting | null,
): Pick<WaitingExplanation, 'line' | 'action'> {
  if (whyAwaiting === null) throw new Error('what a transfer waits for was not read');
  if (typeof whyAwaiting === 'string') return HELD_BACK[whyAwaiting];
  return {
    line: describeWaiting(transfer, whyAwaiting, "the merchant's policy"),
    action: whyAwaiting.people
      ? 'People of the merchant decide, under Approvals. Without a decision it is cancelled.'
      : 'It goes on when the screener allows it. Without an answer in time it waits for people of the merchant.',
  };
}

function adviseOnDoubt({ openProposal }: Timeline, outlook: DoubtOutlook | null): string {
  if (openProposal !== null) {
    return `${openProposal.proposedBy.name} says that ${describeResolution(openProposal)}. Another person who finds the same confirms it; else withdraw it.`;
  }
  return adviseOn(outlook?.needsPerson ?? false);
}

/** What to do about a doubt that nothing is proposed for. */
export function adviseOn(needsPerson: boolean): string {
  return needsPerson
    ? 'Ask the operator about its reference. With proof, two people say the same; the money stays held until then.'
    : 'Nothing yet: the service goes on asking, and most doubts end by themselves. The money stays held until then.';
}
