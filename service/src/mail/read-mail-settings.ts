import { parseEmail } from '../domain/email-address.ts';

export type MailSettings = Readonly<{
  /** Of the mail server. It may hold a password. */
  url: URL;
  from: string;
}>;

type Environment = Readonly<Record<string, string | undefined>>;

/** From SMTP_URL and MAIL_FROM; undefined: no mail is sent. Mistakes are added to `problems`. */
export function readMailSettings(env: Environment, problems: string[]): MailSettings | undefined {
  const text = env['SMTP_URL'] ?? '';
  const from = env['MAIL_FROM'] ?? '';
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isSmtp = url !== undefined && /^smtps?:$/.test(url.protocol) && url.hostname !== '';
  if (text !== '' && !isSmtp) {
    // Never repeated here: it holds a password.
    problems.push('SMTP_URL must look like smtps://user:password@mail.example:465.');
  }
  if (from !== '' && parseEmail(from) === undefined) {
    problems.push('MAIL_FROM must be an e-mail address, such as payouts@example.com.');
  }
  if (text !== '' && from === '') problems.push('SMTP_URL needs MAIL_FROM, the sender.');
  return url !== undefined && isSmtp && from !== '' ? { url, from } : undefined;
}
