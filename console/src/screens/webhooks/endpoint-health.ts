import type { Delivery, Webhook } from '../../api/developer-types.ts';

export type Health = Readonly<{
  state: 'working' | 'failing' | 'disabled' | 'new';
  waiting: number;
  delivered: number;
  failed: number;
  medianMs: number | undefined;
  /** The first of the attempts that failed without one that worked after them. */
  failingSince: string | undefined;
  last: Delivery['attempts'][number] | undefined;
}>;

export function isAccepted(status: number | null): boolean {
  return status !== null && status >= 200 && status < 300;
}

/** How an endpoint does, from its latest deliveries. */
export function healthOf({ status }: Webhook, deliveries: readonly Delivery[]): Health {
  const attempts = deliveries
    .flatMap((delivery) => delivery.attempts)
    .sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
  const lastGood = attempts.findLastIndex((attempt) => isAccepted(attempt.status));
  const failing = attempts.slice(lastGood + 1);
  const took = attempts.map(({ elapsedMs }) => elapsedMs).sort((a, b) => a - b);
  const count = (state: Delivery['state']) =>
    deliveries.filter((delivery) => delivery.state === state).length;
  return {
    state: status === 'disabled' ? 'disabled' : stateOf(attempts.length, failing.length),
    waiting: count('pending'),
    delivered: count('delivered'),
    failed: count('failed'),
    medianMs: took[Math.floor(took.length / 2)],
    failingSince: failing[0]?.at,
    last: attempts.at(-1),
  };
}

function stateOf(attempts: number, failing: number): Health['state'] {
  if (attempts === 0) return 'new';
  return failing > 0 ? 'failing' : 'working';
}
