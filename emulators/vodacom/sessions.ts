import { randomBytes } from 'node:crypto';

type SessionStatus = 'live' | 'not-yet-live' | 'expired' | 'unknown';

export type Sessions = Readonly<{
  create(): string;
  statusOf(sessionId: string): SessionStatus;
}>;

/** Together with the three letters this gives the length of a real session id. */
const SESSION_RANDOM_BYTES = 15;

/** A session is issued at once, but works only after the activation time. */
export function createSessions(
  now: () => number,
  { activationMs, lifetimeMs }: Readonly<{ activationMs: number; lifetimeMs: number }>,
): Sessions {
  const createdAtMs = new Map<string, number>();
  return {
    create() {
      for (const [sessionId, atMs] of createdAtMs) {
        if (now() - atMs >= 2 * lifetimeMs) createdAtMs.delete(sessionId);
      }
      const sessionId = `AAA${randomBytes(SESSION_RANDOM_BYTES).toString('hex')}`;
      createdAtMs.set(sessionId, now());
      return sessionId;
    },
    statusOf(sessionId) {
      const atMs = createdAtMs.get(sessionId);
      if (atMs === undefined) return 'unknown';
      const ageMs = now() - atMs;
      if (ageMs >= lifetimeMs) return 'expired';
      return ageMs < activationMs ? 'not-yet-live' : 'live';
    },
  };
}
