import type { ActFacts } from '../acts/act.ts';
import type { FeeTerms } from '../domain/fee.ts';
import { formatMinor } from '../domain/money.ts';
import { formatPercent } from './read-fee.ts';

/** What a fee is, for the record of acts. */
export function feeFacts({ fixedMinor, basisPoints }: FeeTerms): ActFacts {
  return { feeFixed: formatMinor(fixedMinor), feePercent: formatPercent(basisPoints) };
}
