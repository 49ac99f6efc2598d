import type { ApprovalItem, Maker } from '../../api/control-types.ts';
import { addAmounts, type Sum } from '../../format/format-amount.ts';
import { formatPhone } from '../../format/format-phone.ts';
import { approvals as texts } from '../../texts/en/approvals.ts';

/** What an approval is about, in the same words for a transfer and for a file. */
export type Subject = Readonly<{
  name: string;
  /** Of a file whose payment was interrupted: what is left of it, as the sums are. */
  count: number;
  /** How many payouts the whole has, where fewer are left. */
  wholeCount?: number;
  sums: readonly Sum[];
  fees: readonly Sum[];
}>;

export function subjectOf({ transfer, file }: ApprovalItem): Subject {
  if (file !== null && file !== undefined) {
    const { name, rows, currency, amount, rowsLeft, amountLeft } = file;
    const count = rowsLeft ?? rows;
    return {
      name,
      count,
      ...(count === rows ? {} : { wholeCount: rows }),
      sums: [{ currency, sum: amountLeft ?? amount }],
      fees: [],
    };
  }
  if (transfer === null || transfer === undefined)
    return { name: '', count: 0, sums: [], fees: [] };
  const { currency, amount, fee, recipientName, phone } = transfer;
  return {
    name: recipientName ?? formatPhone(phone),
    count: 1,
    sums: [{ currency, sum: amount }],
    fees: [{ currency, sum: fee }],
  };
}

export function sayCount({ count, wholeCount }: Subject): string {
  return wholeCount === undefined ? texts.count(count) : texts.countLeft(count, wholeCount);
}

/** Count and sums of several. */
export function totalOf(items: readonly ApprovalItem[]): Pick<Subject, 'count' | 'sums'> {
  const subjects = items.map(subjectOf);
  const byCurrency = Map.groupBy(
    subjects.flatMap(({ sums }) => sums),
    ({ currency }) => currency,
  );
  return {
    count: subjects.reduce((count, subject) => count + subject.count, 0),
    sums: [...byCurrency].map(([currency, some]) => ({
      currency,
      sum: addAmounts(some.map(({ sum }) => sum)),
    })),
  };
}

export function sayMaker(maker: Maker | null | undefined, source: string | undefined): string {
  if (maker?.kind === 'key') return texts.byKey(maker.name);
  if (maker?.kind === 'person') return texts.by(maker.name);
  const sources: Readonly<Record<string, string>> = texts.sources;
  return sources[source ?? 'api'] ?? '';
}
