import { formatMinor } from '../../domain/money.ts';
import { formatDuration } from '../../domain/policy/duration.ts';
import { type Limit, readLimits } from '../../limits/read-limits.ts';
import type { Queryable } from '../../postgres/database.ts';
import { createQueryReader } from '../merchant-api/read-page.ts';
import { LimitList, LimitQuery } from '../schemas/limit-schema.ts';
import type { ApiOperation } from '../server/api-operation.ts';

export function listLimitsOperation({
  database,
  now,
}: Readonly<{ database: Queryable; now: () => Date }>): ApiOperation {
  return {
    method: 'GET',
    path: '/limits',
    operationId: 'listLimits',
    tag: 'Controls',
    scope: 'read',
    permission: 'policy:read',
    readsPage: true,
    summary: 'List limits and how much of them is left',
    description:
      "The daily limits of wallets, and each sum and count that a rule of the policy in force asks about, by the book's " +
      'wallets, keys, people and operators. What is being accepted at this moment may not be in it.',
    schema: { querystring: LimitQuery, data: { 200: LimitList } },
    async handle({ caller: { book }, query }) {
      const read = createQueryReader(query, Object.keys(LimitQuery.properties));
      const { phone } = read.checked({ phone: read.phone('phone', null) });
      const { limits, isComplete } = await readLimits(database, { book, phone, now: now() });
      return {
        status: 200,
        message: 'Limits listed',
        data: { items: limits.map(renderLimit), isComplete },
      };
    },
  };
}

function renderLimit(limit: Limit) {
  const { rule, kind, by, subject, name, window, currency, refuses, resetsAt } = limit;
  const amount = (value: bigint) => (kind === 'sum' ? formatMinor(value) : String(value));
  return {
    rule,
    kind,
    by,
    subject,
    name,
    window: window.kind === 'day' ? 'day' : formatDuration(window.seconds),
    currency,
    refuses,
    limit: amount(limit.limit),
    used: amount(limit.used),
    left: amount(limit.left),
    resetsAt: resetsAt?.toISOString() ?? null,
  };
}
