import { setTimeout as pause } from 'node:timers/promises';
import type { ServerSession } from './enter-server.ts';

const REENTRY_PAUSE_MIN_MS = 250;
const REENTRY_PAUSE_MAX_MS = 30_000;

type Deps = Readonly<{
  say: (line: string) => void;
  /** Aborted by `release`. */
  closing: AbortController;
  enter: () => Promise<ServerSession>;
  leave: (session: ServerSession) => Promise<void>;
}>;

type Held = Readonly<{
  /** Of the server as it is now: after a crash it may be another one. */
  port: () => number;
  release: () => Promise<void>;
}>;

/**
 * Keeps a service's session over a crash of the server: PostgreSQL restarts by itself after a child process dies, and
 * is started again here after it died itself. Without the locks another service could start, and the next
 * administration command would stop the server as its last user.
 */
export function holdSession(
  { say, closing, enter, leave }: Deps,
  /** `returns`: whether the session is entered again when it ends. */
  { session: first, returns }: Readonly<{ session: ServerSession; returns: boolean }>,
): Held {
  const { signal } = closing;
  let session: ServerSession | undefined;
  let { port } = first.server;
  let reentry = Promise.resolve();

  // One that has already ended is entered again too: the server may crash a second time while it is entered.
  async function watch(entered: ServerSession): Promise<void> {
    session = entered;
    ({ port } = entered.server);
    await entered.ended;
    session = undefined;
    if (returns && !signal.aborted) reentry = enterAgain();
  }

  async function enterAgain(): Promise<void> {
    say('The connection to PostgreSQL broke: restoring it.');
    for (let pauseMs = REENTRY_PAUSE_MIN_MS; !signal.aborted; pauseMs *= 2) {
      try {
        void watch(await enter());
        say('PostgreSQL is running again.');
        return;
      } catch (error) {
        if (signal.aborted) return;
        say(error instanceof Error ? error.message : String(error));
      }
      await pause(Math.min(pauseMs, REENTRY_PAUSE_MAX_MS), undefined, { signal }).catch(
        () => undefined,
      );
    }
  }

  async function release(): Promise<void> {
    closing.abort();
    await reentry;
    const last = session;
    session = undefined;
    if (last !== undefined) await leave(last);
  }

  void watch(first);
  return { port: () => port, release };
}
