/** A broken promise: which of those in README.md, about which transfer, and in which way. */
export type Finding = Readonly<{ invariant: string; transferId: string | null; says: string }>;

export type Report = (invariant: string, transferId: string | null, says: string) => void;
