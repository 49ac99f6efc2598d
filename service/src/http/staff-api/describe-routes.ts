import { queryCells } from '../../cells/query-cells.ts';
import { COUNTRIES, OPERATORS } from '../../domain/operator.ts';
import type { Route, Routes } from '../../operators/routes/route.ts';
import { countQueued, listRouteStops, type RouteStop } from '../../resolutions/list-route-stops.ts';
import { createCachedReading } from '../../telemetry/cached-reading.ts';
import { type RouteFigures, readRouteFigures } from '../../transfers/read/read-route-figures.ts';
import type { StaffDeps } from './staff-deps.ts';

/** A busy hour has a million exchanges, and the figures of an hour hardly change in this time. */
const FIGURES_AGE_MAX_MS = 10_000;
/** Figures that take longer are left out of this answer; the next one has them. */
const FIGURES_TIMEOUT_MS = 2_000;

type RouteDeps = Pick<StaffDeps, 'directory' | 'cells' | 'routes' | 'monotonicMs'>;

/** Describes all routes: how they are in this process, and what they did in the last hour. */
export function createRouteDescriber(deps: RouteDeps) {
  const { cells, routes, monotonicMs } = deps;
  const readFigures = createCachedReading({
    read: () => {
      const names = routes.all().map(({ name }) => name);
      return queryCells(cells.list(), async ({ database }) => ({
        figures: await readRouteFigures(database),
        queued: await countQueued(database, names),
      }));
    },
    monotonicMs,
    ageMaxMs: FIGURES_AGE_MAX_MS,
    timeoutMs: FIGURES_TIMEOUT_MS,
  });
  return async () => {
    const listed = await listRouteStops(deps);
    const stops = new Map(listed.stops.map((stop) => [stop.route, stop]));
    const { answers = [], unanswered = [] } = (await readFigures()) ?? {};
    const figures = answers.flatMap(({ answer }) => answer.figures);
    const queued = answers.flatMap(({ answer }) => answer.queued);
    const items = routes.all().map((route) => {
      const isOwn = (one: Readonly<{ route: string }>) => one.route === route.name;
      const stop = stops.get(route.name);
      return {
        ...describeState(route, stop),
        operators: pairsOf(routes, route),
        ...(answers.length === 0
          ? { ...UNKNOWN, queued: stop?.queued ?? null }
          : {
              ...describeFigures(figures.filter(isOwn)),
              queued: stop?.queued ?? sumOf(queued.filter(isOwn), (one) => one.queued),
            }),
      };
    });
    return { items, unansweredCells: [...new Set([...listed.unansweredCells, ...unanswered])] };
  };
}

function describeState({ name, family, limiter }: Route, stop: RouteStop | undefined) {
  const isShut = stop === undefined && limiter.isShut();
  return {
    name,
    connector: family,
    state: stop?.effect ?? (isShut ? 'shut' : 'open'),
    why: stop?.reason ?? (isShut ? SHUT : null),
    by: stop?.by ?? null,
    since: stop?.since.toISOString() ?? null,
    used: limiter.used(),
    limit: limiter.limit(),
  };
}

const SHUT =
  'The operator does not answer, says that it is closed or asked for a long pause, or the route is no longer in the route file.';

function pairsOf(routes: Routes, route: Route) {
  return OPERATORS.flatMap((operator) =>
    COUNTRIES.flatMap((country) =>
      routes.list({ mode: 'live', operator, country }).includes(route)
        ? [{ operator, country }]
        : [],
    ),
  );
}

/** Where no cell answered in time: not known is not none. */
const UNKNOWN = {
  submitted1h: null,
  succeeded1h: null,
  failed1h: null,
  successRate: null,
  medianMs: null,
  p99Ms: null,
  codes: [],
};

function sumOf<T>(items: readonly T[], pick: (item: T) => number): number {
  return items.reduce((total, item) => total + pick(item), 0);
}

function describeFigures(figures: readonly RouteFigures[]) {
  const sum = (pick: (one: RouteFigures) => number) => sumOf(figures, pick);
  const succeeded1h = sum(({ succeeded }) => succeeded);
  const failed1h = sum(({ failed }) => failed);
  const ended = succeeded1h + failed1h;
  // Medians of several databases cannot be merged exactly: the one with the most submissions speaks.
  const [most] = figures.toSorted((a, b) => b.submitted - a.submitted);
  return {
    submitted1h: sum(({ submitted }) => submitted),
    succeeded1h,
    failed1h,
    successRate: ended === 0 ? null : succeeded1h / ended,
    medianMs: most?.medianMs ?? null,
    p99Ms: most?.p99Ms ?? null,
    codes: describeCodes(figures.flatMap(({ answers }) => answers)),
  };
}

/** The same answer of several cells is one line. */
function describeCodes(answers: RouteFigures['answers']) {
  const codes = answers.map(({ httpStatus, outcome, count }) => ({
    code: httpStatus === null ? 'none' : String(httpStatus),
    meaning: outcome,
    count,
  }));
  const same = Map.groupBy(codes, ({ code, meaning }) => `${code} ${meaning}`);
  return [...same.values()]
    .flatMap((lines) => {
      const [line] = lines;
      return line === undefined ? [] : [{ ...line, count: sumOf(lines, ({ count }) => count) }];
    })
    .sort((a, b) => b.count - a.count);
}
