import type { Behaviour } from './behaviour.ts';

/** One callback to send; the protocol renders it. */
export type Notice = Readonly<{
  ourReference: string;
  says: 'paid' | 'failed' | 'pending';
  /** A false callback by another sender: wrongly signed or unsigned. */
  forged: boolean;
}>;

export type NoticePlan = Readonly<{
  beforeAnswer: readonly Notice[];
  afterAnswer: readonly Notice[];
  atEnd: readonly Notice[];
  /** From the end until the `atEnd` notices are sent. */
  delayMs: number;
}>;

const LATE_CALLBACK_MS = 60_000;

type CallbackPlanInput = Readonly<{
  callback: Behaviour['callback'];
  ourReference: string;
  end: 'paid' | 'failed';
  /** A reference that was never submitted, for forged callbacks. */
  inventedReference: string;
}>;

/** Which callbacks a payout sends, and when. A payout that never ends never sends its `atEnd` notices. */
export function planNotices({
  callback,
  ourReference,
  end,
  inventedReference,
}: CallbackPlanInput): NoticePlan {
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
