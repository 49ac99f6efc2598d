import type { Client, ClientBase } from 'pg';
import { findUnsafe, prepareSession, UnsafeDatabase } from './prepare-session.ts';
import { type Queryable, run } from './session.ts';

/** The same as the limit for connecting. */
const ADMIT_DEADLINE_MS = 5_000;

/** Decides which connections may be used; several pools to one database share it. */
export type ConnectionAdmission = Readonly<{
  /** Prepares a new connection; throws UnsafeDatabase when a commit confirmed on it could be lost. */
  admit(client: ClientBase): Promise<void>;
  /** Whether the database answers, and both it and new connections to it are durable. */
  isReady(database: Queryable, newClient: () => Client): Promise<boolean>;
}>;

export type AdmissionOptions = Readonly<{
  /** Accepts connections that are not durable too. */
  allowUnsafe?: boolean;
  /** Called when a connection is refused. */
  onRefused?: (error: UnsafeDatabase) => void;
}>;

export function createAdmission({
  allowUnsafe = false,
  onRefused,
}: AdmissionOptions): ConnectionAdmission {
  /** Why the last new connection was refused; undefined when it was not. */
  let refused: UnsafeDatabase | undefined;

  function reportRefused(unsafe: UnsafeDatabase): void {
    // Reported once, since every request may try to connect.
    if (unsafe.message !== refused?.message) onRefused?.(unsafe);
    refused = unsafe;
  }

  async function admit(client: ClientBase): Promise<void> {
    const session = {
      client,
      deadlineMs: ADMIT_DEADLINE_MS,
      broken: undefined,
      unreplicated: undefined,
    };
    try {
      await prepareSession({ query: (statement, values) => run(session, statement, values) });
      refused = undefined;
    } catch (error) {
      if (!(error instanceof UnsafeDatabase)) throw error;
      if (allowUnsafe) return;
      reportRefused(error);
      throw error;
    }
  }

  async function connects(client: Client): Promise<boolean> {
    client.on('error', () => undefined);
    try {
      await client.connect();
      await admit(client);
      return true;
    } catch {
      return false;
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  return {
    admit,
    async isReady(database, newClient) {
      const unsafe = await findUnsafe(database);
      if (allowUnsafe) return true;
      if (unsafe !== undefined) {
        reportRefused(unsafe);
        return false;
      }
      // Only a new connection can show whether the reason for the last refusal is gone.
      return refused === undefined || connects(newClient());
    },
  };
}
