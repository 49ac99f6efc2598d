/** A broken promise: which, about what, and what shows it. */
export type Violation = Readonly<{
  /** A number of the list in README.md. */
  invariant: string;
  transferId: string | null;
  reference: string | null;
  says: string;
  evidence: Readonly<Record<string, unknown>>;
}>;

/** Collects what one check finds. */
export type Found = Violation[];

export type Subject = Readonly<{ id?: string | null; reference?: string | null }>;

export function report(
  found: Found,
  invariant: string,
  subject: Subject,
  says: string,
  evidence: Readonly<Record<string, unknown>> = {},
): void {
  const { id = null, reference = null } = subject;
  found.push({ invariant, transferId: id, reference, says, evidence });
}
