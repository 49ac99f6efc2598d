import type { Outcome } from '../../domain/outcome.ts';
import type { Payout } from '../contract/connector.ts';
import type { Verdict } from './judge-answer.ts';

/** The first inquiries come soon, later ones at growing intervals up to the 3 minutes that Airtel asks for. */
const ASK_AFTER_SHARE_OF_AGE = 1 / 2;
const ASK_MIN_MS = 5_000;
const ASK_MAX_MS = 180_000;

export function outcomeOf(verdict: Verdict, payout: Payout, now: Date): Outcome {
  switch (verdict.kind) {
    case 'paid':
    case 'throttled':
    case 'unanswered':
      return verdict;
    case 'refused':
      return { kind: 'rejected', failure: verdict.failure, cause: verdict.cause };
    case 'pending': {
      const wantedMs = (now.getTime() - payout.createdAt.getTime()) * ASK_AFTER_SHARE_OF_AGE;
      const inquireInMs = Math.round(Math.min(ASK_MAX_MS, Math.max(ASK_MIN_MS, wantedMs)));
      return { kind: 'pending', inquireInMs };
    }
    case 'notFound':
      return { kind: 'notFound' };
    case 'mismatch': {
      const { contradicted, cause } = verdict;
      return { kind: 'mismatched', contradicted, cause };
    }
    case 'doubt':
      return { kind: 'unknown', cause: verdict.cause };
    default: {
      const unhandled: never = verdict;
      throw new Error(`unhandled ${JSON.stringify(unhandled)}`);
    }
  }
}
