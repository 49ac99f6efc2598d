/** A violated invariant, with its subject and the evidence. */
export type Violation = Readonly<{
  /** Its name in README.md. */
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
