/** With a number of up to five digits after it, it stays below the 100 characters of a reference. */
const NAMED_CHARS_MAX = 80;
const NUMBERED = /^(.{1,80}[.]retry-)([0-9]{1,4})$/;

/**
 * The rule of retry-reference.ts as far as it needs no SHA-256, which a browser has in another way than the service:
 * both import it, so it is written once. `undefined`: the reference is too long, and is named by its hash.
 */
export function numberedRetry(earlier: string): string | undefined {
  const [, name, number] = NUMBERED.exec(earlier) ?? [];
  if (name !== undefined) return `${name}${Number(number) + 1}`;
  return earlier.length <= NAMED_CHARS_MAX ? `${earlier}.retry-1` : undefined;
}

/** The reference of a retry that is named by the SHA-256, in hexadecimal digits, of the earlier reference. */
export function hashedRetry(sha256: string): string {
  return `retry-${sha256}`;
}
