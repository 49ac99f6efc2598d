import type { BackendMemory, PayoutRecord } from './backend-memory.ts';
import type { Behaviour, Payout } from './behaviour.ts';
import type { RefusalWord } from './refusal-words.ts';

export type PayoutStatus = 'unknown' | 'pending' | 'paid' | 'failed';

/** The result of an inquiry. `down`: the protocol answers that inquiries are unavailable. */
export type Inquiry =
  | Readonly<{ kind: 'down' }>
  | Readonly<{ kind: 'unknown' }>
  | Readonly<{
      kind: 'known';
      status: 'pending' | 'paid' | 'failed';
      /** Why it failed: a word of `refusal-words.ts` or a code. */
      refusal: string | null;
      amountMinor: bigint;
      msisdn: string;
    }>;

const WRONG_BY_MINOR = 100n;
const REFUSAL_WITHOUT_REASON: RefusalWord = 'declined';

export function actualOutcome({ execute }: Behaviour): 'paid' | 'failed' {
  return execute === 'never' ? 'failed' : 'paid';
}

/** A payout that is executed late is pending from its execution on; before that, inquiries do not find it. */
export function endsAtMs(
  { timeScale }: BackendMemory,
  { payout, executedAtMs }: PayoutRecord,
): number {
  const isLate = payout.behaviour.execute === 'late';
  const fromMs = isLate && executedAtMs !== null ? executedAtMs : payout.receivedAtMs;
  return fromMs + payout.pendingMs * timeScale;
}

export function statusOf(memory: BackendMemory, payout: Payout): PayoutStatus {
  const record = memory.byId.get(payout.id);
  if (record === undefined) return 'unknown';
  const { behaviour } = record.payout;
  if (behaviour.execute === 'late' && record.executedAtMs === null) return 'unknown';
  if (memory.now() < endsAtMs(memory, record)) return 'pending';
  const end = actualOutcome(behaviour);
  if (behaviour.inquiry !== 'contradictory' || record.endsShown > 0) return end;
  return end === 'paid' ? 'failed' : 'paid';
}

export function inquire(memory: BackendMemory, payout: Payout): Inquiry {
  if (payout.behaviour.inquiry === 'down') return { kind: 'down' };
  const status = statusOf(memory, payout);
  if (status === 'unknown') return { kind: 'unknown' };
  const record = memory.byId.get(payout.id);
  if (record !== undefined && payout.behaviour.inquiry === 'alternating') {
    record.inquiries += 1;
    if (record.inquiries % 2 === 0) return { kind: 'down' };
  }
  if (record !== undefined && status !== 'pending') record.endsShown += 1;
  const refusal = status === 'failed' ? refusalOf(payout) : null;
  return { kind: 'known', status, refusal, ...reportOf(payout) };
}

export function refusalOf({ behaviour }: Payout): string {
  return behaviour.refusal ?? REFUSAL_WITHOUT_REASON;
}

/** Amount and number as this operator reports them in inquiries and callbacks. */
export function reportOf({ amountMinor, msisdn, behaviour }: Payout) {
  return {
    amountMinor: behaviour.inquiry === 'wrongAmount' ? amountMinor + WRONG_BY_MINOR : amountMinor,
    msisdn: behaviour.inquiry === 'wrongNumber' ? otherNumber(msisdn) : msisdn,
  };
}

/** Another number: the last digit plus one. */
function otherNumber(msisdn: string): string {
  return `${msisdn.slice(0, -1)}${(Number(msisdn.slice(-1)) + 1) % 10}`;
}
