import type { Queryable, Statement } from '../postgres/database.ts';

/** A route on which nothing is sent until a person releases it. */
export type RouteHold = Readonly<{
  route: string;
  heldBy: string;
  reason: string;
  heldAt: Date;
  /** Transfers that wait for it. */
  queued: number;
}>;

/** The routes that are held, by name; there are never more than were in the route file. */
export async function listRouteHolds(database: Queryable): Promise<readonly RouteHold[]> {
  const rows = await database.query<HoldRow>(LIST);
  return rows.map(({ route, held_by, reason, held_at, queued }) => ({
    route,
    heldBy: held_by,
    reason,
    heldAt: held_at,
    queued,
  }));
}

/** Their names alone, for processes that ask twice a second. */
export async function readHeldRoutes(database: Queryable): Promise<readonly string[]> {
  const rows = await database.query<{ route: string }>(READ);
  return rows.map(({ route }) => route);
}

type HoldRow = { route: string; held_by: string; reason: string; held_at: Date; queued: number };

const READ: Statement = {
  name: 'read-held-routes',
  text: 'select route from route_holds order by route',
};

const LIST: Statement = {
  name: '',
  text: `
    select h.route, a.name as held_by, h.reason, h.held_at,
           (
             select count(*)::integer from transfers t
             where t.route = h.route and t.state = 'queued' and t.next_action_at is not null
           ) as queued
    from route_holds h
    join administrators a on a.id = h.held_by
    order by h.route`,
};
