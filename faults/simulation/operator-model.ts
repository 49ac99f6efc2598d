import type { Random } from '../plan/random.ts';
import type { OperatorPlan, PayoutBehaviour } from './operator-plan.ts';
import { type Outcome, type Payout, REPORTED_FIELDS } from './service-core.ts';
import { isWithin, type Window } from './windows.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const INQUIRE_AGAIN_MS = 20 * MINUTE_MS;
const UNREADABLE: Outcome = { kind: 'unknown', cause: 'an unreadable answer' };
const MISMATCH: Outcome = {
  kind: 'mismatched',
  contradicted: ['amount'],
  cause: 'another amount was paid',
};
const DUPLICATE: Outcome = {
  kind: 'unknown',
  cause: 'the operator reports a duplicate',
  isDuplicate: true,
};
/** A success without amount and number. */
const PAID_UNCONFIRMED: Outcome = { kind: 'paid', operatorTransactionId: null, confirmed: [] };
const RETRY_AFTER_MAX_MS = 20 * MINUTE_MS;
const REFUSED: Outcome = { kind: 'rejected', failure: 'OPERATOR_REJECTED', cause: 'refused' };

/** A line in the operator's own book: one payout that it accepted. */
export type BookEntry = Readonly<{
  reference: string;
  phone: string;
  orderedMinor: bigint;
  paidMinor: bigint;
  verdict: 'pays' | 'rejects';
  behaviour: PayoutBehaviour;
  receivedAtMs: number;
  /** From this time on inquiries find it. */
  visibleAtMs: number;
  /** When the payout is paid or rejected. */
  decidedAtMs: number;
  returnedAtMs: number;
  /** Until then inquiries get a false answer. */
  deniedUntilMs: number;
}>;

/** An operator's answer about a reference, and its time. Only such answers count as evidence. */
export type Said = Readonly<{
  reference: string;
  word: Outcome['kind'];
  atMs: number;
  /** The earliest time for the next call about the payout, where the operator named one. */
  notBeforeMs: number;
}>;

export type OperatorModel = Readonly<{
  plan: OperatorPlan;
  /** A submission arrived. Undefined: no answer will come. */
  receive(payout: Payout): Outcome | undefined;
  answerInquiry(reference: string): Outcome | undefined;
  /** It calls about an ended payout; where its signed callbacks are final, that counts as its answer. */
  callsAbout(reference: string, claims: 'paid' | 'failed'): void;
  /** Whether a new connection is refused. */
  refusesConnection(): boolean;
  /** How long it stays closed; 0: it accepts payouts. */
  closedForMs(): number;
  book(): readonly BookEntry[];
  /** Every submission that arrived, including refused duplicates. */
  arrivals(): readonly Readonly<{ reference: string; atMs: number }>[];
  said(): readonly Said[];
  /** References about which it gave a false final answer. */
  lies(): ReadonlySet<string>;
}>;

export function createOperatorModel(
  deps: Readonly<{
    plan: OperatorPlan;
    random: Random;
    nowMs: () => number;
    healsAtMs: number;
    /** Whether the service recorded that the operator reported other values than were sent. */
    wasContradicted: (reference: string) => boolean;
    onEntry: (entry: BookEntry) => void;
  }>,
): OperatorModel {
  const { plan, random, nowMs } = deps;
  const byReference = new Map<string, BookEntry>();
  const book: BookEntry[] = [];
  const arrivals: { reference: string; atMs: number }[] = [];
  const said: Said[] = [];
  const lies = new Set<string>();

  function say(reference: string, outcome: Outcome): Outcome {
    const waitMs = 'retryInMs' in outcome ? (outcome.retryInMs ?? 0) : 0;
    said.push({ reference, word: outcome.kind, atMs: nowMs(), notBeforeMs: nowMs() + waitMs });
    return outcome;
  }

  const isSilent = (): boolean =>
    isWithin(plan.silences, nowMs()) || isWithin(plan.standstills, nowMs());

  /** The payout that it recognises under a reference; references are forgotten after a time. */
  function recall(reference: string): BookEntry | undefined {
    const entry = byReference.get(reference);
    return entry === undefined || isForgotten(plan, entry, nowMs()) ? undefined : entry;
  }

  function refuseForNow(kind: 'throttled' | 'unanswered'): Outcome {
    const retryInMs = random.chance(300) ? null : random.between(1, RETRY_AFTER_MAX_MS);
    return { kind, cause: 'the operator reports too many calls', retryInMs };
  }

  function deny(reference: string): Outcome {
    lies.add(reference);
    return random.chance(500) ? REFUSED : { kind: 'notFound' };
  }

  return {
    plan,
    receive(payout) {
      const { operatorReference: reference } = payout;
      arrivals.push({ reference, atMs: nowMs() });
      if (nowMs() < deps.healsAtMs && random.chance(plan.lossesPerMille)) return undefined;
      if (isWithin(plan.throttles, nowMs())) return say(reference, refuseForNow('throttled'));
      if (plan.abilities.deduplicates && recall(reference) !== undefined) {
        return say(reference, DUPLICATE);
      }
      const entry = drawEntry({ plan, random, nowMs: nowMs() }, payout);
      byReference.set(reference, entry);
      book.push(entry);
      deps.onEntry(entry);
      const outcome =
        entry.behaviour === 'pays, says that it takes nothing'
          ? refuseForNow('throttled')
          : answerTo(entry, random);
      if (outcome === undefined || isSilent()) return undefined;
      return say(reference, outcome);
    },
    answerInquiry(reference) {
      if (isWithin(plan.inquiryOutages, nowMs()) || isWithin(plan.standstills, nowMs())) {
        return undefined;
      }
      if (isWithin(plan.inquiryThrottles, nowMs())) {
        return say(reference, refuseForNow('unanswered'));
      }
      // Where "not found" is final, inquiries find a payout even after a resubmission would count as a new one.
      const { notFoundIsFinal } = plan.abilities;
      const entry = notFoundIsFinal ? byReference.get(reference) : recall(reference);
      const nothing = entry === undefined || entry.visibleAtMs > nowMs();
      if (nothing) return say(reference, { kind: 'notFound' });
      const denies =
        entry.behaviour === 'pays, denies it for a while' && nowMs() < entry.deniedUntilMs;
      if (denies) return say(reference, deny(reference));
      const hidesAmount =
        entry.behaviour === 'pays another amount, reports it once' &&
        deps.wasContradicted(reference);
      if (hidesAmount) return random.chance(300) ? undefined : say(reference, PAID_UNCONFIRMED);
      return say(reference, stateOf(entry, { random, nowMs: nowMs() }));
    },
    callsAbout(reference, claims) {
      if (!plan.abilities.signedCallbacksAreFinal) return;
      const word = claims === 'paid' ? 'paid' : 'rejected';
      said.push({ reference, word, atMs: nowMs(), notBeforeMs: nowMs() });
    },
    refusesConnection: () =>
      isWithin(plan.outages, nowMs()) ||
      (nowMs() < deps.healsAtMs && random.chance(plan.refusalsPerMille)),
    closedForMs() {
      const open = plan.closures.find((window) => isWithin([window], nowMs()));
      return open === undefined ? 0 : open.toMs - nowMs();
    },
    book: () => book,
    arrivals: () => arrivals,
    said: () => said,
    lies: () => lies,
  };
}

/** Whether the same reference would be a new payout now. */
export function isForgotten(
  { abilities }: OperatorPlan,
  { receivedAtMs }: BookEntry,
  nowMs: number,
): boolean {
  return nowMs >= receivedAtMs + abilities.referenceMemoryMs;
}

type Draw = Readonly<{ plan: OperatorPlan; random: Random; nowMs: number }>;

function drawEntry({ plan, random, nowMs }: Draw, payout: Payout): BookEntry {
  const behaviour = drawBehaviour(plan, random);
  const { amountMinor, phone, operatorReference: reference } = payout;
  const hides = behaviour === 'pays much later, not found until then';
  const isLater = behaviour === 'pays later' || behaviour === 'rejects later';
  const lagMs = hides ? random.between(0, plan.lagMaxMs) : 0;
  const workMs = isLater ? random.between(0, random.pick([MINUTE_MS, 2 * HOUR_MS])) : 0;
  const visibleAtMs = afterWork(plan.standstills, nowMs, lagMs);
  const decidedAtMs = afterWork(plan.standstills, visibleAtMs, workMs);
  // An operator without inquiries has no way to report a return.
  const returns = behaviour === 'pays, returns it later' && plan.abilities.inquires;
  const denies = behaviour === 'pays, denies it for a while';
  return {
    reference,
    phone,
    orderedMinor: amountMinor,
    paidMinor: behaviour.startsWith('pays another amount') ? amountMinor + 1n : amountMinor,
    verdict: behaviour.startsWith('rejects') ? 'rejects' : 'pays',
    behaviour,
    receivedAtMs: nowMs,
    visibleAtMs,
    decidedAtMs,
    returnedAtMs: returns ? decidedAtMs + random.between(1, HOUR_MS) : Infinity,
    deniedUntilMs: denies ? decidedAtMs + random.between(1, HOUR_MS) : 0,
  };
}

/** When work of that duration ends, for an operator with standstills in between. */
function afterWork(standstills: readonly Window[], fromMs: number, workMs: number): number {
  const doneAtMs = fromMs + workMs;
  const inTheWay = standstills.find((window) => fromMs < window.toMs && doneAtMs >= window.fromMs);
  return inTheWay === undefined
    ? doneAtMs
    : doneAtMs + inTheWay.toMs - Math.max(fromMs, inTheWay.fromMs);
}

function drawBehaviour({ treatments }: OperatorPlan, random: Random): PayoutBehaviour {
  const total = treatments.reduce((sum, { weight }) => sum + weight, 0);
  let left = random.between(1, total);
  for (const { behaviour, weight } of treatments) {
    left -= weight;
    if (left <= 0) return behaviour;
  }
  throw new Error('an operator without treatments');
}

/** The answer to the submission itself. */
function answerTo(entry: BookEntry, random: Random): Outcome | undefined {
  switch (entry.behaviour) {
    case 'pays, never answers':
    case 'rejects, never answers':
      return undefined;
    case 'pays, answers unreadably':
      return UNREADABLE;
    case 'pays much later, not found until then':
    case 'pays, denies it for a while':
      return random.chance(500) ? undefined : UNREADABLE;
    default:
      return stateOf(entry, { random, nowMs: entry.receivedAtMs });
  }
}

/** The true state of an entry, as a connector may report it. */
function stateOf(
  entry: BookEntry,
  { random, nowMs }: Readonly<{ random: Random; nowMs: number }>,
): Outcome {
  if (entry.decidedAtMs > nowMs)
    return { kind: 'pending', inquireInMs: random.between(500, 30_000) };
  if (entry.verdict === 'rejects') return REFUSED;
  // A connector compares the paid with the ordered amount, so it must not report this as paid.
  if (entry.paidMinor !== entry.orderedMinor) return MISMATCH;
  if (entry.returnedAtMs <= nowMs) return { kind: 'returned', cause: 'the operator took it back' };
  const operatorTransactionId = `receipt-${entry.reference}`;
  const paid = { kind: 'paid', operatorTransactionId, confirmed: REPORTED_FIELDS } as const;
  const mayReturn = entry.returnedAtMs < Infinity;
  return mayReturn ? { ...paid, inquireAgainInMs: INQUIRE_AGAIN_MS } : paid;
}
