import type { Mode } from '../domain/transfer.ts';
import type { TransferState } from '../domain/transfer-state.ts';
import type { Queryable, Statement } from '../postgres/database.ts';

type CensusRow = { mode: Mode; state: TransferState; count: number; age_seconds: number };

export type TransferCensus = readonly Readonly<{
  mode: Mode;
  state: TransferState;
  count: number;
  ageSeconds: number;
}>[];

/** How many transfers are unfinished, and how old the oldest is. Never reads a finished one. */
export async function takeCensus(database: Queryable): Promise<TransferCensus> {
  const rows = await database.query<CensusRow>(CENSUS);
  return rows.map(({ mode, state, count, age_seconds }) => ({
    mode,
    state,
    count,
    ageSeconds: age_seconds,
  }));
}

// Each part is the condition of a partial index, which holds nothing that is finished.
const CENSUS: Statement = {
  name: 'take-census',
  text: `
    select b.mode, t.state, count(*)::integer as count,
           extract(epoch from now() - min(t.created_at))::float8 as age_seconds
    from (
      select book_id, state, created_at from transfers
      where state = 'queued' and next_action_at is not null
      union all
      select book_id, state, created_at from transfers
      where state <> 'queued' and next_action_at is not null
      union all
      select book_id, state, created_at from transfers
      where flagged_at is not null and next_action_at is null
    ) t
    join books b on b.id = t.book_id
    where t.state not in ('succeeded', 'failed', 'cancelled', 'reversed')
    group by b.mode, t.state`,
};
