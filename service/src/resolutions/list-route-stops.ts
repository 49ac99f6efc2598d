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
  /** Transfers that wait for it. */
  queued: number;
}>;

/** The routes that people hold or closed, by name; there are never more than were in the route file. */
export async function listRouteStops(database: Queryable): Promise<readonly RouteStop[]> {
  const rows = await database.query<StopRow>(LIST);
  return rows.map(({ route, effect, held_by, reason, held_at, queued }) => ({
    route,
    effect,
    by: held_by,
    reason,
    since: held_at,
    queued,
  }));
}

/** Their names and effects alone, for processes that ask twice a second. */
export async function readStoppedRoutes(database: Queryable): Promise<readonly StoppedRoute[]> {
  return database.query<{ route: string; effect: StopEffect }>(READ);
}

type StopRow = {
  route: string;
  effect: StopEffect;
  held_by: string;
  reason: string;
  held_at: Date;
  queued: number;
};

const READ: Statement = {
  name: 'read-stopped-routes',
  text: 'select route, effect from route_holds order by route',
};

const LIST: Statement = {
  name: '',
  text: `
    select h.route, h.effect, a.name as held_by, h.reason, h.held_at,
           (
             select count(*)::integer from transfers t
             where t.route = h.route and t.state = 'queued' and t.next_action_at is not null
           ) as queued
    from route_holds h
    join people a on a.id = h.held_by
    order by h.route`,
};
