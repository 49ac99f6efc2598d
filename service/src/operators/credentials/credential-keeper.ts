/** A token or session as it is kept over a restart. All times count from now; past ones are negative. */
export type KeptCredential = Readonly<{
  /** Names this one credential, so that a refused one is removed and never its successor. */
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
 * Keeps the credentials of one route, for this process after a restart and for the others that use the
 * route. It never throws: what cannot be kept is fetched anew.
 */
export interface CredentialKeeper {
  /** Those that have not expired, the one that lives longest first. */
  load(): Promise<readonly KeptCredential[]>;
  keep(credential: KeptCredential): Promise<void>;
  remove(id: string): Promise<void>;
}

/** Whose credentials they are: those of another account are of no use to the same route. */
export type CredentialOwner = Readonly<{ route: string; account: string }>;

/** For programs that end after an inquiry or two. */
export const NOTHING_KEPT: CredentialKeeper = {
  load: async () => [],
  keep: async () => undefined,
  remove: async () => undefined,
};
