/** A person who published or changed a policy, with the name at that time. */
export type PolicyPerson = Readonly<{ id: string; name: string }>;

/** A rule in words. */
export type RuleSentence = Readonly<{ rule: string; text: string }>;

/** The rules by which payouts of a book are refused, wait for approval, are screened or warned about. */
export type Policy = Readonly<{
  /** The version in force; null: the book has no policy. */
  version: number | null;
  /** The document as it was written. */
  document: PolicyDocument | null;
  contentHash: string | null;
  rules: readonly RuleSentence[];
  /** Since when it is in force. */
  publishedAt: string | null;
  /** One person, or the two of a live book. */
  publishedBy: readonly PolicyPerson[];
  /** The draft of the next version; null: there is none. */
  draft: PolicyDraft | null;
  /** The newest first. */
  history: readonly PolicyVersion[];
}>;

export type PolicyDocument = Readonly<{
  sendLateWithin?: string;
  approvalExpiresAfter?: string;
  rules: readonly PolicyRule[];
}>;

/** Conditions, all of which must hold, and what they require. The documentation of the API lists both. */
export type PolicyRule = Readonly<{
  name: string;
  when: Readonly<Record<string, unknown>>;
  require: Readonly<Record<string, unknown>>;
}>;

export type PolicyDraft = Readonly<{
  document: PolicyDocument;
  contentHash: string;
  rules: readonly RuleSentence[];
  changedBy: PolicyPerson;
  changedAt: string;
  /** What it would have done, by the last replay; null: it was not replayed yet. */
  replay: Readonly<Record<string, unknown>> | null;
  /** The first of the two who publish it in a live book. */
  publishedBy: PolicyPerson | null;
  /** Problems with the book as it is now, such as an unknown wallet. */
  problems: readonly Readonly<{ field: string; message: string }>[];
}>;

export type PolicyVersion = Readonly<{
  version: number;
  contentHash: string;
  publishedAt: string;
  by: readonly PolicyPerson[];
}>;
