import { mergeCells } from '../../cells/merge-cells.ts';
import { describeIncident, PAID_WITHOUT_TRANSFER } from '../../domain/incident.ts';
import { closeIncident } from '../../resolutions/close-incident.ts';
import { findIncidentCell } from '../../resolutions/find-incident-cell.ts';
import {
  listUnmatchedPayments,
  type UnmatchedPayment,
} from '../../transfers/callbacks/list-unmatched-payments.ts';
import { type Incident, listIncidents } from '../../transfers/read/list-incidents.ts';
import { ClosedIncident, IncidentList, NoteBody } from '../schemas/incident-schema.ts';
import { pathParameter } from '../schemas/staff-fields.ts';
import { createStaffReader } from './read-staff-body.ts';
import { inCell, type StaffDeps } from './staff-deps.ts';
import { staffOperation } from './staff-operation.ts';

const INCIDENTS_LISTED_MAX = 500;

export function listIncidentsOperation({ cells }: Pick<StaffDeps, 'cells'>) {
  return staffOperation({
    method: 'GET',
    path: '/incidents',
    operationId: 'listIncidents',
    permission: 'operations:read',
    readsPage: true,
    summary: 'List incidents',
    description: 'Open ones first, the oldest on top; then closed ones, the last closed on top.',
    schema: { data: { 200: IncidentList } },
    async handle() {
      const data = await mergeCells(cells, {
        limit: INCIDENTS_LISTED_MAX,
        read: async (database, max) => {
          const { incidents } = await listIncidents(database, { max });
          const { payments } = await listUnmatchedPayments(database, { max });
          return [...incidents.map(renderIncident), ...payments.map(renderPayment)]
            .sort(compareIncidents)
            .slice(0, max);
        },
        compare: compareIncidents,
      });
      return { status: 200, message: 'Incidents listed', data };
    },
  });
}

export function closeIncidentOperation(deps: StaffDeps) {
  return staffOperation({
    method: 'POST',
    path: '/incidents/:id/close',
    operationId: 'closeIncident',
    permission: 'incidents:close',
    // An open incident may be the only sign of missing money.
    stepUp: true,
    summary: 'Put on record what became of an incident',
    description:
      'It moves no money and changes no transfer. A queued transfer with a `paid_before_sent` is sent by another route than the one that says so only once it is closed.',
    schema: {
      params: pathParameter('id', 'The id of the incident.'),
      body: NoteBody,
      data: { 200: ClosedIncident },
    },
    async handle({ caller: { actor }, params, body = new Map() }) {
      const read = createStaffReader(body, Object.keys(NoteBody.properties));
      const { note } = read.checked({ note: read.statement('note') });
      const id = params['id'] ?? '';
      const cell = await findIncidentCell(deps, id);
      const data = await closeIncident(inCell(deps, cell), { actor, id, note });
      return { status: 200, message: 'Incident closed', data };
    },
  });
}

type Shown = ReturnType<typeof renderIncident> | ReturnType<typeof renderPayment>;

/** Times of ISO 8601 in UTC order as text. */
function compareIncidents(a: Shown, b: Shown): number {
  if (a.closed === null && b.closed === null) return a.openedAt < b.openedAt ? -1 : 1;
  if (a.closed === null || b.closed === null) return a.closed === null ? -1 : 1;
  return a.closed.at < b.closed.at ? 1 : -1;
}

function renderClosed(closed: Incident['closed']) {
  return closed === null ? null : { ...closed, at: closed.at.toISOString() };
}

function renderIncident(incident: Incident) {
  const { id, kind, detail, openedAt, transferId, reference, state, mode } = incident;
  return {
    id,
    kind,
    detail,
    openedAt: openedAt.toISOString(),
    transfer: { id: transferId, reference, state },
    merchant: { id: incident.merchantId, name: incident.merchant },
    mode,
    route: null,
    operatorReference: null,
    closed: renderClosed(incident.closed),
  };
}

function renderPayment({ id, operatorReference, route, openedAt, closed }: UnmatchedPayment) {
  return {
    id,
    kind: PAID_WITHOUT_TRANSFER,
    detail: describeIncident(PAID_WITHOUT_TRANSFER),
    openedAt: openedAt.toISOString(),
    transfer: null,
    merchant: null,
    mode: null,
    route,
    operatorReference,
    closed: renderClosed(closed),
  };
}
