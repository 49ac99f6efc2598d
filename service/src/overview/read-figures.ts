import { firstUuidAt } from '../domain/uuid.ts';
import type { Queryable, Statement } from '../postgres/database.ts';
import { type Figures, type Group, STEP } from './figures.ts';

/** From the first moment to before the second. */
export type Period = Readonly<{ from: Date; to: Date }>;

type FigureRow = Omit<Group, 'sumMinor'> & { n: number; step: number | null; sum: string };

/**
 * The figures of some periods, in their order. Ids are in the order of time, so each period is a range of the primary
 * key, and its rows lie side by side: a page of the table holds about twenty, and no other index is needed.
 */
export async function readFigures(
  database: Queryable,
  { bookId, periods }: Readonly<{ bookId: string; periods: readonly Period[] }>,
): Promise<readonly Figures[]> {
  if (periods.length === 0) return [];
  const rows = await database.query<FigureRow>(READ, [
    bookId,
    periods.map(({ from }) => firstUuidAt(from)),
    periods.map(({ to }) => firstUuidAt(to)),
  ]);
  const byPeriod = Map.groupBy(rows, ({ n }) => n);
  return periods.map((_, index) => toFigures(byPeriod.get(index + 1) ?? []));
}

function toFigures(rows: readonly FigureRow[]): Figures {
  const groups = new Map<string, Group>();
  const paidBySteps = new Map<number, number>();
  for (const { step, sum, count, state, currency, operator, country } of rows) {
    const name = `${state} ${currency} ${operator} ${country}`;
    const before = groups.get(name) ?? { count: 0, sumMinor: 0n };
    groups.set(name, {
      state,
      currency,
      operator,
      country,
      count: before.count + count,
      sumMinor: before.sumMinor + BigInt(sum),
    });
    if (step !== null) paidBySteps.set(step, (paidBySteps.get(step) ?? 0) + count);
  }
  return { groups: [...groups.values()], paidBySteps };
}

const READ: Statement = {
  name: '',
  text: `
    select p.n::integer as n, g.state, g.currency, g.operator, g.country, g.step, g.count, g.sum
    from unnest($2::uuid[], $3::uuid[]) with ordinality as p (from_id, to_id, n)
    cross join lateral (
      select t.state, t.currency, t.operator, t.country,
             case when t.state = 'succeeded' then
               floor(ln(greatest(1, 1000 * extract(epoch from t.completed_at - t.created_at)
                 ::double precision)) / ln(${STEP}::double precision))::integer
             end as step,
             count(*)::integer as count, sum(t.amount_minor)::text as sum
      from transfers t
      where t.book_id = $1 and t.id >= p.from_id and t.id < p.to_id
      group by 1, 2, 3, 4, 5
    ) g`,
};
