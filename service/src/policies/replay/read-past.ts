import type { Metadata } from '../../domain/metadata.ts';
import type { Currency } from '../../domain/money.ts';
import type { Country, Operator } from '../../domain/operator.ts';
import type { CompiledPolicy } from '../../domain/policy/compile-policy.ts';
import type { Order } from '../../domain/policy/order.ts';
import type { Source } from '../../domain/source.ts';
import { firstUuidAt } from '../../domain/uuid.ts';
import type { Queryable, Statement } from '../../postgres/database.ts';

/** Read at once. Judging a page keeps the event loop for a few milliseconds. */
const PAGE_LENGTH = 500;

/** A transfer as it was ordered, with what a policy may ask about it. */
export type PastTransfer = Readonly<{
  id: string;
  order: Order;
  /** Null: no rule asks. */
  isFirstPayment: boolean | null;
  /** As the list is now. Null: no rule asks. */
  isOnAllowList: boolean | null;
  /** As the operator told it last; null: not known, or no rule asks. */
  accountName: string | null;
}>;

/** What of a transfer must be read besides its own row. */
export type NeededData = Readonly<{
  actor: boolean;
  firstPayment: boolean;
  allowList: boolean;
  accountName: boolean;
}>;

export function dataNeededBy(policies: readonly CompiledPolicy[]): NeededData {
  const asks = (test: (rule: CompiledPolicy['rules'][number]['when']) => boolean) =>
    policies.some(({ rules }) => rules.some(({ when }) => test(when)));
  return {
    actor: asks(
      ({ sources, keys, sum, count }) =>
        sources !== null ||
        keys !== null ||
        [sum?.by, count?.by].some((by) => by === 'key' || by === 'person'),
    ),
    firstPayment: asks(({ firstPayment }) => firstPayment !== null),
    allowList: asks(({ onAllowList }) => onAllowList !== null),
    accountName: asks(({ nameMatch }) => nameMatch !== null),
  };
}

type Range = Readonly<{ bookId: string; from: Date; to: Date; needed: NeededData }>;

/** The transfers that were ordered in a time, page by page, by their ids, which are in the order of time. */
export async function* readPast(
  database: Queryable,
  { bookId, from, to, needed }: Range,
): AsyncGenerator<readonly PastTransfer[]> {
  const end = firstUuidAt(to);
  let start = firstUuidAt(from);
  for (;;) {
    const rows = await database.query<PastRow>(READ, [
      bookId,
      start,
      end,
      PAGE_LENGTH,
      needed.actor,
      needed.firstPayment,
      needed.allowList,
      needed.accountName,
    ]);
    yield rows.map(toPast);
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE_LENGTH) return;
    start = last.id;
  }
}

type PastRow = {
  id: string;
  wallet_id: string;
  amount_minor: bigint;
  currency: Currency;
  phone: string;
  operator: Operator;
  country: Country;
  recipient_name: string | null;
  metadata: Metadata | null;
  source: Source | null;
  made_by: string | null;
  created_at: Date;
  send_at: Date | null;
  actor: string | null;
  is_first_payment: boolean | null;
  is_on_allow_list: boolean | null;
  account_name: string | null;
};

function toPast(row: PastRow): PastTransfer {
  const personId = row.made_by ?? idOf(row.actor, 'person');
  return {
    id: row.id,
    order: {
      amountMinor: row.amount_minor,
      currency: row.currency,
      phone: row.phone,
      operator: row.operator,
      country: row.country,
      walletId: row.wallet_id,
      keyId: idOf(row.actor, 'key'),
      personId,
      source: row.source ?? (personId === null ? 'api' : 'console'),
      metadata: row.metadata,
      recipientName: row.recipient_name,
      at: row.created_at,
      sendAt: row.send_at,
    },
    isFirstPayment: row.is_first_payment,
    isOnAllowList: row.is_on_allow_list,
    accountName: row.account_name,
  };
}

function idOf(actor: string | null, kind: 'key' | 'person'): string | null {
  if (actor === null || !actor.startsWith(`${kind}:`)) return null;
  return actor.slice(kind.length + 1);
}

/** A `case` whose condition is false does not run its query. */
const READ: Statement = {
  name: 'read-past-transfers',
  text: `
    select t.id, t.wallet_id, t.amount_minor, t.currency, t.phone, t.operator, t.country, t.recipient_name,
      t.metadata, t.source, t.made_by, t.created_at, t.send_at,
      case when $5::boolean then (
        select e.actor from events e where e.book_id = t.book_id and e.subject_id = t.id and e.seq = 1
      ) end as actor,
      case when $6::boolean then not exists (
        select from transfers p
        where p.book_id = t.book_id and p.phone = t.phone and p.id < t.id
          and p.state = 'succeeded' and p.completed_at <= t.created_at
      ) end as is_first_payment,
      case when $7::boolean then exists (
        select from list_entries l
        where l.book_id = t.book_id and l.list = 'allow' and l.phone = t.phone and l.ended_at is null
          and (l.expires_at is null or l.expires_at > now())
      ) end as is_on_allow_list,
      case when $8::boolean then (
        select r.account_name from recipients r
        where r.book_id = t.book_id and r.phone = t.phone and r.operator = t.operator and r.country = t.country
      ) end as account_name
    from transfers t
    where t.book_id = $1 and t.id > $2 and t.id < $3
    order by t.id
    limit $4`,
};
