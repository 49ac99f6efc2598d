import type { Queryable } from '../postgres/database.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { ClaimedDelivery } from '../webhooks/claim-deliveries.ts';
import { giveUpDeliveries } from '../webhooks/disable-endpoints.ts';

export type GiveUp = Readonly<{
  /** Gives up all that waits for the one endpoint of these claimed deliveries, and these themselves. */
  begin(held: readonly ClaimedDelivery[]): void;
  /** Waits for the batch under way; what is left is found again when it is due. */
  stop(): Promise<void>;
}>;

/** Ends in the background what waits for endpoints that are disabled or deleted. */
export function createGiveUp(
  deps: Readonly<{ database: Queryable; logger: Pick<Logger, 'warn'> }>,
): GiveUp {
  const underWay = new Map<string, Promise<void>>();
  let stopping = false;

  async function giveUpAll(held: readonly ClaimedDelivery[], first: ClaimedDelivery) {
    const { bookId, endpointId } = first;
    const lost = { bookId, endpointId, held: held.map(({ id }) => id) };
    try {
      while (!stopping && (await giveUpDeliveries(deps.database, lost)));
    } catch (error) {
      deps.logger.warn({ bookId, err: error }, 'deliveries to a lost endpoint left to their time');
    }
    underWay.delete(endpointId);
  }

  return {
    begin(held) {
      const [first] = held;
      if (first === undefined || underWay.has(first.endpointId)) return;
      underWay.set(first.endpointId, giveUpAll(held, first));
    },
    async stop() {
      stopping = true;
      await Promise.all(underWay.values());
    },
  };
}
