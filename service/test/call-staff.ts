import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { Cells } from '../src/cells/cell.ts';
import type { PersonActor } from '../src/domain/actor.ts';
import { compileSerializer } from '../src/http/server/compile-serializer.ts';
import { listStaffOperations } from '../src/http/staff-api/list-staff-operations.ts';
import type { Routes } from '../src/operators/routes/route.ts';
import type { Database } from '../src/postgres/database.ts';
import { toJsonObject } from './api-request.ts';
import { scriptRoute } from './fake-route.ts';
import { newTestId } from './stored-doubt.ts';

type StaffWorld = Readonly<{ directory: Database; cells: Cells; routes?: Routes }>;

export type StaffCall = Readonly<{
  as: PersonActor;
  params?: Readonly<Record<string, string>>;
  query?: string;
  body?: Readonly<Record<string, unknown>>;
}>;

/** What the operations of the staff work with, where no operator is asked. */
export function staffDeps({ directory, cells, routes = scriptRoute({}).routes }: StaffWorld) {
  return {
    directory,
    cells,
    routes,
    now: () => new Date(),
    monotonicMs: () => performance.now(),
    newId: newTestId,
    randomBytes,
    leaseOwner: newTestId(),
    askIn: () => () => Promise.reject(new Error('no operator is asked')),
  };
}

/** Calls an operation of the staff without HTTP, and passes its data through the schema that serialises it. */
export async function callStaff(world: StaffWorld, operationId: string, given: StaffCall) {
  const { as: actor, params = {}, query = '', body } = given;
  const route = listStaffOperations(staffDeps(world)).find(
    (one) => one.operationId === operationId,
  );
  assert.ok(route !== undefined);
  const session = {
    id: newTestId(),
    person: { id: actor.id, name: actor.name, email: 'staff@example.test' },
    hasSecondFactor: true,
    steppedUpAt: new Date(),
    staffRoles: ['admin' as const],
    memberships: [],
    expiresAt: new Date(),
  };
  const answer = await route.handle({
    caller: { id: actor.id, actor, session },
    address: '127.0.0.1',
    isFromThisMachine: () => true,
    isAbandoned: () => false,
    inTurn: (_, work) => work(),
    requestId: newTestId(),
    params,
    query: new URLSearchParams(query),
    header: () => undefined,
    body: body === undefined ? undefined : toJsonObject(body),
    upload: undefined,
  });
  assert.ok('data' in answer);
  const serialize = compileSerializer(route, answer.status);
  return JSON.parse(serialize({ status: true, message: '', data: answer.data })).data;
}
