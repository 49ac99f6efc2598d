import { formatMinor } from '../../../service/src/domain/money.ts';
import { readAmountCell } from '../../../service/src/domain/payout-file/read-amount-cell.ts';
import { amounts as texts } from '../texts/en/amounts.ts';

type TypedAmount = Readonly<{
  /** As decimal text, such as 1250.50. Absent: nothing is typed, or it cannot be read. */
  amount?: string;
  /** What to write instead, if it cannot be read. */
  problem?: string;
}>;

const FIGURES = /^[0-9.,\s]*$/;
const ZERO = /^0+(?:\.0{1,2})?$/;

/**
 * Reads an amount above zero as the rows of a payout file are read: the same text never means two amounts. A currency
 * beside it is refused here, since each field has its own.
 */
export function readAmount(text: string): TypedAmount {
  const typed = text.trim();
  if (typed === '') return {};
  if (!FIGURES.test(typed)) return { problem: texts.figures };
  const read = readAmountCell(typed);
  if ('amountMinor' in read) return { amount: formatMinor(read.amountMinor) };
  switch (read.problem) {
    case 'AMBIGUOUS_AMOUNT':
      return { problem: texts.twoWays };
    case 'TOO_MANY_DECIMALS':
      return { problem: texts.decimals };
    default:
      return { problem: texts.figures };
  }
}

/** The same for a fee or a percentage: zero is one, and nothing typed is none. */
export function readFee(text: string): TypedAmount {
  const typed = text.trim();
  if (ZERO.test(typed)) return { amount: formatMinor(0n) };
  const { amount, problem } = readAmount(typed);
  if (amount !== undefined) return { amount };
  return { problem: problem === undefined || problem === texts.figures ? texts.fee : problem };
}
