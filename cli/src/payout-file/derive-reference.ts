import { createHash } from 'node:crypto';
import { formatMinor } from './amount.ts';
import type { CheckedLine } from './check-payout.ts';
import { nationalNumber } from './phone-shape.ts';

/** 128 bits: two different lines never get the same name. */
const HASH_HEX_CHARS = 32;

/**
 * Names lines by their content, so that the same file gives the same references on every run, in
 * any order, spelling of numbers or file format. A line that occurs twice is two payouts:
 * the second gets the number 2.
 *
 * The wallet and the operator are left out on purpose. A person who runs the file again with
 * another `--wallet` gets conflicts shown, and does not pay all lines a second time.
 */
export function createReferenceSource(batch: string): (line: CheckedLine) => string {
  const occurrences = new Map<string, number>();
  return ({ country, phone, amountMinor, narration, recipientName }) => {
    const values = [
      batch,
      country,
      nationalNumber(phone, country) ?? phone,
      formatMinor(amountMinor),
      narration ?? '',
      recipientName ?? '',
    ];
    const hash = createHash('sha256').update(JSON.stringify(values)).digest('hex');
    const name = hash.slice(0, HASH_HEX_CHARS);
    const occurrence = (occurrences.get(name) ?? 0) + 1;
    occurrences.set(name, occurrence);
    return `csv-${name}-${occurrence}`;
  };
}
