import { type Command, Option } from 'commander';
import { MERCHANT_ROLES, type MerchantRole, STAFF_ROLES, type StaffRole } from '../domain/roles.ts';
import type { Mode } from '../domain/transfer.ts';
import { addCommand, addGroup, type Perform, type PerformAlone } from './add-command.ts';
import { changeStaffRoles, endSessions, removeStaff } from './change-staff.ts';
import { invite } from './invite-person.ts';
import { readEmailArgument, readMode, readPersonName } from './read-argument.ts';
import { showDemoCode } from './show-demo-code.ts';
import { showPeople } from './show-people.ts';

const ROLES = `Roles of the staff: ${STAFF_ROLES.join(', ')}. Roles of a merchant: ${MERCHANT_ROLES.join(', ')}.`;
const NEEDS_KEY = 'Needs your own key in ADMIN_KEY.';

export type InviteOptions = Readonly<{
  name: string;
  role: readonly (MerchantRole | StaffRole)[];
  merchant?: string;
  mode?: Mode;
}>;

type Performers = Readonly<{ perform: Perform; performAlone: PerformAlone }>;

export function addPeopleCommands(program: Command, { perform, performAlone }: Performers): void {
  const group = addGroup(program, {
    name: 'people',
    description: 'Invite, list and remove people of the console',
  });
  addInvite(group, perform);
  addCommand(group, {
    name: 'list',
    description: 'List the staff, or the people of a merchant',
    examples: ['people list', 'people list --merchant "Zambezi Tours" --json'],
    notes: 'Shows open invitations too.',
  })
    .option('--merchant <name-or-id>', 'the people of this merchant; else the staff')
    .action(({ merchant }: { merchant?: string }) => perform((deps) => showPeople(deps, merchant)));
  addCommand(group, {
    name: 'roles',
    description: 'Replace the roles of a person of the staff',
    examples: ['people roles chanda@example.com --role treasurer auditor'],
    notes: NEEDS_KEY,
  })
    .argument('<email>', 'as shown by "people list"', readEmailArgument)
    .addOption(
      new Option('--role <role...>', 'the new roles').choices(STAFF_ROLES).makeOptionMandatory(),
    )
    .action((email: string, { role }: { role: readonly StaffRole[] }) =>
      perform((deps) => changeStaffRoles(deps, { email, roles: role })),
    );
  addCommand(group, {
    name: 'remove',
    description: 'Remove a person from the staff',
    examples: ['people remove chanda@example.com'],
    notes: `Takes effect at once, and withdraws what the person proposed.
${NEEDS_KEY}\nA key that the person has in ADMIN_KEY ends.`,
  })
    .argument('<email>', 'as shown by "people list"', readEmailArgument)
    .action((email: string) => perform((deps) => removeStaff(deps, email)));
  addCommand(group, {
    name: 'sessions',
    description: 'End all sessions of a person',
    examples: ['people sessions chanda@example.com'],
    notes: `For people of the staff and of merchants.
${NEEDS_KEY}\nThe person can sign in again.`,
  })
    .argument('<email>', 'with which the person signs in', readEmailArgument)
    .action((email: string) => perform((deps) => endSessions(deps, email)));
  addCommand(group, {
    name: 'code',
    description: 'Show the sign-in code of a demo person',
    examples: ['people code owner@demo.test'],
    notes:
      'For the people of demo.json alone. Each code works once; the next comes after 30 seconds.',
  })
    .argument('<email>', 'of demo.json in the data folder', readEmailArgument)
    .action((email: string) => performAlone((deps) => showDemoCode(deps, email)));
}

function addInvite(group: Command, perform: Perform): void {
  addCommand(group, {
    name: 'invite',
    description: 'Invite a person by a link that works once, for 24 hours',
    examples: [
      'people invite chanda@example.com --name "Chanda Phiri" --role admin',
      'people invite mwila@zambezi.example --name "Mwila Banda" --role owner --merchant "Zambezi Tours"',
      'people invite bupe@zambezi.example --name "Bupe Zulu" --role viewer --merchant "Zambezi Tours" --mode test',
    ],
    notes: `The link is shown once.
${ROLES}
Needs your own key in ADMIN_KEY; the first admin who can sign in needs none. With a key, only the first owner of a
merchant can be invited: owners invite the others. Without one, the user of the machine can, and it is recorded so.
An administrator who has a key already is invited under the same name, and stays the same person.
The link is mailed too where SMTP_URL is set. CONSOLE_ORIGIN is where it leads.`,
  })
    .argument('<email>', 'with which the person will sign in', readEmailArgument)
    .requiredOption('--name <name>', "the person's own name", readPersonName)
    .addOption(
      new Option('--role <role...>', 'what the person may do')
        .choices([...STAFF_ROLES, ...MERCHANT_ROLES])
        .makeOptionMandatory(),
    )
    .option('--merchant <name-or-id>', 'to this merchant; else to the staff')
    .option('--mode <mode>', 'only in this book of the merchant: test or live', readMode)
    .action((email: string, options: InviteOptions) =>
      perform((deps) => invite(deps, { email, ...options })),
    );
}
