const AMOUNT_LENGTH_MAX = 23;
const AMOUNT = /^(0|[1-9]\d*)(?:\.(\d{1,2}))?$/;

/** The minor units of an amount in pawaPay's form; undefined when the form is invalid. */
export function readAmount(written: string, decimals: 'NONE' | 'TWO_PLACES'): bigint | undefined {
  if (written.length > AMOUNT_LENGTH_MAX) return undefined;
  const [, whole, fraction] = AMOUNT.exec(written) ?? [];
  if (whole === undefined) return undefined;
  if (fraction !== undefined && decimals === 'NONE') return undefined;
  return BigInt(whole) * 100n + BigInt((fraction ?? '').padEnd(2, '0'));
}

/** `15.00`: answers always have two decimals. */
export function writeAmount(amountMinor: bigint): string {
  const digits = (amountMinor < 0n ? -amountMinor : amountMinor).toString().padStart(3, '0');
  return `${amountMinor < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** `15`, `0.50`: limits have decimals only when they need them. */
export function writeLimit(amountMinor: bigint): string {
  return writeAmount(amountMinor).replace(/\.00$/, '');
}
