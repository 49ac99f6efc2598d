import type { Command } from 'commander';
import { readStatement } from '../administrators/read-statement.ts';
import { closeIncident } from '../transfers/close-incident.ts';
import { type Incident, listIncidents } from '../transfers/list-incidents.ts';
import { type AdminDeps, type Answer, addCommand, addGroup, type Perform } from './add-command.ts';
import { formatFields, formatTime } from './format-table.ts';
import { asArgument } from './read-argument.ts';

const EXAMPLE_ID = '01890a5d-ac96-774b-bcce-b302099a8057';

export function addIncidentCommands(program: Command, perform: Perform): void {
  const group = addGroup(program, {
    name: 'incidents',
    description: 'contradictions between what is recorded and what operators say',
  });
  addCommand(group, {
    name: 'list',
    description: 'List incidents, open ones first and the oldest of them on top.',
    examples: ['incidents list', 'incidents list --json'],
  }).action(() => perform(list));
  addCommand(group, {
    name: 'close',
    description: 'Put on record what became of an incident. Moves no money.',
    examples: [`incidents close ${EXAMPLE_ID} --note "MTN took the money back, ticket 4711"`],
    notes: 'Needs your key in ADMIN_KEY.',
  })
    .argument('<incident-id>', 'as shown by "incidents list"')
    .requiredOption('--note <text>', 'what became of it', asArgument(readStatement))
    .action((id: string, { note }: { note: string }) => perform((deps) => close(deps, id, note)));
}

async function list(deps: AdminDeps): Promise<Answer> {
  const { incidents, more } = await listIncidents(deps.database);
  const json = { incidents, more };
  if (incidents.length === 0) return { json, text: 'There are no incidents.' };
  const blocks = incidents.map(describe).join('\n\n');
  return { json, text: more ? `${blocks}\n\n… and more, which are not listed.` : blocks };
}

function describe(incident: Incident): string {
  const { closed } = incident;
  const standing = closed === null ? 'OPEN' : 'closed';
  const end =
    closed === null
      ? []
      : [['closed', `${formatTime(closed.at)} by ${closed.by}: ${closed.note}`] as const];
  const fields = formatFields([
    ['what', incident.detail],
    ['transfer', `${incident.transferId}, ${incident.state}, ${incident.reference}`],
    ['whose', `${incident.merchant}, ${incident.mode}`],
    ['since', formatTime(incident.openedAt)],
    ...end,
  ]);
  return `${standing} ${incident.id}: ${incident.kind}\n${fields}`;
}

async function close(deps: AdminDeps, id: string, note: string): Promise<Answer> {
  const closed = await closeIncident(deps, { id, key: deps.env['ADMIN_KEY'], note });
  return {
    json: { incident: { ...closed, note } },
    text: `Incident closed by ${closed.by}: ${closed.kind} of transfer ${closed.transferId}.`,
  };
}
