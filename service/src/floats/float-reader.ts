import { type BackgroundLoop, createBackgroundLoop } from '../background/background-loop.ts';
import type { Cells } from '../cells/cell.ts';
import { currencyOf, OPERATOR_PAIRS } from '../domain/operator.ts';
import type { Route, Routes } from '../operators/routes/route.ts';
import type { Database } from '../postgres/database.ts';
import type { Logger } from '../telemetry/logger.ts';
import {
  type ClaimedFloat,
  claimFloats,
  type FloatRoute,
  nextFloatInMs,
  postponeFloat,
} from './claim-floats.ts';
import { countRoutes } from './count-paid.ts';
import { listFloats, type RouteFloat } from './list-floats.ts';
import { changeLevel, type FloatReading, storeFloats } from './store-floats.ts';

/** However fast a trial runs, a route is asked no more often. */
const INTERVAL_MIN_MS = 1_000;
/** The longest wait between two looks, because a reload may add a route. */
const LOOK_MAX_MS = 5_000;
const LOOK_MIN_MS = 50;
/** A balance is not fetched while payouts need the rate limit, until the figure is this many intervals old. */
const OVERDUE_INTERVALS = 5;
/** One that was postponed so is fetched after this part of its interval. */
const POSTPONED_PART = 0.1;
/** The sums take at most this part of the time of one connection, however many payouts there are. */
const COUNTING_PART = 0.05;

export type FloatReaderDeps = Readonly<{
  directory: Database;
  cells: Pick<Cells, 'list'>;
  routes: Routes;
  monotonicMs: () => number;
  logger: Pick<Logger, 'info' | 'warn' | 'error'>;
}>;

/**
 * Fetches the balance of our accounts from operators and stores it beside the sum of our own books. Of several processes
 * one fetches that of a route at a time.
 */
export function createFloatReader(deps: FloatReaderDeps): BackgroundLoop {
  const { directory, routes, monotonicMs } = deps;
  let restsUntilMs = Number.NEGATIVE_INFINITY;

  async function round(signal: AbortSignal): Promise<number> {
    const kept = listFloatRoutes(routes);
    if (kept.length === 0) return LOOK_MAX_MS;
    const waitMs = Math.max(await nextFloatInMs(directory, kept), restsUntilMs - monotonicMs());
    if (waitMs > 0) return Math.min(LOOK_MAX_MS, Math.max(LOOK_MIN_MS, waitMs));
    const claimed = await claimFloats(directory, kept);
    if (claimed.length === 0 || signal.aborted) return LOOK_MIN_MS;
    const readings = await Promise.all(claimed.map((one) => ask(deps, one)));
    const beganAtMs = monotonicMs();
    const counted = await countRoutes(
      deps,
      readings.map(({ route }) => route),
    );
    await storeFloats(directory, readings, counted);
    restsUntilMs = monotonicMs() + (monotonicMs() - beganAtMs) / COUNTING_PART;
    await logLevels(deps, readings);
    return LOOK_MIN_MS;
  }

  return createBackgroundLoop({
    round,
    what: 'reading the floats of routes',
    logger: deps.logger,
    retryInMs: LOOK_MAX_MS,
  });
}

/** The routes that pay from an account, once for each currency. */
function listFloatRoutes(routes: Routes): readonly FloatRoute[] {
  const found = OPERATOR_PAIRS.flatMap((pair) =>
    routes.list({ mode: 'live', ...pair }).flatMap(({ name, float, timeScale, connector }) =>
      float === null
        ? []
        : [
            {
              route: name,
              currency: currencyOf(pair.country),
              reportsBalance: connector.abilities.reportsBalance,
              rule: float,
              intervalMs: Math.max(INTERVAL_MIN_MS, float.readEveryMs * timeScale),
            },
          ],
    ),
  );
  const byName = new Map(found.map((one) => [`${one.route} ${one.currency}`, one]));
  return [...byName.values()];
}

async function ask(
  { directory, routes }: FloatReaderDeps,
  { route: { route: name, currency, intervalMs }, ageMs }: ClaimedFloat,
): Promise<FloatReading> {
  const route = routes.named(name);
  const about = { route: name, currency, account: route?.account ?? null };
  if (route?.connector.balance === undefined) return { ...about, answer: { kind: 'notAsked' } };
  const isOverdue = ageMs === null || ageMs > OVERDUE_INTERVALS * intervalMs;
  const turn = route.limiter.balanceTurn({ isOverdue });
  if (turn === undefined) {
    await postponeFloat(directory, { route: name, currency }, POSTPONED_PART * intervalMs);
    return { ...about, answer: { kind: 'notAsked' } };
  }
  await turn;
  return { ...about, ...(await askOperator(route)) };
}

async function askOperator(
  route: Route,
): Promise<Pick<FloatReading, 'answer'> & Partial<Pick<FloatReading, 'account'>>> {
  const answer = await route.connector.balance?.();
  if (answer === undefined) return { answer: { kind: 'notAsked' } };
  if (answer.kind === 'unreachable') return { answer: { kind: 'failed', error: answer.cause } };
  const { availableMinor: operatorMinor, part = '' } = answer;
  const account = part === '' ? route.account : `${route.account ?? ''}:${part}`;
  return { account, answer: { kind: 'reported', operatorMinor } };
}

/** Once for each change, by the process that found it. */
async function logLevels(
  { directory, logger }: FloatReaderDeps,
  readings: readonly FloatReading[],
): Promise<void> {
  const floats = (await listFloats(directory)).filter(({ route, currency }) =>
    readings.some((one) => one.route === route && one.currency === currency),
  );
  for (const float of floats) {
    if (await changeLevel(directory, float)) logLevel(logger, float);
  }
}

function logLevel(logger: FloatReaderDeps['logger'], float: RouteFloat): void {
  const { route, level, error } = float;
  const facts = { route, state: level, ...(error === null ? {} : { cause: error }) };
  switch (level) {
    case 'ok':
      return logger.info(facts, 'the float of a route is enough again');
    case 'low':
      return logger.warn(facts, 'the float of a route is low: top it up');
    case 'out':
      return logger.error(
        facts,
        'the float of a route is used up: payouts fail until it is topped up',
      );
    case 'unknown':
      return logger.warn(facts, 'the float of a route is not known');
    default: {
      const unhandled: never = level;
      throw new Error(`unhandled ${String(unhandled)}`);
    }
  }
}
