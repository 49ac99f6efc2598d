import { createFeedKeeper, type FeedKeeper } from '../src/events/feed-keeper.ts';
import type { Database } from '../src/postgres/database.ts';

/** A feed that is updated when it is read, and not by itself. */
export function createTestFeed(database: Database): FeedKeeper {
  const logger = { warn: () => undefined };
  return createFeedKeeper({ database, onDeliveries: () => undefined, logger });
}
