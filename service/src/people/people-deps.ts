import type { Database } from '../postgres/database.ts';
import type { Sealer } from '../webhooks/seal-secret.ts';

/** What use cases about people work with. */
export type PeopleDeps = Readonly<{
  directory: Database;
  now: () => Date;
  newId: () => string;
  randomBytes: (size: number) => Uint8Array;
  /** Seals the secrets of TOTP. */
  sealer: Sealer;
}>;
