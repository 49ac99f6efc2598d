import type { Queryable } from '../postgres/database.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { ClaimedDelivery } from '../webhooks/claim-deliveries.ts';
import { giveUpDeliveries } from '../webhooks/disable-endpoints.ts';

export type GiveUp = Readonly<{
  /** Gives up all deliveries that wait for the endpoint of these claimed ones, and these themselves. */
  begin(held: readonly ClaimedDelivery[]): void;
  /** Waits for the batch under way; the rest is found again when it is due. */
  stop(): Promise<void>;
}>;

/** Gives up in the background what waits for disabled or deleted endpoints. */
export function createGiveUp(
  deps: Readonly<{ database: Queryable; logger: Pick<Logger, 'warn'> }>,
): GiveUp {
  const underWay = new Map<string, Promise<void>>();
  /**
   * By endpoint, the deliveries that arrived while others were being given up. This process holds their leases, so no
   * other process would give them up before these end.
   */
  const next = new Map<string, ClaimedDelivery[]>();
  let stopping = false;

  async function giveUpAll({ bookId, endpointId }: ClaimedDelivery): Promise<void> {
    try {
      for (let held = take(endpointId); held !== undefined; held = take(endpointId)) {
        const lost = { bookId, endpointId, held: held.map(({ id }) => id) };
        while (!stopping && (await giveUpDeliveries(deps.database, lost)));
      }
    } catch (error) {
      deps.logger.warn(
        { bookId, err: error },
        'giving up deliveries to a removed endpoint failed, trying again when due',
      );
    }
    underWay.delete(endpointId);
  }

  function take(endpointId: string): readonly ClaimedDelivery[] | undefined {
    const held = stopping ? undefined : next.get(endpointId);
    next.delete(endpointId);
    return held;
  }

  return {
    begin(held) {
      const [first] = held;
      if (first === undefined) return;
      const { endpointId } = first;
      next.set(endpointId, [...(next.get(endpointId) ?? []), ...held]);
      if (!underWay.has(endpointId)) underWay.set(endpointId, giveUpAll(first));
    },
    async stop() {
      stopping = true;
      await Promise.all(underWay.values());
    },
  };
}
