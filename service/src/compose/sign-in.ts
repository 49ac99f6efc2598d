import { randomBytes } from 'node:crypto';
import { createConsoleOrigin } from '../http/server/console-origin.ts';
import { createSessionFinder } from '../people/find-session.ts';
import { createIssuer } from '../people/single-sign-on/issuer.ts';
import type { Runtime } from './runtime.ts';

/** The ways to sign in that need no password. */
export function composeSignIn({ directory, now, newId, monotonicMs, logger, config }: Runtime) {
  const consoleOrigin = createConsoleOrigin(config.consoleOrigin);
  const deps = { directory, now, newId, randomBytes, logger, consoleOrigin };
  const { issuer } = config;
  return {
    passkeys: { ...deps, findSession: createSessionFinder(deps) },
    singleSignOn:
      issuer === undefined ? undefined : { ...deps, issuer: createIssuer(issuer, { monotonicMs }) },
  };
}
