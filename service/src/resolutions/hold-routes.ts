import { authenticateAdministrator } from '../administrators/authenticate-administrator.ts';
import { noteAct } from '../administrators/note-act.ts';
import { AdminRefused } from '../domain/admin-refused.ts';
import type { Queryable, Statement } from '../postgres/database.ts';
import type { PeopleDeps } from './resolve-by-people.ts';

export type HoldRequest = Readonly<{
  routes: readonly string[];
  key: string | undefined;
  reason: string;
}>;

/**
 * Lets nothing be sent on these routes until a person releases them: all of them, or none. What is queued
 * stays queued and can be cancelled; what was sent is still asked about. Returns who did it.
 */
export async function holdRoutes(deps: PeopleDeps, request: HoldRequest): Promise<string> {
  return act(deps, request, 'routes hold', async (tx, route, administratorId) => {
    const [held] = await tx.query(HOLD, [route, administratorId, request.reason, deps.now()]);
    if (held !== undefined) return;
    throw new AdminRefused(`The route ${route} is held already.`, '"routes holds" says by whom.');
  });
}

/** Lets transfers leave on these routes again: on all of them, or on none. Returns who did it. */
export async function releaseRoutes(deps: PeopleDeps, request: HoldRequest): Promise<string> {
  return act(deps, request, 'routes release', async (tx, route) => {
    const [released] = await tx.query(RELEASE, [route]);
    if (released !== undefined) return;
    throw new AdminRefused(
      `The route ${route} is not held.`,
      '"routes holds" lists those that are.',
    );
  });
}

async function act(
  deps: PeopleDeps,
  { routes, key, reason }: HoldRequest,
  name: string,
  change: (tx: Queryable, route: string, administratorId: string) => Promise<void>,
): Promise<string> {
  return deps.database.transaction(async (tx) => {
    const administrator = await authenticateAdministrator(tx, key);
    // In one order, so that two people who name the same routes do not wait for each other for ever.
    for (const route of [...new Set(routes)].sort()) {
      await change(tx, route, administrator.id);
      await noteAct(tx, deps, { administrator, act: name, subject: route, detail: reason });
    }
    return administrator.name;
  });
}

const HOLD: Statement = {
  name: '',
  text: `
    insert into route_holds (route, held_by, reason, held_at) values ($1, $2, $3, $4)
    on conflict (route) do nothing
    returning route`,
};

const RELEASE: Statement = {
  name: '',
  text: 'delete from route_holds where route = $1 returning route',
};
