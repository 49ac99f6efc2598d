import { refuse } from '../../domain/refusal.ts';
import { startRoutes, stopRoutes } from '../../resolutions/stop-routes.ts';
import { pathParameter } from '../schemas/staff-fields.ts';
import { ChangedRoute, RouteList } from '../schemas/staff-overview-schema.ts';
import { ReasonBody } from '../schemas/staff-transfer-schema.ts';
import type { StaffOperation } from '../server/api-operation.ts';
import type { createRouteDescriber } from './describe-routes.ts';
import { createStaffReader } from './read-staff-body.ts';
import type { StaffDeps } from './staff-deps.ts';
import { staffOperation } from './staff-operation.ts';

export type RouteDescriber = ReturnType<typeof createRouteDescriber>;

export function listRoutesOperation(describeRoutes: RouteDescriber) {
  return staffOperation({
    method: 'GET',
    path: '/routes',
    operationId: 'listRoutes',
    permission: 'operations:read',
    readsPage: true,
    summary: 'List routes',
    description: 'How each is in the process that answers, and its exchanges of the last hour.',
    schema: { data: { 200: RouteList } },
    async handle() {
      return { status: 200, message: 'Routes listed', data: await describeRoutes() };
    },
  });
}

type Change = Readonly<{
  word: 'close' | 'open' | 'hold' | 'release';
  summary: string;
  description: string;
  change: typeof stopRoutes;
  effect: 'closed' | 'held';
  state: 'open' | 'closed' | 'held';
}>;

const CHANGES: readonly Change[] = [
  {
    word: 'close',
    summary: 'Close a route',
    description: 'Nothing is sent on it; other routes of the same operator and country take over.',
    change: stopRoutes,
    effect: 'closed',
    state: 'closed',
  },
  {
    word: 'open',
    summary: 'Open a route that was closed',
    description: 'Transfers leave on it again.',
    change: startRoutes,
    effect: 'closed',
    state: 'open',
  },
  {
    word: 'hold',
    summary: 'Hold a route',
    description: 'Nothing is sent on it, and its transfers wait for it alone.',
    change: stopRoutes,
    effect: 'held',
    state: 'held',
  },
  {
    word: 'release',
    summary: 'Release a route that was held',
    description: 'Transfers leave on it again.',
    change: startRoutes,
    effect: 'held',
    state: 'open',
  },
];

/** Close, open, hold and release. */
export function routeOperations(deps: StaffDeps): readonly StaffOperation[] {
  return CHANGES.map(({ word, change, effect, state, ...texts }) =>
    staffOperation({
      method: 'POST',
      path: `/routes/:name/${word}`,
      operationId: `${word}Route`,
      permission: 'routes:write',
      stepUp: true,
      ...texts,
      schema: {
        params: pathParameter('name', 'The name of the route.'),
        body: ReasonBody,
        data: { 200: ChangedRoute },
      },
      async handle({ caller: { actor }, params, body = new Map() }) {
        const read = createStaffReader(body, Object.keys(ReasonBody.properties));
        const { reason } = read.checked({ reason: read.statement('reason') });
        const name = params['name'] ?? '';
        // A stop of a route that is no longer in the route file can still be ended.
        if (state !== 'open') refuseUnknownRoute(deps, name);
        await change(deps, { actor, routes: [name], effect, reason });
        return { status: 200, message: `The route is ${state}`, data: { name, state } };
      },
    }),
  );
}

function refuseUnknownRoute({ routes }: StaffDeps, name: string): void {
  if (routes.named(name) !== undefined) return;
  throw refuse('NOT_FOUND', { message: 'There is no such route. GET routes lists them.' });
}
