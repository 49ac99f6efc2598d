import type { SearchAnswer } from '../../api/transfer-types.ts';

/** The merchants' search lists no more; that of the staff says whether there are. */
const FOUND_MAX = 20;

type Found = Readonly<{
  items: readonly unknown[];
  more?: boolean;
  searched: SearchAnswer['searched'];
}>;

/**
 * The filter of the list of transfers that shows what a search had no room for. Undefined: it had; empty: no filter
 * does.
 */
export function findRest({
  items,
  more,
  searched,
}: Found): Readonly<{ phone?: string }> | undefined {
  if (!(more ?? items.length >= FOUND_MAX)) return undefined;
  return searched.as.includes('phone') ? { phone: searched.text } : {};
}
