import type { ClientBase, QueryResultRow } from 'pg';
import type {
  ApprovalRow,
  AttemptRow,
  BookRow,
  CallbackRow,
  DeliveryRow,
  EventRow,
  FileRow,
  IncidentRow,
  PayoutFileRow,
  PostingRow,
  PublicEventRow,
  ScreeningRow,
  Snapshot,
  TransferRow,
  WalletRow,
} from './snapshot.ts';

/**
 * Reads the tables of all cells of both servers by the checker's own SQL. The caller has opened a transaction with one
 * snapshot on each. `second`: where the cells are that are not on the server of the directory.
 */
export async function readCells(first: ClientBase, second?: ClientBase): Promise<Snapshot> {
  const cells = await rowsOf<{ schema: string; isHere: boolean }>(first, CELLS);
  const snapshots: Snapshot[] = [];
  for (const { schema, isHere } of cells) {
    const client = isHere ? first : second;
    if (client === undefined) throw new Error(`the server of ${schema} is not known`);
    await client.query(`set local search_path to "${schema}", directory`);
    snapshots.push(await readSnapshot(client));
  }
  const [main, ...others] = snapshots;
  if (main === undefined) throw new Error('the directory has no cell');
  return others.reduce(join, main);
}

function join(one: Snapshot, other: Snapshot): Snapshot {
  const entries = Object.entries(one).map(([table, rows]) => [
    table,
    Array.isArray(rows) ? [...rows, ...other[table as Exclude<keyof Snapshot, 'at'>]] : rows,
  ]);
  return Object.fromEntries(entries) as Snapshot;
}

const CELLS = `
  select schema, url_variable is null as "isHere" from directory.cells order by name`;

async function readSnapshot(client: ClientBase): Promise<Snapshot> {
  const [moment] = await rowsOf<{ at: string }>(client, `select ${iso('now()')} as at`);
  return {
    at: moment?.at ?? '',
    books: await rowsOf<BookRow>(client, BOOKS),
    wallets: await rowsOf<WalletRow>(client, WALLETS),
    postings: await rowsOf<PostingRow>(client, POSTINGS),
    transfers: await rowsOf<TransferRow>(client, TRANSFERS),
    events: await rowsOf<EventRow>(client, EVENTS),
    attempts: await rowsOf<AttemptRow>(client, ATTEMPTS),
    incidents: await rowsOf<IncidentRow>(client, INCIDENTS),
    callbacks: await rowsOf<CallbackRow>(client, CALLBACKS),
    deliveries: await rowsOf<DeliveryRow>(client, DELIVERIES),
    publicEvents: await rowsOf<PublicEventRow>(client, PUBLIC_EVENTS),
    approvals: await rowsOf<ApprovalRow>(client, APPROVALS),
    files: await rowsOf<PayoutFileRow>(client, FILES),
    fileRows: await rowsOf<FileRow>(client, FILE_ROWS),
    screenings: await rowsOf<ScreeningRow>(client, SCREENINGS),
  };
}

async function rowsOf<Row extends QueryResultRow>(
  client: ClientBase,
  text: string,
): Promise<readonly Row[]> {
  return (await client.query<Row>(text)).rows;
}

/** Formats times as the API does, so that both can be compared as text. */
function iso(expression: string): string {
  return `to_char(${expression} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

const BOOKS = `
  select id::text, mode, fee_fixed_minor::text as "feeFixedMinor",
         fee_basis_points as "feeBasisPoints"
  from books
  order by id`;

const WALLETS = `
  select book_id::text as "bookId", id::text, currency, available_minor::text as "availableMinor",
         held_minor::text as "heldMinor", posting_seq::text as "postingSeq"
  from wallets
  order by book_id, id`;

const POSTINGS = `
  select book_id::text as "bookId", wallet_id::text as "walletId", seq::text, kind,
         from_account as "fromAccount", to_account as "toAccount",
         amount_minor::text as "amountMinor", currency, transfer_id::text as "transferId",
         available_after_minor::text as "availableAfterMinor",
         held_after_minor::text as "heldAfterMinor", xmin::text as "writtenBy"
  from postings p
  order by p.book_id, p.wallet_id, p.seq`;

const TRANSFERS = `
  select book_id::text as "bookId", id::text, wallet_id::text as "walletId", reference,
         idempotency_key as "idempotencyKey", state, amount_minor::text as "amountMinor",
         fee_minor::text as "feeMinor", currency, phone, operator, country,
         recipient_name as "recipientName", narration,
         operator_reference::text as "operatorReference", route, failure_code as "failureCode",
         event_seq as "eventSeq", resubmissions, ${iso('next_action_at')} as "nextActionAt",
         ${iso('in_doubt_since')} as "inDoubtSince", ${iso('flagged_at')} as "flaggedAt",
         ${iso('created_at')} as "createdAt", ${iso('completed_at')} as "completedAt",
         metadata, ${iso('send_at')} as "sendAt", ${iso('first_submitted_at')} as "firstSubmittedAt",
         made_by::text as "madeBy", approvals_needed as "approvalsNeeded", file_id::text as "fileId"
  from transfers t
  order by t.book_id, t.id`;

// Events of recipients and wallets have no states. An endpoint's event has one when it is disabled; those of payout
// files have states of their own.
const EVENTS = `
  select book_id::text as "bookId", subject_id::text as "transferId", seq, type,
         from_state as "fromState", to_state as "toState", cause, actor,
         xmin::text as "writtenBy"
  from events e
  where to_state is not null and coalesce(type, '') <> 'webhook.disabled'
    and coalesce(type, '') not like 'payout_file.%'
  order by e.book_id, e.subject_id, e.seq`;

const ATTEMPTS = `
  select book_id::text as "bookId", transfer_id::text as "transferId", purpose, route,
         operator_reference::text as "operatorReference", outcome, http_status as "httpStatus",
         (
           select c.verified and c.reading = 'read' from callbacks c
           where c.id = a.id and a.purpose = 'callback'
         ) as "isSigned",
         ${iso("(ended_at - elapsed_ms * interval '1 millisecond')")} as "startedAt",
         ${iso('ended_at')} as "endedAt"
  from attempts a
  order by a.book_id, a.transfer_id, a.ended_at, a.id`;

const INCIDENTS = `
  select i.transfer_id::text as "transferId", i.kind, i.closed_at is null as "isOpen",
         coalesce(
           (
             select array_agg(distinct c.route order by c.route)
             from transfers t
             join callbacks c on c.operator_reference = t.operator_reference
             where t.book_id = i.book_id and t.id = i.transfer_id
               and i.kind = 'paid_before_sent' and c.handled_as = 'PAID_BEFORE_SENT'
           ),
           '{}'
         ) as "reportedBy"
  from incidents i
  order by i.book_id, i.id`;

const CALLBACKS = `
  select reading, handled_as as "handledAs", count(*)::int as count
  from callbacks
  group by reading, handled_as
  order by reading, handled_as`;

const DELIVERIES = `
  select book_id::text as "bookId", endpoint_id::text as "endpointId",
         subject_id::text as "subjectId", event_seq as "eventSeq", state, attempts
  from deliveries d
  order by d.book_id, d.subject_id, d.event_seq, d.id`;

const PUBLIC_EVENTS = `
  select e.book_id::text as "bookId", e.subject_id::text as "subjectId", e.seq, e.type,
         f.number::text as "feedNumber"
  from events e
  left join (
    select b.book_id, b.number, p.subject_id, p.seq
    from feed_batches b cross join lateral unnest(b.subject_ids, b.seqs) as p (subject_id, seq)
  ) f on f.book_id = e.book_id and f.subject_id = e.subject_id and f.seq = e.seq
  where e.type is not null
  order by e.book_id, e.subject_id, e.seq`;

const APPROVALS = `
  select subject_kind as kind, subject_id::text as "subjectId", round, person_id::text as "personId",
         decision, content_hash as "contentHash"
  from approvals
  order by subject_id, round, person_id`;

const SCREENINGS = `
  select transfer_id::text as "transferId", rule, decision
  from screenings
  order by transfer_id, rule`;

const FILES = `
  select book_id::text as "bookId", id::text, state, content_hash as "contentHash",
         made_by::text as "madeBy", submitted_by::text as "submittedBy", currency,
         wallet_id::text as "walletId", ${iso('pay_at')} as "payAt"
  from payout_files
  order by book_id, id`;

const FILE_ROWS = `
  select file_id::text as "fileId", number, state, transfer_id::text as "transferId", phone,
         amount_minor::text as "amountMinor", fee_minor::text as "feeMinor", operator, country, recipient_name as "recipientName",
         narration, given_reference as "givenReference", replaces::text
  from payout_file_rows
  order by book_id, file_id, number`;
