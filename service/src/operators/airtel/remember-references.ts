export type RememberedReferences = Readonly<{
  add(reference: string): void;
  has(reference: string): boolean;
}>;

/** The latest of them; the oldest is forgotten for each one too many. */
export function rememberReferences(countMax: number): RememberedReferences {
  const references = new Set<string>();
  return {
    add(reference) {
      references.delete(reference);
      references.add(reference);
      const [oldest] = references;
      if (references.size > countMax && oldest !== undefined) references.delete(oldest);
    },
    has: (reference) => references.has(reference),
  };
}
