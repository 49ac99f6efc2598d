/** Ids in lists: the first 8 and the last 8. */
export function shortenId(id: string): string {
  const bare = id.replaceAll('-', '');
  return bare.length <= 18 ? id : `${bare.slice(0, 8)}…${bare.slice(-8)}`;
}

/** `Thandiwe Mulenga` becomes TM. */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/);
  const letters = words.length === 1 ? [words[0]] : [words[0], words.at(-1)];
  return letters.map((word) => word?.[0]?.toUpperCase() ?? '').join('');
}
