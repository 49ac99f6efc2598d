import { setTimeout as wait } from 'node:timers/promises';
import type { Queryable } from '../postgres/database.ts';
import type { AccountNames } from '../recipients/account-names.ts';
import { RESOLVE_BATCH_MAX, resolvePending } from '../recipients/resolve-pending.ts';
import type { Logger } from '../telemetry/logger.ts';

/** How often due recipients are searched for; a search that finds none costs one probe of an index. */
const RESOLVE_INTERVAL_MS = 500;

export type RecipientResolverDeps = Readonly<{
  database: Queryable;
  names: AccountNames;
  logger: Pick<Logger, 'warn'>;
  now: () => Date;
}>;

export type RecipientResolver = Readonly<{
  /** Starting a running or a stopped one does nothing. */
  start(): void;
  /** Waits for the lookups under way. May be called before `start`, and more than once. */
  stop(): Promise<void>;
}>;

/** Resolves in the background the names that operators could not give at once. */
export function createRecipientResolver(deps: RecipientResolverDeps): RecipientResolver {
  const stopping = new AbortController();
  const { signal } = stopping;
  let running: Promise<void> | undefined;

  const onError = (error: unknown, recipientId: string): void =>
    deps.logger.warn(
      { recipientId, err: error },
      'resolving a recipient failed, retried when its lease ends',
    );

  /** Whether to continue at once, because the batch was full. */
  async function resolveBatch(): Promise<boolean> {
    try {
      return (await resolvePending({ ...deps, onError })) === RESOLVE_BATCH_MAX;
    } catch (error) {
      deps.logger.warn({ err: error }, 'resolving recipients failed, trying again');
      return false;
    }
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      const moreDue = await resolveBatch();
      // An aborted wait rejects, and the loop's condition then ends the loop.
      if (!moreDue) await wait(RESOLVE_INTERVAL_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  return {
    start() {
      if (!signal.aborted) running ??= run();
    },
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
