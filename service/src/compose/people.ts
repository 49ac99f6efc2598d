import type { Cells } from '../cells/cell.ts';
import type { PeopleApiDeps } from '../http/people-api/list-people-operations.ts';
import type { SessionApiDeps } from '../http/session-api/list-session-operations.ts';
import { createMailer } from '../mail/create-mailer.ts';
import { consoleOriginAt } from '../people/console-origin.ts';
import type { Runtime } from './runtime.ts';

/** `consolePort` is asked for when it is known: the system may choose it. */
export function composePeople(
  { config, logger }: Runtime,
  sessions: SessionApiDeps,
  { cells, consolePort }: Readonly<{ cells: Cells; consolePort: () => number }>,
): PeopleApiDeps {
  return {
    ...sessions,
    logger,
    cells,
    // Never the Host of a request, which a client can choose: the link lets a person in.
    consoleOrigin: () =>
      config.consoleOrigin ?? consoleOriginAt({ host: config.host, port: consolePort() }),
    sendMail: createMailer({ logger }, config.mail),
  };
}
