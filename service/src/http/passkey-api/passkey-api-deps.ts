import type { PasskeyDeps } from '../../people/passkeys/create-challenge.ts';
import type { SessionFinder } from '../../people/session.ts';
import type { ConsoleOrigin } from '../server/console-origin.ts';

export type PasskeyApiDeps = PasskeyDeps &
  Readonly<{ consoleOrigin: ConsoleOrigin; findSession: SessionFinder }>;
