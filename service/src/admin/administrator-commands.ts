import { type Command, Option } from 'commander';
import { ACT_KINDS, type ActKind } from '../acts/act.ts';
import { addAdministrator, readAdministratorName } from '../administrators/add-administrator.ts';
import { listAdministrators } from '../administrators/list-administrators.ts';
import { readStatement } from '../administrators/read-statement.ts';
import { removeAdministrator } from '../administrators/remove-administrator.ts';
import { replaceAdministrator } from '../administrators/replace-administrator.ts';
import { nameActor } from '../domain/actor.ts';
import {
  type AdminDeps,
  type Answer,
  addCommand,
  addGroup,
  CALL,
  type Perform,
} from './add-command.ts';
import { authenticateAdder, requireAdministrator } from './authenticate-actor.ts';
import { formatFields, formatTable, formatTime } from './format-table.ts';
import { asArgument, readMoment } from './read-argument.ts';
import { type ActOptions, showActs } from './show-acts.ts';
import { warnOfUnansweredCells } from './warn-of-unanswered-cells.ts';

const NEEDS_KEY = 'Needs your own key in ADMIN_KEY; only the very first administrator needs none.';
const SHOWN_ONCE = 'This is the only time the key is shown: give it to this person and no other.';
const CLOSES =
  'Their roles in the staff end too. Without a role at a merchant, so do their password and second factors: after\n' +
  '"people invite" they set these up anew.';
const USE_KEY = 'It goes into the environment variable ADMIN_KEY.';

export function addAdministratorCommands(program: Command, perform: Perform): void {
  const group = addGroup(program, {
    name: 'administrators',
    description: 'Add, remove and list administrators and their acts',
  });
  addCommand(group, {
    name: 'add',
    description: 'Add an administrator, with a key of their own',
    examples: ['administrators add "Chanda Phiri"'],
    notes: `The key is shown once; only its hash is stored.
${NEEDS_KEY}\nA person who was removed comes back as the same person, with a new key.`,
  })
    .argument('<name>', "the person's own name", asArgument(readAdministratorName))
    .action((name: string) => perform((deps) => add(deps, name)));
  addCommand(group, {
    name: 'remove',
    description: 'Remove an administrator',
    examples: ['administrators remove "Chanda Phiri"'],
    notes: `Ends the key and withdraws what the person proposed.
${NEEDS_KEY}\n${CLOSES}`,
  })
    .argument('<name>', 'as shown by "administrators list"')
    .action((name: string) => perform((deps) => remove(deps, name)));
  addReplace(group, perform);
  addCommand(group, {
    name: 'list',
    description: 'List present and former administrators',
    examples: ['administrators list', 'administrators list --json'],
  }).action(() => perform(list));
  addActs(group, perform);
}

function addReplace(group: Command, perform: Perform): void {
  addCommand(group, {
    name: 'replace',
    description: 'Replace the only administrator, whose key is lost',
    examples: [
      'administrators replace "Chanda Phiri" --reason "key lost with the laptop, ticket 4711"',
    ],
    notes: `Needs no key, but the rights of the owner of the tables. The old key ends, and what its owner proposed is
withdrawn. If another person gets the new key, the staff roles of the old owner end too, and without another role
their password and second factors. Recorded with your account and this host, and written to the log of the
database server. Refused while there are two administrators or more: then one of them acts.`,
  })
    .argument(
      '<name>',
      'who gets the new key: the same person or another',
      asArgument(readAdministratorName),
    )
    .requiredOption('--reason <text>', 'why, for the record', asArgument(readStatement))
    .action((name: string, { reason }: { reason: string }) =>
      perform((deps) => replace(deps, { name, reason })),
    );
}

function addActs(group: Command, perform: Perform): void {
  addCommand(group, {
    name: 'acts',
    description: 'List what administrators did, newest first',
    examples: [
      'administrators acts',
      'administrators acts --actor "Chanda Phiri" --from 2026-11-01 --to 2026-12-01',
      'administrators acts --merchant "Zambezi Tours" --kind WALLET_FUNDED --json',
    ],
    notes: `Shows what was before and after.
Kinds: ${ACT_KINDS.join(', ')}.\nActs without a key are recorded with the account and the host that ran the command.`,
  })
    .option('--actor <name>', 'only of this administrator, or of user@host')
    .option('--merchant <name-or-id>', 'only what concerns this merchant')
    .addOption(new Option('--kind <kind>', 'only of this kind').choices(ACT_KINDS))
    .option('--from <time>', 'from this day or time on (UTC)', readMoment)
    .option('--to <time>', 'before this day or time (UTC)', readMoment)
    .action((options: ActOptions & Readonly<{ kind?: ActKind }>) =>
      perform((deps) => showActs(deps, options)),
    );
}

async function add(deps: AdminDeps, name: string): Promise<Answer> {
  const added = await addAdministrator(deps, { actor: await authenticateAdder(deps), name });
  const title = added.returned ? 'Administrator added again' : 'Administrator added';
  const fields = formatFields([
    ['name', added.name],
    ['key', added.key],
  ]);
  return {
    json: { administrator: added },
    text: `${title}.\n\n${fields}\n\n${SHOWN_ONCE}\n${USE_KEY}`,
  };
}

async function remove(deps: AdminDeps, name: string): Promise<Answer> {
  const actor = await requireAdministrator(deps);
  const removed = await removeAdministrator(warnOfUnansweredCells(deps), { actor, name });
  return {
    json: { administrator: removed },
    text: `${removed.name} is no longer an administrator.`,
  };
}

async function replace(
  deps: AdminDeps,
  request: Readonly<{ name: string; reason: string }>,
): Promise<Answer> {
  const actor = deps.machine;
  const { added, ended } = await replaceAdministrator(warnOfUnansweredCells(deps), {
    actor,
    ...request,
  });
  const by = nameActor(actor);
  deps.warn(`WARNING: ${by} replaced the lone administrator ${ended} by ${added.name}. Recorded.`);
  const fields = formatFields([
    ['name', added.name],
    ['key', added.key],
    ['ended', `the key of ${ended}`],
    ['recorded as', by],
  ]);
  return {
    json: { administrator: added, ended, by },
    text: `Administrator replaced.\n\n${fields}\n\n${SHOWN_ONCE}\n${USE_KEY}`,
  };
}

async function list(deps: AdminDeps): Promise<Answer> {
  const administrators = await listAdministrators(deps.directory);
  const json = { administrators };
  if (administrators.length === 0) {
    const example = `${CALL} administrators add NAME`;
    return { json, text: `There are no administrators yet. Add the first: ${example}` };
  }
  const table = formatTable(
    [{ title: 'name' }, { title: 'since' }, { title: 'removed' }],
    administrators.map(({ name, createdAt, removedAt, isAdmin }) => [
      name,
      formatTime(createdAt),
      removedAt === null && !isAdmin ? 'no admin' : formatTime(removedAt),
    ]),
  );
  return { json, text: table };
}
