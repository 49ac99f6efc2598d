import type { Command } from 'commander';
import { readStatement } from '../administrators/read-statement.ts';
import { mergeLists } from '../cells/merge-lists.ts';
import { describeIncident, PAID_WITHOUT_TRANSFER } from '../domain/incident.ts';
import { closeIncident } from '../resolutions/close-incident.ts';
import {
  listUnmatchedPayments,
  type UnmatchedPayment,
} from '../transfers/callbacks/list-unmatched-payments.ts';
import { type Incident, listIncidents } from '../transfers/read/list-incidents.ts';
import { type AdminDeps, type Answer, addCommand, addGroup, type Perform } from './add-command.ts';
import { requireAdministrator } from './authenticate-actor.ts';
import { formatFields, formatTime } from './format-table.ts';
import { inIncidentCell, withUnanswered } from './in-cell.ts';
import { asArgument } from './read-argument.ts';

const EXAMPLE_ID = '01890a5d-ac96-774b-bcce-b302099a8057';

export function addIncidentCommands(program: Command, perform: Perform): void {
  const group = addGroup(program, {
    name: 'incidents',
    description: 'List and close incidents: operators contradict our records',
  });
  addCommand(group, {
    name: 'list',
    description: 'List incidents, open ones first, then oldest first',
    examples: ['incidents list', 'incidents list --json'],
  }).action(() => perform(list));
  addCommand(group, {
    name: 'close',
    description: 'Close an incident with a note',
    examples: [`incidents close ${EXAMPLE_ID} --note "MTN took the money back, ticket 4711"`],
    notes: `Moves no money, but releases a queued payout that waits for the incident.
A queued payout of which another route says that it paid it (paid_before_sent) is not sent while that incident is
open, and is sent once it is closed: if it was paid, cancel the payout first. Needs your key in ADMIN_KEY.`,
  })
    .argument('<incident-id>', 'as shown by "incidents list"')
    .requiredOption('--note <text>', 'what became of it', asArgument(readStatement))
    .action((id: string, { note }: { note: string }) => perform((deps) => close(deps, id, note)));
}

async function list(deps: AdminDeps): Promise<Answer> {
  const found = await mergeLists(deps.cells, {
    read: async (database) => {
      const { incidents, more } = await listIncidents(database);
      return { items: incidents, more };
    },
    compare: openFirst,
  });
  const told = await mergeLists(deps.cells, {
    read: async (database) => {
      const { payments, more } = await listUnmatchedPayments(database);
      return { items: payments, more };
    },
    compare: openFirst,
  });
  const incidents = found.items;
  const payments = told.items;
  const more = found.more || told.more;
  const unansweredCells = [...new Set([...found.unansweredCells, ...told.unansweredCells])];
  const json = { incidents, unmatchedPayments: payments, more, unansweredCells };
  if (incidents.length + payments.length === 0) {
    return { json, text: withUnanswered('There are no incidents.', unansweredCells) };
  }
  const blocks = [
    ...incidents.map((one) => ({ ...one, text: describe(one) })),
    ...payments.map((one) => ({ ...one, text: describePayment(one) })),
  ]
    .sort(openFirst)
    .map((one) => one.text)
    .join('\n\n');
  const text = more ? `${blocks}\n\n… and more, which are not listed.` : blocks;
  return { json, text: withUnanswered(text, unansweredCells) };
}

type Listed = Pick<Incident, 'openedAt' | 'closed'>;

/** Open ones first, the oldest on top; then the last closed. */
function openFirst(a: Listed, b: Listed): number {
  if (a.closed === null && b.closed === null) return a.openedAt.getTime() - b.openedAt.getTime();
  if (a.closed === null || b.closed === null) return a.closed === null ? -1 : 1;
  return b.closed.at.getTime() - a.closed.at.getTime();
}

function describePayment(payment: UnmatchedPayment): string {
  const fields = formatFields([
    ['what', describeIncident(PAID_WITHOUT_TRANSFER)],
    ['reference', `${payment.operatorReference}, as the operator knows it`],
    ['route', payment.route],
    ['since', formatTime(payment.openedAt)],
    ...describeEnd(payment),
  ]);
  return `${standingOf(payment)} ${payment.id}: ${PAID_WITHOUT_TRANSFER}\n${fields}`;
}

function standingOf({ closed }: Pick<Incident, 'closed'>): string {
  return closed === null ? 'OPEN' : 'closed';
}

function describeEnd({ closed }: Pick<Incident, 'closed'>): (readonly [string, string])[] {
  if (closed === null) return [];
  return [['closed', `${formatTime(closed.at)} by ${closed.by}: ${closed.note}`]];
}

function describe(incident: Incident): string {
  const fields = formatFields([
    ['what', incident.detail],
    ['transfer', `${incident.transferId}, ${incident.state}, ${incident.reference}`],
    ['whose', `${incident.merchant}, ${incident.mode}`],
    ['since', formatTime(incident.openedAt)],
    ...describeEnd(incident),
  ]);
  return `${standingOf(incident)} ${incident.id}: ${incident.kind}\n${fields}`;
}

async function close(deps: AdminDeps, id: string, note: string): Promise<Answer> {
  const actor = await requireAdministrator(deps);
  const inside = await inIncidentCell(deps, id);
  const closed = await closeIncident(inside, { actor, id, note });
  const whose = closed.transferId === null ? 'no known transfer' : `transfer ${closed.transferId}`;
  const sent =
    closed.kind === 'paid_before_sent'
      ? '\nIf the transfer is still queued, it is sent now: nothing holds it back any more.'
      : '';
  return {
    json: { incident: { ...closed, note } },
    text: `Incident closed by ${closed.by}: ${closed.kind} of ${whose}.${sent}`,
  };
}
