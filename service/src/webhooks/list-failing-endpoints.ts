import { SERVED_HERE } from '../cells/served-here.ts';
import { causeOf } from '../domain/cause.ts';
import type { Mode } from '../domain/transfer.ts';
import type { Queryable, Statement } from '../postgres/database.ts';

/** An endpoint whose last delivery failed, or that was disabled because its deliveries did. */
export type FailingEndpoint = Readonly<{
  id: string;
  merchantId: string;
  merchant: string;
  mode: Mode;
  url: string;
  status: 'enabled' | 'disabled';
  disabledReason: string | null;
  failingSince: Date | null;
  /** Deliveries that wait for their next attempt, counted up to WAITING_COUNTED_MAX. */
  waiting: number;
}>;

const WAITING_COUNTED_MAX = 10_000;
/** A merchant that disabled its endpoint itself wants it so. */
const DISABLED_BY_MERCHANT = causeOf('DISABLED_BY_MERCHANT');

/** The one that has failed longest comes first. */
export async function listFailingEndpoints(
  database: Queryable,
  { max }: Readonly<{ max: number }>,
): Promise<readonly FailingEndpoint[]> {
  const values = [max, WAITING_COUNTED_MAX, DISABLED_BY_MERCHANT];
  const rows = await database.query<FailingRow>(LIST, values);
  return rows.map((row) => ({
    id: row.id,
    merchantId: row.merchant_id,
    merchant: row.merchant,
    mode: row.mode,
    url: row.url,
    status: row.status,
    disabledReason: row.disabled_reason,
    failingSince: row.failing_since,
    waiting: row.waiting,
  }));
}

type FailingRow = {
  id: string;
  merchant_id: string;
  merchant: string;
  mode: Mode;
  url: string;
  status: 'enabled' | 'disabled';
  disabled_reason: string | null;
  failing_since: Date | null;
  waiting: number;
};

// A book has ten endpoints at most, so reading them all is cheap.
const LIST: Statement = {
  name: '',
  text: `
    select e.id, b.merchant_id, m.name as merchant, b.mode, e.url, e.status, e.disabled_reason,
           e.failing_since, d.waiting
    from webhook_endpoints e
    join books b on b.id = e.book_id
    join merchants m on m.id = b.merchant_id and ${SERVED_HERE}
    cross join lateral (
      select count(*)::integer as waiting from (
        select 1 from deliveries d
        where d.endpoint_id = e.id and d.next_attempt_at is not null
        limit $2
      ) d
    ) d
    where (e.failing_since is not null or e.status = 'disabled')
      and e.disabled_reason is distinct from $3
    order by e.failing_since nulls last, e.id
    limit $1`,
};
