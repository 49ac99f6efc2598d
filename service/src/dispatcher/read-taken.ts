import { type Outcome, REPORTED_FIELDS } from '../domain/outcome.ts';
import type { ConnectorReply } from '../operators/contract/connector.ts';
import type { Route } from '../operators/routes/route.ts';
import type { TakenCallback } from '../transfers/callbacks/take-as-answer.ts';
import { toPayout } from './to-payout.ts';

/**
 * What a callback that was taken says, read by the rules for answers to inquiries. Undefined: it does not end the
 * transfer, or its route does not declare any more that signed callbacks are final.
 */
export function readTaken({ connector }: Route, taken: TakenCallback): ConnectorReply | undefined {
  if (!connector.abilities.signedCallbacksAreFinal) return undefined;
  const reply = connector.readAnswer?.(taken, toPayout(taken.transfer));
  return reply !== undefined && isEnd(reply.outcome) ? reply : undefined;
}

function isEnd(outcome: Outcome): boolean {
  if (outcome.kind === 'rejected') return true;
  return (
    outcome.kind === 'paid' &&
    REPORTED_FIELDS.every((subject) => outcome.confirmed.includes(subject))
  );
}
