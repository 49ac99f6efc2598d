/** A token or session as it is stored across restarts. All times count from now; past ones are negative. */
export type KeptCredential = Readonly<{
  /** Identifies this credential, so that a refused one is removed and never its successor. */
  id: string;
  value: string;
  /** A digest of what it was obtained with. */
  obtainedWith: string;
  /** When the operator begins to accept it. */
  readyInMs: number;
  /** When a successor is to be fetched. */
  refreshInMs: number;
  expiresInMs: number;
}>;

/**
 * Stores the credentials of one route, for this process after a restart and for the others that use the route. It never
 * throws: what cannot be stored is fetched again.
 */
export interface CredentialStore {
  /** Credentials that have not expired, the latest expiry first. */
  load(): Promise<readonly KeptCredential[]>;
  keep(credential: KeptCredential): Promise<void>;
  remove(id: string): Promise<void>;
}

/** The owner of the credentials: those of another account are useless to the same route. */
export type CredentialOwner = Readonly<{ route: string; account: string }>;

/** For programs that exit after an inquiry or two. */
export const NOTHING_KEPT: CredentialStore = {
  load: async () => [],
  keep: async () => undefined,
  remove: async () => undefined,
};
