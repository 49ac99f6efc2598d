import { setTimeout as wait } from 'node:timers/promises';
import {
  type BackgroundLoop,
  createBackgroundLoop,
  UNTIL_WOKEN_MS,
} from '../background/background-loop.ts';
import {
  type ClaimedScreening,
  claimScreenings,
  FIRST_SCREENER,
  releaseScreenings,
  type ScreenerKey,
} from '../screening/claim-screenings.ts';
import {
  dropScreenings,
  type RecordedScreening,
  type RecordScreeningDeps,
  recordAnswer,
} from '../screening/record-answer.ts';
import { DEADLINE_MAX_MS } from '../screening/screener.ts';
import { SCREENING_LEASE_MS } from '../screening/screening.ts';
import { failpoint } from '../telemetry/failpoint.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { SafePoster } from '../webhooks/safe-post/post-safely.ts';
import { type RequestScreeningDeps, requestScreening } from './request-screening.ts';

const RETRY_INTERVAL_MS = 250;
/** However often answers come in, the next claim takes what has gathered since. */
const LOOK_GAP_MS = 20;
/** Questions under way in this process, and how many of them one screener may have. */
const UNDER_WAY_MAX = 128;
export const UNDER_WAY_PER_SCREENER_MAX = 8;
/** Time for recording the answer, after the deadline and before the lease ends. */
const LEASE_MARGIN_MS = 10_000;
const DRAIN_MS = 2_000;

export type ScreeningSenderDeps = RequestScreeningDeps &
  RecordScreeningDeps &
  Readonly<{
    poster: SafePoster;
    monotonicMs: () => number;
    observe: (screening: Readonly<{ result: RecordedScreening; elapsedMs: number }>) => void;
    logger: Pick<Logger, 'warn'>;
    /** How long `stop` waits for answers; the rest is asked again by the next process. */
    drainMs?: number;
  }>;

/** Asks screeners about transfers that wait for it, fairly between screeners: one that hangs delays only its own. */
export function createScreeningSender(deps: ScreeningSenderDeps): BackgroundLoop {
  const underWay = new UnderWay();
  const stopping = { isShut: false };
  let after = FIRST_SCREENER;
  let stopped: Promise<void> | undefined;

  /** False when there is nothing more to claim now. */
  async function claim(): Promise<boolean> {
    const max = UNDER_WAY_MAX - underWay.size();
    if (max === 0) return false;
    // Taken before the claim: the lease cannot have begun earlier.
    const beginBeforeMs =
      deps.monotonicMs() + SCREENING_LEASE_MS - DEADLINE_MAX_MS - LEASE_MARGIN_MS;
    const claimed = await claimScreenings(deps.database, {
      leaseOwner: deps.leaseOwner,
      after,
      max,
      perScreenerMax: UNDER_WAY_PER_SCREENER_MAX,
      taken: underWay.taken(),
    });
    after = claimed.next;
    for (const screening of claimed.screenings) {
      const isLate = () => deps.monotonicMs() > beginBeforeMs;
      underWay.add(screening, askAndRecord(deps, screening, { isLate, stopping }), loop.wake);
    }
    return after !== FIRST_SCREENER;
  }

  const loop = createBackgroundLoop({
    async round(signal) {
      while (!signal.aborted && (await claim()));
      return UNTIL_WOKEN_MS;
    },
    what: 'claiming questions to screeners',
    logger: deps.logger,
    retryInMs: RETRY_INTERVAL_MS,
    gapMs: LOOK_GAP_MS,
  });

  async function stop(): Promise<void> {
    await loop.stop();
    await Promise.race([
      underWay.idle(),
      wait(deps.drainMs ?? DRAIN_MS, undefined, { ref: false }),
    ]);
    stopping.isShut = true;
    deps.poster.close();
    await underWay.idle();
  }

  return {
    start: loop.start,
    wake: loop.wake,
    stop() {
      stopped ??= stop();
      return stopped;
    },
  };
}

type Conditions = Readonly<{ isLate: () => boolean; stopping: Readonly<{ isShut: boolean }> }>;

/** Never rejects: after an error on our side the lease ends, and the same question is asked again. */
async function askAndRecord(
  deps: ScreeningSenderDeps,
  screening: ClaimedScreening,
  { isLate, stopping }: Conditions,
): Promise<void> {
  const { bookId, transferId, transfer } = screening;
  const release = () =>
    releaseScreenings(deps.database, { leaseOwner: deps.leaseOwner, screenings: [screening] });
  try {
    if (transfer.state !== 'awaiting_approval')
      return await dropScreenings(deps.database, screening);
    if (isLate()) return await release();
    const asked = await requestScreening(deps, screening);
    // We cut the question off ourselves, which says nothing about the screener.
    if (stopping.isShut) return await release();
    failpoint('screener-answered');
    const result = await recordAnswer(deps, asked);
    deps.observe({ result, elapsedMs: asked.elapsedMs });
  } catch (error) {
    deps.logger.warn(
      { bookId, transferId, err: error },
      'a screening failed on our side, asked again when its lease ends',
    );
  }
}

/** The questions under way, by screener. */
class UnderWay {
  readonly #screeners = new Map<string, ScreenerKey & { count: number }>();
  readonly #work = new Set<Promise<void>>();

  size(): number {
    return this.#work.size;
  }

  /** `work` must not reject. */
  add({ bookId, screener }: ScreenerKey, work: Promise<void>, onDone: () => void): void {
    const key = `${bookId} ${screener}`;
    const entry = this.#screeners.get(key) ?? { bookId, screener, count: 0 };
    entry.count += 1;
    this.#screeners.set(key, entry);
    const done = this.#follow(entry, work, onDone);
    this.#work.add(done);
    void done.finally(() => this.#work.delete(done));
  }

  async #follow(
    entry: ScreenerKey & { count: number },
    work: Promise<void>,
    onDone: () => void,
  ): Promise<void> {
    await work;
    entry.count -= 1;
    if (entry.count === 0) this.#screeners.delete(`${entry.bookId} ${entry.screener}`);
    onDone();
  }

  /** The room that is left for each screener that is being asked. */
  taken(): readonly (ScreenerKey & Readonly<{ room: number }>)[] {
    return [...this.#screeners.values()].map(({ count, ...key }) => ({
      ...key,
      room: UNDER_WAY_PER_SCREENER_MAX - count,
    }));
  }

  async idle(): Promise<void> {
    await Promise.all(this.#work);
  }
}
