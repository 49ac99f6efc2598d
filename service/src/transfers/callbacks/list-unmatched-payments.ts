import type { Queryable, Statement } from '../../postgres/database.ts';

const PAYMENTS_LISTED_MAX = 500;

/** A payment that an operator reported although no transfer has this reference. */
export type UnmatchedPayment = Readonly<{
  id: string;
  operatorReference: string;
  route: string;
  openedAt: Date;
  closed: Readonly<{ at: Date; by: string; note: string }> | null;
}>;

export type UnmatchedPaymentList = Readonly<{
  payments: readonly UnmatchedPayment[];
  more: boolean;
}>;

/** Open payments first, the oldest on top; then closed ones, the last closed on top. */
export async function listUnmatchedPayments(
  database: Queryable,
  { max = PAYMENTS_LISTED_MAX }: Readonly<{ max?: number }> = {},
): Promise<UnmatchedPaymentList> {
  const rows = await database.query<PaymentRow>(LIST, [max + 1]);
  return { payments: rows.slice(0, max).map(toPayment), more: rows.length > max };
}

type PaymentRow = {
  id: string;
  operator_reference: string;
  route: string;
  opened_at: Date;
  closed_at: Date | null;
  closed_by: string | null;
  note: string | null;
};

function toPayment(row: PaymentRow): UnmatchedPayment {
  const { closed_at: at, closed_by: by, note } = row;
  return {
    id: row.id,
    operatorReference: row.operator_reference,
    route: row.route,
    openedAt: row.opened_at,
    closed: at === null || by === null || note === null ? null : { at, by, note },
  };
}

const LIST: Statement = {
  name: '',
  text: `
    select id, operator_reference, route, opened_at, closed_at, closed_by, note
    from unmatched_payments
    order by closed_at is not null, closed_at desc, opened_at, id
    limit $1`,
};
