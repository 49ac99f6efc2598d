import { parseAmount } from '../money.ts';
import { currencyOfWord, type WrittenCurrency } from './amount-currency.ts';
import type { RowProblemCode } from './row-problem.ts';

export type AmountCell = Readonly<
  | { amountMinor: bigint /** Null: none is written. */; currency: WrittenCurrency | null }
  | { problem: RowProblemCode }
>;

/** Longer than any amount with separators and a currency. */
const AMOUNT_LENGTH_MAX = 40;
/** `K 1,250.00`, `ZMW1250`, `1250 NGN`: what people write around an amount. */
const CURRENCY_BEFORE = /^(zmw|zmk|zk|k|ngn|n|₦)\.?\s*/iu;
const CURRENCY_BEHIND = /\s*(zmw|zmk|ngn|kwacha|naira)\.?$/iu;
const PLAIN = /^[0-9]+(?:\.[0-9]+)?$/;
/** Thousands between equal separators, and a dot before the decimals. */
const THOUSANDS = /^[1-9][0-9]{0,2}(?:(?:,[0-9]{3})+|(?: [0-9]{3})+)(?:\.[0-9]+)?$/;
/** Dots between thousands, or a comma before the decimals: elsewhere in the world they mean the opposite. */
const OTHER_WAY = /^[0-9]+,[0-9]{1,2}$|^[0-9]{1,3}(?:\.[0-9]{3})+(?:,[0-9]+)?$/;
/** `0,500`: thousands are never grouped after a zero, so the comma stands before decimals or is a mistake. */
const THOUSANDS_AFTER_ZERO = /^0[0-9]{0,2}(?:(?:,[0-9]{3})+|(?: [0-9]{3})+)(?:\.[0-9]+)?$/;
/** `250,125`: with commas before decimals three decimals of a calculated amount, else thousands. */
const THOUSANDS_OR_DECIMALS = /^[0-9]{1,3}(?:,[0-9]{3})+$/;
/** `1.2E+6`: a spreadsheet writes a number so when its column is too narrow. */
const SCIENTIFIC = /^[0-9](?:[.,][0-9]+)?e[+-]?[0-9]{1,3}$/i;

/**
 * Reads an amount as people write it and as spreadsheets store it. Nothing is rounded or guessed. `hasDecimalCommas`: the
 * amounts around it may have a comma before their decimals.
 */
export function readAmountCell(
  text: string,
  { hasDecimalCommas = false }: Readonly<{ hasDecimalCommas?: boolean }> = {},
): AmountCell {
  if (text.length > AMOUNT_LENGTH_MAX) return { problem: 'INVALID_AMOUNT' };
  const spaced = text.replace(/[\u00a0\u202f\u2009]/g, ' ');
  const before = currencyIn(CURRENCY_BEFORE.exec(spaced));
  const behind = currencyIn(CURRENCY_BEHIND.exec(spaced));
  if (before !== null && behind !== null && before !== behind) return { problem: 'INVALID_AMOUNT' };
  const bare = spaced.replace(CURRENCY_BEFORE, '').replace(CURRENCY_BEHIND, '').trim();
  if (hasDecimalCommas && THOUSANDS_OR_DECIMALS.test(bare)) return { problem: 'AMBIGUOUS_AMOUNT' };
  const read = readNumber(bare);
  return typeof read === 'bigint'
    ? { amountMinor: read, currency: before ?? behind }
    : { problem: read };
}

function currencyIn(found: RegExpExecArray | null): WrittenCurrency | null {
  return found === null ? null : currencyOfWord(found[1] ?? '');
}

function readNumber(bare: string): bigint | RowProblemCode {
  if (PLAIN.test(bare))
    return ofPlain(bare, { mayMeanThousands: /^[0-9]{1,3}\.[0-9]{3}$/.test(bare) });
  if (THOUSANDS.test(bare)) return ofPlain(bare.replace(/[, ]/g, ''), { mayMeanThousands: false });
  if (OTHER_WAY.test(bare) || THOUSANDS_AFTER_ZERO.test(bare)) return 'AMBIGUOUS_AMOUNT';
  return SCIENTIFIC.test(bare) ? 'DIGITS_LOST' : 'INVALID_AMOUNT';
}

function ofPlain(
  text: string,
  { mayMeanThousands }: Readonly<{ mayMeanThousands: boolean }>,
): bigint | RowProblemCode {
  // Zeros before the number, as in 0050.00, are no part of its grammar.
  const amountMinor = parseAmount(text.replace(/^0+(?=[0-9])/, ''));
  if (amountMinor !== undefined && !mayMeanThousands) return amountMinor;
  if (mayMeanThousands) return 'AMBIGUOUS_AMOUNT';
  const decimals = text.split('.')[1]?.replace(/0+$/, '') ?? '';
  return decimals.length > 2 ? 'TOO_MANY_DECIMALS' : 'INVALID_AMOUNT';
}
