import { Client } from 'pg';
import { volume } from '../../scripts/test-volume.ts';
import type { Book } from '../src/domain/book.ts';

/** The smaller of two sizes of the past: what grows with it shows in the difference. */
export const FINISHED_BEFORE = volume({ usual: 5_000, full: 20_000 });
const BOOKS = 10;
/** Paid once in a thousand transfers. */
export const RARE_PHONE = '+260977000000';

/** Ids and books in the order of creation, from a number alone. */
export const FIRST_BOOK_ID = numbered(1);
export const WALLET_OF_FIRST_BOOK = numbered(1);

function numbered(n: number): string {
  return `00000000-0000-7000-8000-${n.toString(16).padStart(12, '0')}`;
}

/** The id of the n-th finished transfer. */
export function finishedId(n: number): string {
  return numbered(n);
}

export async function seedBooks(client: Client): Promise<Book> {
  for (const text of SEED_BOOKS) await client.query(text);
  return {
    id: FIRST_BOOK_ID,
    merchantId: numbered(1),
    mode: 'test',
    feeTerms: { fixedMinor: 0n, basisPoints: 0 },
    isSuspended: false,
    controlsVersion: null,
  };
}

/** Finished transfers with all their rows, and a few that are not finished. */
export async function seedFinished(
  client: Client,
  { from, to }: Readonly<{ from: number; to: number }>,
): Promise<void> {
  for (const text of SEED_FINISHED) await client.query(text, [from + 1, to]);
  // Analyzes all tables: for a table that was never analyzed, the plan would change when autovacuum runs.
  await client.query('analyze');
}

const NUMBERED = (n: string) => `('00000000-0000-7000-8000-' || lpad(to_hex(${n}), 12, '0'))::uuid`;
const BOOK_OF = (n: string) => NUMBERED(`1 + ${n} % ${BOOKS}`);

const SEED_BOOKS = [
  `insert into merchants (id, name, created_at)
   select ${NUMBERED('n')}, 'Merchant ' || n, now() from generate_series(1, ${BOOKS}) n`,
  `insert into books (id, merchant_id, mode, created_at)
   select ${NUMBERED('n')}, ${NUMBERED('n')}, 'test', now() from generate_series(1, ${BOOKS}) n`,
  `insert into wallets (book_id, id, currency, name, created_at)
   select ${NUMBERED('n')}, ${NUMBERED('n')}, 'ZMW', 'Test', now()
   from generate_series(1, ${BOOKS}) n`,
  `insert into webhook_endpoints (book_id, id, url, secret_sealed, created_at)
   select ${NUMBERED('n')}, ${NUMBERED('n')}, 'https://example.com', repeat('x', 40)::bytea, now()
   from generate_series(1, ${BOOKS}) n`,
  // Ten queued transfers in each book, and ten under way.
  `insert into transfers (
     book_id, id, wallet_id, reference, state, amount_minor, fee_minor, currency, phone, operator,
     country, operator_reference, event_seq, next_action_at, created_at, updated_at
   )
   select ${BOOK_OF('n')}, gen_random_uuid(), ${BOOK_OF('n')}, 'live-' || n,
          case when n % 2 = 0 then 'queued' else 'submitting' end, 100, 0, 'ZMW', '+260977433571',
          'mtn', 'zm', gen_random_uuid(), 1, now(), now(), now()
   from generate_series(1, ${BOOKS * 20}) n`,
  // Ten scheduled in each book.
  `insert into transfers (
     book_id, id, wallet_id, reference, state, amount_minor, fee_minor, currency, phone, operator,
     country, operator_reference, route, event_seq, send_at, next_action_at, created_at, updated_at
   )
   select ${BOOK_OF('n')}, gen_random_uuid(), ${BOOK_OF('n')}, 'scheduled-' || n, 'scheduled', 100, 0,
          'ZMW', '+260977433571', 'mtn', 'zm', gen_random_uuid(), '-', 1, now(), now(), now(), now()
   from generate_series(1, ${BOOKS * 10}) n`,
  `insert into deliveries (
     book_id, id, endpoint_id, subject_id, event_seq, next_attempt_at, created_at
   )
   select ${BOOK_OF('n')}, gen_random_uuid(), ${BOOK_OF('n')}, gen_random_uuid(), 1, now(), now()
   from generate_series(1, ${BOOKS * 10}) n`,
];

const SEED_FINISHED = [
  `insert into transfer_metadata (book_id, key, value, transfer_id)
   select ${BOOK_OF('n')}, 'batch', (n % 1000)::text, ${NUMBERED('n')}
   from generate_series($1::integer, $2::integer) n`,
  `insert into transfers (
     book_id, id, wallet_id, reference, idempotency_key, state, amount_minor, fee_minor, currency,
     phone, operator, country, operator_reference, operator_transaction_id, event_seq, created_at,
     updated_at, completed_at
   )
   select ${BOOK_OF('n')}, ${NUMBERED('n')}, ${BOOK_OF('n')}, 'r-' || n, 'k-' || n, 'succeeded', 100,
          0, 'ZMW', '+260977' || lpad((n % 1000)::text, 6, '0'), 'mtn', 'zm', gen_random_uuid(),
          'receipt-' || n, 2, now(), now(), now()
   from generate_series($1::integer, $2::integer) n`,
  `insert into postings (
     book_id, wallet_id, seq, kind, from_account, to_account, amount_minor, currency, transfer_id,
     available_after_minor, held_after_minor, created_at
   )
   select ${BOOK_OF('n')}, ${BOOK_OF('n')}, 2 * n + leg, case leg when 0 then 'hold' else 'settle' end,
          case leg when 0 then 'available' else 'held' end,
          case leg when 0 then 'held' else 'clearing:mtn:zm' end, 100, 'ZMW', ${NUMBERED('n')}, 0, 0,
          now()
   from generate_series($1::integer, $2::integer) n cross join generate_series(0, 1) leg`,
  `insert into events (
     book_id, subject_id, seq, type, from_state, to_state, cause, actor, created_at, queued
   )
   select ${BOOK_OF('n')}, ${NUMBERED('n')}, seq,
          case seq when 1 then 'transfer.created' else 'transfer.successful' end,
          case seq when 1 then null else 'submitting' end,
          case seq when 1 then 'submitting' else 'succeeded' end, 'test', 'test', now(),
          true
   from generate_series($1::integer, $2::integer) n cross join generate_series(1, 2) seq`,
  `insert into feed_batches (book_id, number, subject_ids, seqs)
   select ${BOOK_OF('n')}, n, array[${NUMBERED('n')}, ${NUMBERED('n')}], array[1, 2]
   from generate_series($1::integer, $2::integer) n`,
  `insert into deliveries (
     book_id, id, endpoint_id, subject_id, event_seq, state, attempts, created_at
   )
   select ${BOOK_OF('n')}, ${NUMBERED('n')}, ${BOOK_OF('n')}, ${NUMBERED('n')}, 1, 'delivered', 1,
          now() + n * interval '1 ms'
   from generate_series($1::integer, $2::integer) n`,
  `insert into callbacks (
     id, route, method, headers, body, reading, operator_reference, claims, verified, received_at,
     handled_at, handled_as
   )
   select ${NUMBERED('n')}, 'mtn', 'PUT', '{}', '', 'read', gen_random_uuid(), 'paid', false, now(),
          now(), 'NOTHING_NEW'
   from generate_series($1::integer, $2::integer) n`,
];
