import { mergeCells } from '../../cells/merge-cells.ts';
import { parseTime } from '../../domain/parse-time.ts';
import { findEndpointCell } from '../../webhooks/find-endpoint-cell.ts';
import { listFailingEndpoints } from '../../webhooks/list-failing-endpoints.ts';
import { replayByStaff } from '../../webhooks/replay-by-staff.ts';
import { FailingEndpointList, ReplayBody } from '../schemas/failing-endpoint-schema.ts';
import { pathParameter } from '../schemas/staff-fields.ts';
import { ReplayResult } from '../schemas/webhook-schema.ts';
import type { JsonObject } from '../server/strict-json.ts';
import { createStaffReader, type StaffReader } from './read-staff-body.ts';
import { renderFailing } from './render-staff.ts';
import { inCell, type StaffDeps } from './staff-deps.ts';
import { staffOperation } from './staff-operation.ts';

const ENDPOINTS_LISTED_MAX = 200;

/** Endpoints of all books that do not take their events, the one that has failed longest first. */
export function readFailing({ cells }: Pick<StaffDeps, 'cells'>) {
  return mergeCells(cells, {
    limit: ENDPOINTS_LISTED_MAX,
    read: (database, max) => listFailingEndpoints(database, { max }),
    compare: (a, b) => timeOf(a.failingSince) - timeOf(b.failingSince),
  });
}

function timeOf(at: Date | null): number {
  return at?.getTime() ?? Number.MAX_SAFE_INTEGER;
}

export function listFailingWebhooksOperation(deps: Pick<StaffDeps, 'cells'>) {
  return staffOperation({
    method: 'GET',
    path: '/webhooks/failing',
    operationId: 'listFailingWebhooks',
    permission: 'operations:read',
    readsPage: true,
    summary: 'List webhook endpoints that fail',
    description: 'Endpoints whose last delivery failed, and endpoints that the service disabled.',
    schema: { data: { 200: FailingEndpointList } },
    async handle() {
      const { items, ...page } = await readFailing(deps);
      const data = { items: items.map(renderFailing), ...page };
      return { status: 200, message: 'Endpoints listed', data };
    },
  });
}

export function replayFailedOperation(deps: StaffDeps) {
  return staffOperation({
    method: 'POST',
    path: '/webhooks/:endpointId/replay',
    operationId: 'replayFailed',
    permission: 'webhooks:replay',
    summary: 'Send once more what an endpoint missed',
    description:
      'What failed, oldest first, at most 10,000 in one call; in a range of time if given.',
    schema: {
      params: pathParameter('endpointId', 'The id of the endpoint.'),
      body: ReplayBody,
      data: { 200: ReplayResult },
    },
    async handle({ caller: { actor }, params, body = new Map() }) {
      const read = createStaffReader(body, Object.keys(ReplayBody.properties));
      const range = read.checked({
        from: readTime(read, body, 'from'),
        to: readTime(read, body, 'to'),
      });
      const endpointId = params['endpointId'] ?? '';
      const cell = await findEndpointCell(deps, endpointId);
      const request = { actor, endpointId, ...range };
      const { replayed, nextFrom } = await replayByStaff(inCell(deps, cell), request);
      const data = { replayed, nextFrom: nextFrom?.toISOString() ?? null };
      return { status: 200, message: 'Deliveries replayed', data };
    },
  });
}

function readTime(read: StaffReader, body: JsonObject, field: string): Date | null | undefined {
  const value = body.get(field) ?? null;
  if (value === null) return null;
  const at = typeof value === 'string' ? parseTime(value) : undefined;
  if (at === undefined) read.problem(field, 'INVALID_TIME');
  return at;
}
