/** The hashes of a draft that one person saved one after the other, with no change of another person between them. */
export function createOwnSaves() {
  let hashes: readonly string[] = [];
  return {
    /** The hash that the own saves led to from this one. Itself, if another person changed the draft since. */
    lastSince: (read: string): string => (hashes.includes(read) ? (hashes.at(-1) ?? read) : read),
    add: (from: string, to: string): void => {
      hashes = hashes.at(-1) === from ? [...hashes, to] : [from, to];
    },
    clear: (): void => {
      hashes = [];
    },
  };
}
