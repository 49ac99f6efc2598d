import type { Cells } from '../cells/cell.ts';
import { queryCells } from '../cells/query-cells.ts';
import { BOOKS_NOT_SERVED } from '../cells/served-here.ts';
import type { StoppedRoute } from '../operators/routes/stopped-routes.ts';
import type { Queryable, Statement } from '../postgres/database.ts';
import type { StopEffect } from './stop-routes.ts';

/** A route on which nothing is sent until a person starts it again. */
export type RouteStop = Readonly<{
  route: string;
  effect: StopEffect;
  by: string;
  reason: string;
  since: Date;
  /** Transfers that wait for it, in the cells that answered. */
  queued: number;
}>;

export type RouteStopList = Readonly<{
  stops: readonly RouteStop[];
  unansweredCells: readonly string[];
}>;

/** The routes that people hold or closed, by name; there are never more than were in the route file. */
export async function listRouteStops({
  directory,
  cells,
}: Readonly<{ directory: Queryable; cells: Pick<Cells, 'list'> }>): Promise<RouteStopList> {
  const rows = await directory.query<StopRow>(LIST);
  if (rows.length === 0) return { stops: [], unansweredCells: [] };
  const routes = rows.map(({ route }) => route);
  const { answers, unanswered } = await queryCells(cells.list(), ({ database }) =>
    countQueued(database, routes),
  );
  const counts = answers.flatMap(({ answer }) => answer);
  const stops = rows.map(({ route, effect, held_by, reason, held_at }) => ({
    route,
    effect,
    by: held_by,
    reason,
    since: held_at,
    queued: counts
      .filter((count) => count.route === route)
      .reduce((sum, { queued }) => sum + queued, 0),
  }));
  return { stops, unansweredCells: unanswered };
}

/** How many transfers of a cell wait for each of these routes; a route without one is left out. */
export async function countQueued(
  database: Queryable,
  routes: readonly string[],
): Promise<readonly Readonly<{ route: string; queued: number }>[]> {
  return database.query<{ route: string; queued: number }>(COUNT_QUEUED, [routes]);
}

/** Their names and effects alone, for processes that ask twice a second. */
export async function readStoppedRoutes(directory: Queryable): Promise<readonly StoppedRoute[]> {
  return directory.query<{ route: string; effect: StopEffect }>(READ);
}

type StopRow = {
  route: string;
  effect: StopEffect;
  held_by: string;
  reason: string;
  held_at: Date;
};

const READ: Statement = {
  name: 'read-stopped-routes',
  text: 'select route, effect from route_holds order by route',
};

const COUNT_QUEUED: Statement = {
  name: '',
  text: `
    select t.route, count(*)::integer as queued
    from transfers t
    where t.route = any ($1::text[]) and t.state = 'queued' and t.next_action_at is not null
      and t.book_id not in ${BOOKS_NOT_SERVED}
    group by t.route`,
};

const LIST: Statement = {
  name: '',
  text: `
    select h.route, h.effect, a.name as held_by, h.reason, h.held_at
    from route_holds h
    join people a on a.id = h.held_by
    order by h.route`,
};
