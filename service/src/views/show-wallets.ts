import type { Currency } from '../domain/money.ts';
import { eventKey, keyColumns, type ShowSubjects } from '../events/recorded-event.ts';
import type { Statement } from '../postgres/database.ts';
import { renderWallet } from './render-wallet.ts';

/** Wallets with their balances after the posting whose number the event has. */
export const showWallets: ShowSubjects = async (database, events) => {
  const rows = await database.query<PostingRow>(READ, keyColumns(events));
  return new Map(
    rows.map((row) => [
      eventKey({ bookId: row.book_id, subjectId: row.wallet_id, seq: row.event_seq }),
      renderWallet({
        id: row.wallet_id,
        currency: row.currency,
        availableMinor: row.available_after_minor,
        heldMinor: row.held_after_minor,
        // Only a hold lowers the available balance, and a frozen wallet accepts no hold.
        status: 'active',
      }),
    ]),
  );
};

type PostingRow = {
  book_id: string;
  wallet_id: string;
  event_seq: number;
  currency: Currency;
  available_after_minor: bigint;
  held_after_minor: bigint;
};

const READ: Statement = {
  name: 'show-wallets',
  text: `
    select p.book_id, p.wallet_id, k.seq as event_seq, p.currency, p.available_after_minor,
           p.held_after_minor
    from unnest($1::uuid[], $2::uuid[], $3::integer[]) as k (book_id, wallet_id, seq)
    join postings p
      on p.book_id = k.book_id and p.wallet_id = k.wallet_id and p.seq = k.seq`,
};
