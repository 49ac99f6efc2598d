import { setTimeout as pause } from 'node:timers/promises';
import type { BankRead } from '../journal/exchange-record.ts';
import type { Journal } from '../journal/open-journal.ts';
import { queryOnce } from './query-once.ts';

const READ_INTERVAL_MS = 150;

export type BankReader = Readonly<{ stop(): Promise<void> }>;

/**
 * Sums all money repeatedly while faults happen, each time in one snapshot. While the server is down it is
 * not read.
 */
export function startBankReader(
  deps: Readonly<{
    /** Undefined: the server does not run. */
    findUrls: () => Promise<readonly string[] | undefined>;
    journal: Journal<BankRead>;
    now: () => Date;
  }>,
): BankReader {
  let stopping = false;
  async function readOn(): Promise<void> {
    while (!stopping) {
      for (const url of (await deps.findUrls()) ?? []) {
        const sums = await queryOnce<SumRow>(url, SUMS).catch(() => undefined);
        if (sums !== undefined) await deps.journal.write({ at: deps.now().toISOString(), sums });
      }
      await pause(READ_INTERVAL_MS);
    }
  }
  const reading = readOn();
  return {
    async stop() {
      stopping = true;
      await reading;
    },
  };
}

type SumRow = BankRead['sums'][number];

// One statement reads one snapshot.
const SUMS = `
  select w.book_id::text as "bookId", w.currency,
         coalesce(p.funded, 0)::text as "fundedMinor", w.total::text as "walletsMinor",
         coalesce(p.elsewhere, 0)::text as "elsewhereMinor", w.least::text as "leastMinor"
  from (
    select book_id, currency, sum(available_minor + held_minor) as total,
           min(least(available_minor, held_minor)) as least
    from wallets
    group by book_id, currency
  ) w
  left join (
    select book_id, currency,
           sum(amount_minor * ((from_account = 'funding')::int - (to_account = 'funding')::int))
             as funded,
           sum(
             amount_minor * (
               (to_account not in ('available', 'held', 'funding'))::int
               - (from_account not in ('available', 'held', 'funding'))::int
             )
           ) as elsewhere
    from postings
    group by book_id, currency
  ) p on p.book_id = w.book_id and p.currency = w.currency
  order by 1, 2`;
