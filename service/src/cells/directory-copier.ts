import { type BackgroundLoop, createBackgroundLoop } from '../background/background-loop.ts';
import type { Logger } from '../telemetry/logger.ts';
import { type CopyDeps, copyDirectory } from './copy-directory.ts';

/** A key that is revoked, a person who is removed and a route that is held count within a second everywhere. */
const ROUND_MS = 200;
/** A copy that is further behind than this may have a revoked key that still works, so its cells are not used. */
export const BEHIND_MAX_MS = 3_000;

export type DirectoryCopier = BackgroundLoop &
  Readonly<{
    /** Takes over what changed once, now. */
    copy(): Promise<void>;
    /** How long ago the copy was known to have all of the directory; infinite before it was for the first time. */
    behindMs(): number;
  }>;

/** Keeps the copy of the directory on one other server. Each process keeps each copy; wake it after a change. */
export function createDirectoryCopier(
  deps: CopyDeps & Readonly<{ monotonicMs: () => number; logger: Pick<Logger, 'warn'> }>,
): DirectoryCopier {
  let currentMs = Number.NEGATIVE_INFINITY;

  /** Resolves with whether there may be more to take over now. */
  async function copyOnce(): Promise<boolean> {
    const startedMs = deps.monotonicMs();
    const state = await copyDirectory(deps);
    if (state === 'current') currentMs = startedMs;
    return state === 'behind';
  }

  const loop = createBackgroundLoop({
    round: async () => ((await copyOnce()) ? 0 : ROUND_MS),
    what: `copying the directory to the server in ${deps.urlVariable}`,
    logger: deps.logger,
    retryInMs: ROUND_MS,
  });
  return {
    ...loop,
    async copy() {
      while (await copyOnce());
    },
    behindMs: () => deps.monotonicMs() - currentMs,
  };
}
