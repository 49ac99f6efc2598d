import { createTransport } from 'nodemailer';
import type { Logger } from '../telemetry/logger.ts';
import type { MailSettings } from './read-mail-settings.ts';

/** The whole of it: the address, the connection, every answer of the server. */
const MAIL_TIMEOUT_MS = 10_000;
/** One step of it. */
const STEP_TIMEOUT_MS = 5_000;

export type Mail = Readonly<{
  to: Readonly<{ name: string; address: string }>;
  subject: string;
  text: string;
}>;

/** Resolves to whether the mail server took it. Never rejects, and always ends. */
export type SendMail = (mail: Mail) => Promise<boolean>;

type MailerDeps = Readonly<{ logger: Pick<Logger, 'warn'> }>;

/** Undefined settings: there is no mail. */
export function createMailer(
  { logger }: MailerDeps,
  settings: MailSettings | undefined,
): SendMail | undefined {
  if (settings === undefined) return undefined;
  const { url, from } = settings;
  return async (mail) => {
    const transport = createTransport({
      host: url.hostname.replace(/^\[|\]$/g, ''),
      ...(url.port === '' ? {} : { port: Number(url.port) }),
      secure: url.protocol === 'smtps:',
      // Mail carries links that let people in: only to this machine it may go in the clear.
      requireTLS: !isLoopback(url.hostname),
      ...(url.username === '' ? {} : { auth: credentialsOf(url) }),
      dnsTimeout: STEP_TIMEOUT_MS,
      connectionTimeout: STEP_TIMEOUT_MS,
      greetingTimeout: STEP_TIMEOUT_MS,
      socketTimeout: STEP_TIMEOUT_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    let timer: NodeJS.Timeout | undefined;
    try {
      const late = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new Error('the mail server is slow')), MAIL_TIMEOUT_MS);
      });
      const { to, subject, text } = mail;
      await Promise.race([transport.sendMail({ from, to: { ...to }, subject, text }), late]);
      return true;
    } catch (error) {
      // Not the error itself: it may repeat what was sent.
      logger.warn(describe(error), 'a mail was not sent');
      return false;
    } finally {
      clearTimeout(timer);
      transport.close();
    }
  };
}

function credentialsOf({ username, password }: URL) {
  return { user: decodeURIComponent(username), pass: decodeURIComponent(password) };
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.[\d.]+$/.test(hostname);
}

function describe(error: unknown): Readonly<{ code: string; status: number | undefined }> {
  const member = (name: string): unknown =>
    typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined;
  const [code, status] = [member('code'), member('responseCode')];
  return {
    code: typeof code === 'string' ? code : 'NO_ANSWER',
    status: typeof status === 'number' ? status : undefined,
  };
}
