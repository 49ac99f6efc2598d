import type { Outcome } from '../../domain/outcome.ts';
import type { WireRecord } from '../wire/wire-record.ts';
import type { ConnectorReply } from './connector.ts';

/**
 * The reply to a payout that was sent again after its token was refused. It cannot be proved that the first request had
 * no effect, so a refusal of the second does not end the payout: an inquiry does.
 */
export function replyToPayout(
  reply: ConnectorReply,
  earlier: readonly WireRecord[],
): ConnectorReply {
  if (earlier.length === 0) return reply;
  const { outcome } = reply;
  return { ...reply, earlier, outcome: outcome.kind === 'rejected' ? doubted(outcome) : outcome };
}

function doubted({ cause }: Outcome & { kind: 'rejected' }): Outcome {
  return { kind: 'unknown', cause: `sent twice, and then: ${cause}` };
}
