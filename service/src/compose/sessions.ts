import { randomBytes } from 'node:crypto';
import type { SessionApiDeps } from '../http/session-api/list-session-operations.ts';
import { createSessionFinder } from '../people/find-session.ts';
import { createPasswordHasher } from '../people/hash-password.ts';
import { createSignInAttempts } from '../people/sign-in-attempts.ts';
import type { Runtime } from './runtime.ts';

/** What signing in and a person's own account work with. */
export function composeSessions(runtime: Runtime): SessionApiDeps {
  const { directory, now, newId, sealer, metrics, logger, alone, config } = runtime;
  return {
    directory,
    now,
    newId,
    randomBytes,
    sealer,
    metrics,
    logger,
    passwords: createPasswordHasher({ randomBytes }),
    attempts: createSignInAttempts({ directory, now }),
    findSession: createSessionFinder({ directory, now }),
    // Demo people are made in an embedded database alone.
    methods: { singleSignOn: config.issuer !== undefined, demo: alone },
  };
}
