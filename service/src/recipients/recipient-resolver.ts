import {
  type BackgroundLoop,
  createBackgroundLoop,
  UNTIL_WOKEN_MS,
} from '../background/background-loop.ts';
import type { Queryable } from '../postgres/database.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { AccountNames } from './account-names.ts';
import { RESOLVE_BATCH_MAX, resolvePending } from './resolve-pending.ts';

const RETRY_INTERVAL_MS = 500;

export type RecipientResolverDeps = Readonly<{
  database: Queryable;
  names: AccountNames;
  logger: Pick<Logger, 'warn'>;
  now: () => Date;
}>;

/** Resolves in the background the names that operators could not give at once. */
export function createRecipientResolver(deps: RecipientResolverDeps): BackgroundLoop {
  const onError = (error: unknown, recipientId: string): void =>
    deps.logger.warn(
      { recipientId, err: error },
      'resolving a recipient failed, retried when its lease ends',
    );
  return createBackgroundLoop({
    async round() {
      const resolved = await resolvePending({ ...deps, onError });
      return resolved === RESOLVE_BATCH_MAX ? 0 : UNTIL_WOKEN_MS;
    },
    what: 'resolving recipients',
    logger: deps.logger,
    retryInMs: RETRY_INTERVAL_MS,
  });
}
