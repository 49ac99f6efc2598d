import type { Pool, PoolClient } from 'pg';

/** A connection that takes longer to close is lost: its server was restarted and no longer has it. */
const CLOSING_MAX_MS = 5_000;

/** How many connections a pool may have, which can be changed while it is in use. */
type PoolLimit = Readonly<{
  /** A connection of the pool, to be released with `isPassed()`. */
  connect(): Promise<PoolClient>;
  /** Resolves once no more than these are open, those included that are being closed. */
  set(connectionsMax: number): Promise<void>;
  /** Whether a connection that is released now is one too many. */
  isPassed(): boolean;
}>;

export function limitPool(pool: Pool, connectionsMax: number): PoolLimit {
  // Not among its options at first: there the pool takes 0 for its default.
  pool.options.max = connectionsMax;
  const closing = new Set<PoolClient>();
  let onClosed = (): void => undefined;
  const closed = (client: PoolClient) => {
    closing.delete(client);
    onClosed();
  };
  pool.on('release', (error: unknown, client) => {
    if (error === undefined || error === false) return;
    closing.add(client);
    setTimeout(closed, CLOSING_MAX_MS, client).unref();
  });
  pool.on('remove', closed);
  const isPassed = () => pool.totalCount > pool.options.max;

  function connect(): Promise<PoolClient> {
    const { promise, resolve, reject } = Promise.withResolvers<PoolClient>();
    let isTooLate = false;
    // The time to wait can pass while a new connection is being verified. The pool then calls back twice: with an
    // error, and later with the connection. Its own promise would ignore the second, and the connection would never be
    // released.
    pool.connect((error, client) => {
      if (client === undefined) {
        isTooLate = true;
        reject(error ?? new Error('the pool gave no connection'));
      } else if (isTooLate) client.release(isPassed());
      else resolve(client);
    });
    return promise;
  }

  async function useOne(): Promise<void> {
    const client = await connect().catch(() => undefined);
    client?.release(isPassed());
  }

  return {
    connect,
    isPassed,
    async set(max) {
      const isMore = max > pool.options.max;
      pool.options.max = max;
      // The pool looks for those who wait for a connection when one is released.
      if (isMore && pool.waitingCount > 0) await useOne();
      while (!pool.ending && pool.totalCount + closing.size > pool.options.max) {
        if (isPassed() && pool.idleCount > 0) await useOne();
        else {
          await new Promise<void>((resolve) => {
            onClosed = resolve;
          });
        }
      }
    },
  };
}
