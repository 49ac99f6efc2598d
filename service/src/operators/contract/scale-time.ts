import type { Outcome } from '../../domain/outcome.ts';
import type { Connector, ConnectorReply, Payout } from './connector.ts';

type Time = Readonly<{ timeScale: number; now: () => Date }>;

/**
 * Wraps a connector so that its waits between inquiries follow the time scale of its route: it sees the age that a
 * payout would have with a real operator, and the wait that it returns is shortened. Real time stays real: network
 * timeouts, lifetimes of tokens and sessions, and an operator's Retry-After.
 */
export function scaleTime(connector: Connector, time: Time): Connector {
  if (time.timeScale === 1) return connector;
  return {
    ...connector,
    submit: async (payout) => shorten(await connector.submit(age(payout, time)), time),
    inquire: async (payout, asked) =>
      shorten(await connector.inquire(age(payout, time), asked), time),
  };
}

function age(payout: Payout, { timeScale, now }: Time): Payout {
  const nowMs = now().getTime();
  const ageMs = (nowMs - payout.createdAt.getTime()) / timeScale;
  return { ...payout, createdAt: new Date(nowMs - ageMs) };
}

function shorten(reply: ConnectorReply, { timeScale }: Time): ConnectorReply {
  const { outcome } = reply;
  if (outcome.kind !== 'pending') return reply;
  const shorter: Outcome = { kind: 'pending', inquireInMs: outcome.inquireInMs * timeScale };
  return { ...reply, outcome: shorter };
}
