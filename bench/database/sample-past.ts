import type { Database, Statement } from '../../service/src/postgres/database.ts';

/** Different objects to look up, so that different pages of the database are read. */
const SAMPLES = 8_192;
/** Whole pages of the table are chosen at random, so that a sample of millions of rows takes no longer. */
const PAGES_SHARE_MIN_PERCENT = 0.5;
/** Rows of a page that is read. */
const PAGE = 50;

export type PastTransfer = Readonly<{
  walletId: string;
  id: string;
  reference: string;
  /** The number of a batch of its book's feed, from about its time. */
  batch: string;
}>;

/**
 * Finished transfers from anywhere in the past of a book, but with a whole page before and after them: otherwise pages of
 * a young book would have fewer rows, and cost less for that reason.
 */
export async function samplePast(database: Database): Promise<readonly PastTransfer[]> {
  for (let percent = PAGES_SHARE_MIN_PERCENT; ; percent = Math.min(100, percent * 4)) {
    const found = await database.query<PastTransfer>(SAMPLE, [percent, SAMPLES]);
    if (found.length === SAMPLES || percent === 100) return found;
  }
}

function neighbour(comparison: '<' | '>', order: 'asc' | 'desc'): string {
  return `
        select from transfers n
        where n.book_id = t.book_id and n.id ${comparison} t.id
        order by n.id ${order} limit 1 offset ${PAGE - 1}
      `;
}

const SAMPLE: Statement = {
  name: '',
  text: `
    select t.wallet_id as "walletId", t.id, t.reference,
           (1000000 * extract(epoch from t.created_at))::bigint::text as batch
    from transfers t tablesample system ($1)
    where t.completed_at is not null
      and exists (${neighbour('<', 'desc')})
      and exists (${neighbour('>', 'asc')})
    order by random()
    limit $2`,
};
