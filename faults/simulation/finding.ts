/** A violated invariant by its name in README.md, the transfer concerned, and a description. */
export type Finding = Readonly<{ invariant: string; transferId: string | null; says: string }>;

export type Report = (invariant: string, transferId: string | null, says: string) => void;
