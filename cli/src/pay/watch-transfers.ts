import { type Kafue, KafueError } from '../../../sdk/src/index.ts';
import { findSent } from './find-sent.ts';
import { isFinal, type LineOutcome } from './line-outcome.ts';

/** How many transfers are read in one round. */
const ROUND_MAX = 5_000;
const PAUSE_FIRST_MS = 500;
const PAUSE_MAX_MS = 10_000;

export type WatchDeps = Readonly<{
  kafue: Pick<Kafue, 'transfers'>;
  pause: (ms: number, signal: AbortSignal) => Promise<void>;
  now: () => number;
  /** Ends the watching. */
  stop: AbortSignal;
  /** Called after each round with everything so far. */
  onRound: (outcomes: readonly LineOutcome[]) => void;
}>;

export type Watched = Readonly<{
  outcomes: readonly LineOutcome[];
  endedBy: KafueError | undefined;
}>;

/** Reads pending transfers, the one not read for longest first, until all are final or the time is up. */
export async function watchTransfers(
  deps: WatchDeps,
  sent: readonly LineOutcome[],
  { watchMs }: Readonly<{ watchMs: number }>,
): Promise<Watched> {
  const outcomes = [...sent];
  const deadline = deps.now() + watchMs;
  let waiting = [...outcomes.keys()].filter((index) => isPending(outcomes[index]));
  let idleRounds = 0;
  while (waiting.length > 0 && !deps.stop.aborted && deps.now() <= deadline) {
    const asked = waiting.slice(0, ROUND_MAX);
    try {
      await refresh(deps, outcomes, asked);
    } catch (error) {
      if (error instanceof KafueError && error.code === 'ABORTED') break;
      if (error instanceof KafueError) return { outcomes, endedBy: error };
      throw error;
    }
    const stillPending = asked.filter((index) => isPending(outcomes[index]));
    idleRounds = stillPending.length < asked.length ? 0 : idleRounds + 1;
    waiting = [...waiting.slice(ROUND_MAX), ...stillPending];
    deps.onRound(outcomes);
    if (waiting.length > 0) await deps.pause(pauseMs(idleRounds), deps.stop);
  }
  return { outcomes, endedBy: undefined };
}

/** Grows while nothing changes, because a transfer can be in doubt for days. */
function pauseMs(idleRounds: number): number {
  return Math.min(PAUSE_FIRST_MS * 2 ** Math.min(idleRounds, 10), PAUSE_MAX_MS);
}

function isPending(outcome: LineOutcome | undefined): boolean {
  return outcome !== undefined && 'transfer' in outcome && !isFinal(outcome.transfer);
}

async function refresh(
  { kafue, stop }: WatchDeps,
  outcomes: LineOutcome[],
  indexes: readonly number[],
): Promise<void> {
  const references = indexes.flatMap((index) => referenceOf(outcomes[index]) ?? []);
  const found = await findSent({ kafue, stop, onLookedUp: () => undefined }, references);
  for (const index of indexes) {
    const outcome = outcomes[index];
    const now = found.get(referenceOf(outcome) ?? '');
    if (now === undefined || outcome === undefined || !('transfer' in outcome)) continue;
    outcomes[index] = { ...outcome, transfer: now.sent };
  }
}

function referenceOf(outcome: LineOutcome | undefined): string | undefined {
  return outcome !== undefined && 'transfer' in outcome ? outcome.transfer.reference : undefined;
}
