import type { Currency } from '../money.ts';
import type { FileColumn } from './row-fields.ts';

/** A currency as it is written beside amounts; `other`: one that no payout is in. */
export type WrittenCurrency = Currency | 'other';

/**
 * ZMK was the code of the kwacha until 2013, when 1,000 of it became 1 ZMW. Many people still write it and mean the
 * kwacha of today. The old notes went out of use in that year, so no list of payouts is in them.
 */
const WORDS: Readonly<Record<WrittenCurrency, string>> = {
  ZMW: 'zmw zmk zk k kwacha',
  NGN: 'ngn n ₦ naira',
  other:
    'usd $ dollar dollars eur € euro euros gbp £ zar rand cny aoa bwp cdf ghs kes mwk mzn nad rwf tzs ugx xaf xof',
};

const CURRENCY_OF: ReadonlyMap<string, WrittenCurrency> = new Map(
  (['ZMW', 'NGN', 'other'] as const).flatMap((currency) =>
    WORDS[currency].split(' ').map((word) => [word, currency] as const),
  ),
);

/** Null: the word is none for a currency. */
export function currencyOfWord(word: string): WrittenCurrency | null {
  return CURRENCY_OF.get(word.toLowerCase()) ?? null;
}

/** The currency in the header of the amounts, as in `Amount (ZMW)`. Null: it names none, or several. */
export function readAmountCurrency(columns: readonly FileColumn[]): WrittenCurrency | null {
  const header = columns.find(({ field }) => field === 'amount')?.header ?? '';
  const words = header.match(/[a-z]+|[₦$€£]/giu) ?? [];
  const named = words.map((word) => currencyOfWord(word.replace(/^amount/i, '')));
  const [currency = null, ...others] = new Set(named.filter((one) => one !== null));
  return others.length === 0 ? currency : null;
}
