/** A person who published, changed or confirmed, by the name that they had then. */
export type NamedPerson = Readonly<{ id: string; name: string }>;

/** A policy as people wrote it: JSON that was checked before it was stored. */
export type PolicyDocument = Readonly<Record<string, unknown>>;

/** One version of a book's policy. */
export type PolicyVersion = Readonly<{
  version: number;
  document: PolicyDocument;
  contentHash: string;
  /** One person, or the two who published it in a live book. */
  publishedBy: readonly NamedPerson[];
  /** Since when it is in force. */
  publishedAt: Date;
}>;

/** What will be the next version of a book's policy. */
export type PolicyDraft = Readonly<{
  document: PolicyDocument;
  contentHash: string;
  changedBy: NamedPerson;
  changedAt: Date;
  /** Null: this document was not replayed yet. */
  replay: KeptReplay | null;
  /** The first of the two who publish it in a live book. */
  publishedBy: NamedPerson | null;
}>;

export type KeptReplay = Readonly<{
  from: Date;
  to: Date;
  at: Date;
  /** What the replay answered. */
  result: Readonly<Record<string, unknown>>;
}>;
