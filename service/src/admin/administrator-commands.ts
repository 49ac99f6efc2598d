import type { Command } from 'commander';
import { addAdministrator, readAdministratorName } from '../administrators/add-administrator.ts';
import { listActs } from '../administrators/list-acts.ts';
import { listAdministrators } from '../administrators/list-administrators.ts';
import { removeAdministrator } from '../administrators/remove-administrator.ts';
import {
  type AdminDeps,
  type Answer,
  addCommand,
  addGroup,
  CALL,
  type Perform,
} from './add-command.ts';
import { formatFields, formatTable, formatTime } from './format-table.ts';
import { harmless } from './harmless-text.ts';
import { asArgument } from './read-argument.ts';

const NEEDS_KEY = 'Needs your own key in ADMIN_KEY; only the very first administrator needs none.';
const SHOWN_ONCE =
  'This is the only time the key is shown: give it to this person and nobody else.';

export function addAdministratorCommands(program: Command, perform: Perform): void {
  const group = addGroup(program, {
    name: 'administrators',
    description: 'the people who may decide, and what they did',
  });
  addCommand(group, {
    name: 'add',
    description: 'Give a person a key of their own. It is shown once, and only its hash is stored.',
    examples: ['administrators add "Chanda Phiri"'],
    notes: `${NEEDS_KEY}\nSomebody who was removed comes back as the same person, with a new key.`,
  })
    .argument('<name>', "the person's own name", asArgument(readAdministratorName))
    .action((name: string) => perform((deps) => add(deps, name)));
  addCommand(group, {
    name: 'remove',
    description: "End a person's key, and take back what they proposed.",
    examples: ['administrators remove "Chanda Phiri"'],
    notes: NEEDS_KEY,
  })
    .argument('<name>', 'as shown by "administrators list"')
    .action((name: string) => perform((deps) => remove(deps, name)));
  addCommand(group, {
    name: 'list',
    description: 'List the administrators there are and were.',
    examples: ['administrators list', 'administrators list --json'],
  }).action(() => perform(list));
  addCommand(group, {
    name: 'acts',
    description: 'List what administrators did, the newest first.',
    examples: ['administrators acts', 'administrators acts --json'],
  }).action(() => perform(acts));
}

async function add(deps: AdminDeps, name: string): Promise<Answer> {
  const added = await addAdministrator(deps, { name, key: deps.env['ADMIN_KEY'] });
  const title = added.returned ? 'Administrator added again' : 'Administrator added';
  const fields = formatFields([
    ['name', added.name],
    ['key', added.key],
  ]);
  return {
    json: { administrator: added },
    text: `${title}.\n\n${fields}\n\n${SHOWN_ONCE}\nIt goes into the environment variable ADMIN_KEY.`,
  };
}

async function remove(deps: AdminDeps, name: string): Promise<Answer> {
  const removed = await removeAdministrator(deps, { name, key: deps.env['ADMIN_KEY'] });
  return {
    json: { administrator: removed },
    text: `${removed.name} is no longer an administrator.`,
  };
}

async function list(deps: AdminDeps): Promise<Answer> {
  const administrators = await listAdministrators(deps.database);
  const json = { administrators };
  if (administrators.length === 0) {
    const example = `${CALL} administrators add NAME`;
    return { json, text: `There are no administrators yet. Add the first: ${example}` };
  }
  const table = formatTable(
    [{ title: 'name' }, { title: 'since' }, { title: 'removed' }],
    administrators.map(({ name, createdAt, removedAt }) => [
      name,
      formatTime(createdAt),
      formatTime(removedAt),
    ]),
  );
  return { json, text: table };
}

async function acts(deps: AdminDeps): Promise<Answer> {
  const { acts: noted, more } = await listActs(deps.database);
  const json = { acts: noted, more };
  if (noted.length === 0) return { json, text: 'Nothing was done by administrators yet.' };
  const table = formatTable(
    [{ title: 'when' }, { title: 'who' }, { title: 'what' }, { title: 'on' }, { title: 'detail' }],
    noted.map(({ at, administrator, act, subject, detail }) => [
      formatTime(at),
      administrator ?? '(nobody yet)',
      act,
      subject,
      harmless(detail ?? ''),
    ]),
  );
  return { json, text: more ? `${table}\n… and earlier ones, which are not listed.` : table };
}
