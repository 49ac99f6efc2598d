import { type Actor, nameActor } from '../domain/actor.ts';
import type { Mail } from '../mail/create-mailer.ts';
import type { TeamRole } from './team.ts';

type InvitationText = Readonly<{
  actor: Actor;
  name: string;
  email: string;
  roles: readonly TeamRole[];
  /** The merchant; null: the staff. */
  teamName: string | null;
  link: string;
  expiresAt: Date;
}>;

/** Plain text, so that markup in a name stays text. */
export function writeInvitationMail(invitation: InvitationText): Mail {
  const { actor, name, email, roles, teamName, link, expiresAt } = invitation;
  const where = teamName === null ? 'the staff of Kafue' : `${teamName} on Kafue`;
  const words = [...new Set(roles.map(({ role }) => role))].join(', ');
  const inviter = actor.kind === 'person' ? nameActor(actor) : 'The administration';
  const until = `${expiresAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  return {
    to: { name, address: email },
    subject: `Invitation to ${where}`,
    text: [
      `Hello ${name},`,
      '',
      `${inviter} invites you to ${where} as ${words}. Open this link to accept:`,
      '',
      link,
      '',
      `It works once, until ${until}. Do not pass it on: it is for you alone.`,
      'If you did not expect this, delete this mail; nothing happens then.',
      '',
    ].join('\n'),
  };
}
