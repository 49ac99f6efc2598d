const MINOR_PER_MAJOR = 100n;
const MINOR_DIGITS = 2;

/** Exact minor units of a plain decimal such as `150`, `150.5` or `150.50`; null for anything else. */
export function readDecimalAmount(text: string, decimalsMax: number = MINOR_DIGITS): bigint | null {
  const [, major = '', minor = ''] = /^(0|[1-9]\d{0,17})(?:\.(\d{1,2}))?$/.exec(text) ?? [];
  if (major === '' || minor.length > decimalsMax) return null;
  return BigInt(major) * MINOR_PER_MAJOR + BigInt(minor.padEnd(MINOR_DIGITS, '0'));
}

/** `15050n` as `150.50`. */
export function writeDecimalAmount(amountMinor: bigint): string {
  const minor = String(amountMinor % MINOR_PER_MAJOR).padStart(MINOR_DIGITS, '0');
  return `${amountMinor / MINOR_PER_MAJOR}.${minor}`;
}
