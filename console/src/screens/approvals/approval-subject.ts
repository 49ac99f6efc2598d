import type { ApprovalItem, Maker } from '../../api/control-types.ts';
import { addAmounts, type Sum } from '../../format/format-amount.ts';
import { formatPhone } from '../../format/format-phone.ts';
import { approvals as texts } from '../../texts/en/approvals.ts';

/** What an approval is about, in the same words for a transfer and for a file. */
export type Subject = Readonly<{
  name: string;
  count: number;
  sums: readonly Sum[];
  fees: readonly Sum[];
}>;

export function subjectOf({ transfer, file }: ApprovalItem): Subject {
  if (file !== null && file !== undefined) {
    const { name, rows, currency, amount } = file;
    return { name, count: rows, sums: [{ currency, sum: amount }], fees: [] };
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
