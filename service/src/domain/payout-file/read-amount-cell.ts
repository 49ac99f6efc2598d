import { parseAmount } from '../money.ts';
import type { RowProblemCode } from './row-problem.ts';

export type AmountCell = Readonly<{ amountMinor: bigint } | { problem: RowProblemCode }>;

/** Longer than any amount with separators and a currency. */
const AMOUNT_LENGTH_MAX = 40;
/** `K 1,250.00`, `ZMW1250`, `1250 NGN`: what people write around an amount. */
const CURRENCY_AROUND = /^(?:zmw|zmk|zk|k|ngn|n|₦)\.?\s*|\s*(?:zmw|zmk|ngn|kwacha|naira)\.?$/giu;
const PLAIN = /^[0-9]+(?:\.[0-9]+)?$/;
/** Thousands between equal separators, and a dot before the decimals. */
const THOUSANDS = /^[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?$|^[0-9]{1,3}(?: [0-9]{3})+(?:\.[0-9]+)?$/;
/** Dots between thousands, or a comma before the decimals: elsewhere in the world they mean the opposite. */
const OTHER_WAY = /^[0-9]+,[0-9]{1,2}$|^[0-9]{1,3}(?:\.[0-9]{3})+(?:,[0-9]+)?$/;
/** `1.2E+6`: a spreadsheet writes a number so when its column is too narrow. */
const SCIENTIFIC = /^[0-9](?:[.,][0-9]+)?e[+-]?[0-9]{1,3}$/i;

/** Reads an amount as people write it and as spreadsheets store it. Nothing is rounded or guessed. */
export function readAmountCell(text: string): AmountCell {
  if (text.length > AMOUNT_LENGTH_MAX) return { problem: 'INVALID_AMOUNT' };
  const bare = text
    .replace(/[\u00a0\u202f\u2009]/g, ' ')
    .replace(CURRENCY_AROUND, '')
    .trim();
  if (PLAIN.test(bare))
    return ofPlain(bare, { mayMeanThousands: /^[0-9]{1,3}\.[0-9]{3}$/.test(bare) });
  if (THOUSANDS.test(bare)) return ofPlain(bare.replace(/[, ]/g, ''), { mayMeanThousands: false });
  if (OTHER_WAY.test(bare)) return { problem: 'AMBIGUOUS_AMOUNT' };
  return { problem: SCIENTIFIC.test(bare) ? 'DIGITS_LOST' : 'INVALID_AMOUNT' };
}

function ofPlain(
  text: string,
  { mayMeanThousands }: Readonly<{ mayMeanThousands: boolean }>,
): AmountCell {
  // Zeros before the number, as in 0050.00, are no part of its grammar.
  const amountMinor = parseAmount(text.replace(/^0+(?=[0-9])/, ''));
  if (amountMinor !== undefined && !mayMeanThousands) return { amountMinor };
  if (mayMeanThousands) return { problem: 'AMBIGUOUS_AMOUNT' };
  const decimals = text.split('.')[1]?.replace(/0+$/, '') ?? '';
  return { problem: decimals.length > 2 ? 'TOO_MANY_DECIMALS' : 'INVALID_AMOUNT' };
}
