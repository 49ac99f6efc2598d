import type { Behaviour } from './behaviour.ts';

/** One callback to send, in the backend's words; the protocol renders it. */
export type Notice = Readonly<{
  ourReference: string;
  says: 'paid' | 'failed' | 'pending';
  /** Somebody else's lie: signed badly or not at all. */
  forged: boolean;
}>;

export type NoticePlan = Readonly<{
  beforeAnswer: readonly Notice[];
  afterAnswer: readonly Notice[];
  atEnd: readonly Notice[];
  /** Between the end and what is told at the end. */
  delayMs: number;
}>;

const LATE_CALLBACK_MS = 60_000;

type Told = Readonly<{
  callback: Behaviour['callback'];
  ourReference: string;
  end: 'paid' | 'failed';
  /** A reference that nobody ever submitted, for lies. */
  inventedReference: string;
}>;

/** Whom-by-when of one payout's callbacks. A payout that does not end tells nothing at its end. */
export function planNotices({ callback, ourReference, end, inventedReference }: Told): NoticePlan {
  const truth: Notice = { ourReference, says: end, forged: false };
  const opposite: Notice = { ...truth, says: end === 'paid' ? 'failed' : 'paid' };
  const nothing: NoticePlan = { beforeAnswer: [], afterAnswer: [], atEnd: [], delayMs: 0 };
  switch (callback) {
    case 'none':
      return nothing;
    case 'once':
      return { ...nothing, atEnd: [truth] };
    case 'twice':
      return { ...nothing, atEnd: [truth, truth] };
    case 'early':
      return { ...nothing, beforeAnswer: [truth] };
    case 'late':
      return { ...nothing, atEnd: [truth], delayMs: LATE_CALLBACK_MS };
    case 'contradictory':
      return { ...nothing, atEnd: [opposite, truth] };
    case 'outOfOrder':
      return { ...nothing, atEnd: [truth, { ...truth, says: 'pending' }] };
    case 'forged': {
      const lie = { ...opposite, forged: true };
      const afterAnswer = [lie, { ...lie, ourReference: inventedReference, says: 'paid' as const }];
      return { ...nothing, afterAnswer, atEnd: [truth] };
    }
    default: {
      const unhandled: never = callback;
      throw new Error(`unhandled callback ${String(unhandled)}`);
    }
  }
}
