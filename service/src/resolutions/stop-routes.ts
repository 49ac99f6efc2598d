import type { ActDeps } from '../acts/act.ts';
import { actAs } from '../acts/act-as.ts';
import { recordAct } from '../acts/record-act.ts';
import type { PersonActor } from '../domain/actor.ts';
import { AdminRefused } from '../domain/admin-refused.ts';
import type { Database, Queryable, Statement } from '../postgres/database.ts';

/**
 * How a person stops a route. Either way nothing is sent on it, and what was sent is still inquired about. The payouts
 * of one that is held wait for it alone, since it may have paid them before a restore; the payouts of one that is
 * closed go by another route of the same operator and country, where there is one that is open, and else wait.
 */
export type StopEffect = 'held' | 'closed';

type StopDeps = ActDeps & Readonly<{ directory: Database }>;

export type StopRequest = Readonly<{
  actor: PersonActor;
  routes: readonly string[];
  effect: StopEffect;
  reason: string;
}>;

/** Lets nothing be sent on these routes until a person starts them again: all of them, or none. */
export async function stopRoutes(deps: StopDeps, request: StopRequest): Promise<void> {
  const { actor, effect, reason } = request;
  await forEachRoute(deps, request, async (tx, route) => {
    const stopped = await tx.query(STOP, [route, actor.id, reason, deps.now(), effect]);
    if (stopped.length === 0) {
      throw new AdminRefused('ROUTE_STOPPED', { route, effect: await readEffect(tx, route) });
    }
    await recordAct(tx, deps, {
      actor,
      kind: effect === 'held' ? 'ROUTE_HELD' : 'ROUTE_CLOSED',
      subject: route,
      merchantId: null,
      reason,
      before: { route: 'open' },
      after: { route: effect },
    });
  });
}

/** Lets transfers leave again on these routes: on all of them, or on none. */
export async function startRoutes(deps: StopDeps, request: StopRequest): Promise<void> {
  const { actor, effect, reason } = request;
  await forEachRoute(deps, request, async (tx, route) => {
    const started = await tx.query(START, [route, effect]);
    if (started.length === 0) throw new AdminRefused('ROUTE_NOT_STOPPED', { route, effect });
    await recordAct(tx, deps, {
      actor,
      kind: effect === 'held' ? 'ROUTE_RELEASED' : 'ROUTE_OPENED',
      subject: route,
      merchantId: null,
      reason,
      before: { route: effect },
      after: { route: 'open' },
    });
  });
}

async function forEachRoute(
  deps: StopDeps,
  { actor, routes }: StopRequest,
  change: (tx: Queryable, route: string) => Promise<void>,
): Promise<void> {
  await actAs({ database: deps.directory }, actor, async (tx) => {
    // In one order, so that two people who name the same routes do not block each other.
    for (const route of [...new Set(routes)].sort()) await change(tx, route);
  });
}

async function readEffect(tx: Queryable, route: string): Promise<StopEffect> {
  const [row] = await tx.query<{ effect: StopEffect }>(READ, [route]);
  return row?.effect ?? 'held';
}

const STOP: Statement = {
  name: '',
  text: `
    insert into route_holds (route, held_by, reason, held_at, effect) values ($1, $2, $3, $4, $5)
    on conflict (route) do nothing
    returning route`,
};

const START: Statement = {
  name: '',
  text: 'delete from route_holds where route = $1 and effect = $2 returning route',
};

const READ: Statement = { name: '', text: 'select effect from route_holds where route = $1' };
