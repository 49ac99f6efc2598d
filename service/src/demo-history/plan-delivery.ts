import { type AttemptMade, type DeliveryState } from '../webhooks/delivery.ts';
import { nextAttemptInMs } from '../webhooks/delivery-schedule.ts';
import type { SeededRandom } from './seeded-random.ts';

/** How a receiver behaved. */
export type Receiver = Readonly<{
  /** Since when nothing listens there; null: it works. */
  goneSince: Date | null;
  /** The type of events that it cannot handle. */
  brokenFor: string | null;
}>;

export type PlannedDelivery = Readonly<{
  state: DeliveryState;
  attempts: readonly AttemptMade[];
  nextAttemptAt: Date | null;
}>;

const FIRST_ATTEMPT_MS = { min: 120, max: 900 } as const;
const ELAPSED_MS = { min: 18, max: 340 } as const;
/** How often the first POST finds a receiver that is just restarting. */
const BUSY_SHARE = 0.012;

type DeliveredEvent = Readonly<{ type: string; at: Date }>;

/** The attempts that were made for one event by now, on the same schedule as real ones. */
export function planDelivery(
  random: SeededRandom,
  event: DeliveredEvent,
  { receiver, now }: Readonly<{ receiver: Receiver; now: Date }>,
): PlannedDelivery {
  const attempts: AttemptMade[] = [];
  let at = new Date(event.at.getTime() + random.whole(FIRST_ATTEMPT_MS));
  while (at < now) {
    const attempt = tryAt(random, event, { at, receiver, isFirst: attempts.length === 0 });
    attempts.push(attempt);
    if (attempt.status === 200) return { state: 'delivered', attempts, nextAttemptAt: null };
    const waitMs = nextAttemptInMs(
      { attempts: attempts.length, retryAfterSeconds: undefined },
      { timeScale: 1, random: random.next },
    );
    if (waitMs === undefined) return { state: 'failed', attempts, nextAttemptAt: null };
    at = new Date(at.getTime() + waitMs);
  }
  return { state: 'pending', attempts, nextAttemptAt: at };
}

function tryAt(
  random: SeededRandom,
  { type }: DeliveredEvent,
  { at, receiver, isFirst }: Readonly<{ at: Date; receiver: Receiver; isFirst: boolean }>,
): AttemptMade {
  const elapsedMs = random.whole(ELAPSED_MS);
  const { goneSince, brokenFor } = receiver;
  if (goneSince !== null && at >= goneSince) {
    return { at, elapsedMs, status: null, error: 'the connection was refused', answer: null };
  }
  const answered = (status: number, answer: string): AttemptMade => {
    return { at, elapsedMs, status, error: null, answer };
  };
  if (type === brokenFor) return answered(500, `{"error":"unknown event ${type}"}`);
  if (isFirst && random.chance(BUSY_SHARE)) return answered(503, 'restarting');
  return answered(200, 'ok');
}
