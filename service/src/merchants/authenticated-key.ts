import type { KeyActor } from '../domain/actor.ts';
import type { PlacedBook } from '../domain/book.ts';

export const SCOPES = ['transfers:write', 'recipients:write', 'read'] as const;
export type Scope = (typeof SCOPES)[number];

/** What a valid API key opens: one book, with what may be done in it and from where. */
export type AuthenticatedKey = Readonly<{
  id: string;
  actor: KeyActor;
  book: PlacedBook;
  scopes: readonly Scope[];
  /** CIDR ranges; empty: any address. */
  addresses: readonly string[];
}>;

export interface KeyAuthenticator {
  /**
   * Undefined for anything but a live key. Answers at once when the key is cached, so that the hot
   * path waits for no promise. A revoked key is refused within a second. `from` is the network of the
   * client: those whose keys have to be looked up take turns. Throws RATE_LIMITED when too many wait.
   */
  authenticate(
    key: string,
    from: string,
  ): AuthenticatedKey | undefined | Promise<AuthenticatedKey | undefined>;
}
