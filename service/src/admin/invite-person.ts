import { harmless } from '../domain/harmless-text.ts';
import { createMailer } from '../mail/create-mailer.ts';
import { readMailSettings } from '../mail/read-mail-settings.ts';
import { findMerchantPlace } from '../merchants/find-merchant-place.ts';
import { consoleOriginAt } from '../people/console-origin.ts';
import { invitePerson } from '../people/invite-person.ts';
import { STAFF } from '../people/team.ts';
import type { AdminDeps, Answer } from './add-command.ts';
import { authenticateActor } from './authenticate-actor.ts';
import { CommandRefused } from './command-refused.ts';
import { formatFields, formatTime } from './format-table.ts';
import { BadEnvironment } from './open-admin-database.ts';
import type { InviteOptions } from './people-commands.ts';

const HOST_DEFAULT = '127.0.0.1';
const PORT_DEFAULT = 3_000;
const PASS_ON = 'Give the link to this person and no other: this is the only time it is shown.';

export async function invite(
  deps: AdminDeps,
  options: InviteOptions & Readonly<{ email: string }>,
): Promise<Answer> {
  const { email, name } = options;
  const { team, bookId, teamName } = await readTeam(deps, options);
  const actor = await authenticateActor(deps);
  const roles = options.role.map((role) => ({ role, bookId }));
  const invited = await invitePerson(
    { ...deps, consoleOrigin: () => readOrigin(deps), sendMail: readMailer(deps) },
    { actor, team, name, email, roles },
  );
  const fields = formatFields([
    ['name', harmless(name)],
    ['email', email],
    ['to', harmless(teamName)],
    ['roles', options.role.join(', ')],
    ['link', invited.link],
    ['until', formatTime(invited.expiresAt)],
    ['mailed', invited.mailed ? 'yes' : 'no'],
  ]);
  return {
    json: { invitation: { ...invited, name, email, roles } },
    text: `Person invited.\n\n${fields}\n\n${PASS_ON}`,
  };
}

async function readTeam({ directory }: AdminDeps, { merchant, mode }: InviteOptions) {
  if (merchant === undefined) {
    if (mode === undefined) return { team: STAFF, bookId: null, teamName: 'the staff' };
    throw new CommandRefused('The staff has no books.', 'Name the merchant with --merchant.');
  }
  const found = await findMerchantPlace(directory, merchant);
  return {
    team: { merchantId: found.id },
    bookId: mode === undefined ? null : found.books[mode],
    teamName: mode === undefined ? found.name : `${found.name}, ${mode}`,
  };
}

function readMailer({ env, warn }: Pick<AdminDeps, 'env' | 'warn'>) {
  const problems: string[] = [];
  const settings = readMailSettings(env, problems);
  if (problems.length > 0) {
    throw new BadEnvironment(problems.join(' '), 'Mend it, or unset SMTP_URL: the link is shown.');
  }
  const logger = {
    warn: ({ code }: { code?: unknown }) =>
      warn(`WARNING: the link was not mailed (${String(code)}). Pass it on yourself.`),
  };
  return createMailer({ logger }, settings);
}

/** Where the console is: as configured, or where the service listens by its own variables. */
function readOrigin({ env }: Pick<AdminDeps, 'env'>): string {
  const { CONSOLE_ORIGIN: origin = '', HOST = '', CONSOLE_PORT = '', PORT = '' } = env;
  if (origin !== '') return origin;
  const port = Number(CONSOLE_PORT || PORT || PORT_DEFAULT);
  return consoleOriginAt({ host: HOST || HOST_DEFAULT, port });
}
