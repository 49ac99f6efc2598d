import type { ClientBase } from 'pg';

/** A change that no code path of the service makes; the checker must report one of `caughtBy`. */
export type DatabaseDamage = Readonly<{
  name: string;
  caughtBy: string;
  /** SQL; $1 is a succeeded transfer of a test book that a client has an answer for. */
  text: string;
}>;

/** Drops the constraints and triggers that would refuse the damages. */
const GUARDS_OFF = `
  -- The service still runs, and may want the tables in another order: then this gives way, and soon.
  set local lock_timeout = '100ms';
  alter table postings disable trigger user;
  alter table events disable trigger user;
  alter table attempts disable trigger user;
  alter table transfers disable trigger user;
  alter table approvals disable trigger user;
  alter table payout_files disable trigger user;
  alter table payout_file_rows disable trigger user;
  alter table screenings disable trigger user;
  alter table postings alter column available_after_minor type bigint;
  alter table wallets alter column available_minor type bigint;
  alter table transfers drop constraint transfers_book_id_reference_key;
  alter table transfers drop constraint transfers_check2;
  alter table payout_file_rows drop constraint payout_file_rows_check1;`;

/** Damages the database within the caller's transaction; false when the run has no row for it. */
export async function damageDatabase(
  client: ClientBase,
  damage: DatabaseDamage,
  transferId: string,
): Promise<boolean> {
  await client.query(GUARDS_OFF);
  const text = damage.text.replaceAll('$1', `'${transferId}'::uuid`);
  const results = [await client.query(text)].flat();
  return results.every(({ rowCount }) => rowCount !== 0);
}

const IN_DOUBT = `(
  select id from transfers where state = 'in_doubt' and route = 'sandbox' order by id limit 1
)`;
const LIVE_PAID = `(
  select id from transfers where state = 'succeeded' and route <> 'sandbox' order by id limit 1
)`;
const COLUMNS = `book_id, wallet_id, seq, kind, from_account, to_account, amount_minor, currency,
  transfer_id, available_after_minor, held_after_minor, created_at`;

/** One more posting for a transfer, with the update of its wallet, as the ledger writes it. */
function postAgain(kind: string, transfer: string): string {
  const sign = kind === 'hold' ? 1 : -1;
  return `
    insert into postings (${COLUMNS})
    select w.book_id, w.id, w.posting_seq + 1, '${kind}',
           ${kind === 'hold' ? `'available', 'held'` : `'held', 'available'`},
           t.amount_minor + t.fee_minor, t.currency, t.id,
           w.available_minor - ${sign} * (t.amount_minor + t.fee_minor),
           w.held_minor + ${sign} * (t.amount_minor + t.fee_minor), now()
    from transfers t
    join wallets w on w.book_id = t.book_id and w.id = t.wallet_id
    where t.id = ${transfer};
    update wallets w
    set posting_seq = p.seq, available_minor = p.available_after_minor,
        held_minor = p.held_after_minor
    from postings p
    where p.wallet_id = w.id and p.seq = w.posting_seq + 1;`;
}

/** A move to another state with its event, as the service writes it. */
function move(transfer: string, to: string): string {
  return `
    insert into events (book_id, subject_id, seq, from_state, to_state, cause, actor, created_at)
    select book_id, id, event_seq + 1, state, '${to}', 'damage', 'damage', now()
    from transfers
    where id = ${transfer};
    update transfers
    set state = '${to}', event_seq = event_seq + 1, completed_at = now(),
        failure_code = 'OPERATOR_REJECTED', next_action_at = null
    where id = ${transfer};`;
}

export const DATABASE_DAMAGES: readonly DatabaseDamage[] = [
  {
    name: 'an acknowledged transfer is lost with all its rows',
    caughtBy: 'I10',
    text: `
      delete from events where subject_id = $1;
      delete from postings where transfer_id = $1;
      delete from transfers where id = $1;`,
  },
  {
    name: 'a transfer is gone, its postings are not',
    caughtBy: 'I1',
    text: 'delete from transfers where id = $1',
  },
  {
    name: 'a posting has another amount',
    caughtBy: 'I3',
    text: `update postings set amount_minor = amount_minor + 1
           where transfer_id = $1 and kind = 'settle'`,
  },
  {
    name: 'a posting goes to another account',
    caughtBy: 'I1',
    text: `update postings set to_account = 'clearing:unknown:zm'
           where transfer_id = $1 and kind = 'settle'`,
  },
  {
    name: 'a wallet has money without a posting',
    caughtBy: 'I3',
    text: `update wallets set available_minor = available_minor + 1
           where id = (select wallet_id from transfers where id = $1)`,
  },
  {
    name: 'a wallet was below zero for a time',
    caughtBy: 'I4',
    text: `update postings set amount_minor = 1 where kind = 'fund'`,
  },
  {
    name: 'a transfer holds its money twice',
    caughtBy: 'I8',
    text: postAgain('hold', '$1'),
  },
  {
    name: 'a fee is not what the book’s terms say',
    caughtBy: 'I8',
    text: 'update transfers set fee_minor = fee_minor + 1 where id = $1',
  },
  {
    name: 'one reference has two transfers',
    caughtBy: 'I5',
    text: `update transfers t set reference = o.reference from transfers o
           where o.id = $1 and t.id = ${IN_DOUBT}`,
  },
  {
    name: 'two transfers went out under one operator reference',
    caughtBy: 'I5',
    text: `update transfers t set operator_reference = o.operator_reference from transfers o
           where o.id = $1 and t.id = ${IN_DOUBT}`,
  },
  {
    name: 'a transfer goes to another number than acknowledged',
    caughtBy: 'I10',
    text: `update transfers
           set phone = overlay(phone placing '9999' from char_length(phone) - 6) where id = $1`,
  },
  {
    name: 'an end is overwritten without an event',
    caughtBy: 'I14',
    text: `update transfers set state = 'failed', failure_code = 'OPERATOR_REJECTED' where id = $1`,
  },
  {
    name: 'an end is overwritten, with an event',
    caughtBy: 'I14',
    text: move('$1', 'failed'),
  },
  {
    name: 'a part of the history is gone',
    caughtBy: 'I14',
    text: 'delete from events where subject_id = $1 and seq = 1',
  },
  {
    name: 'a doubt is released by age, properly booked',
    caughtBy: 'test numbers',
    text: `${postAgain('release', IN_DOUBT)}
           ${move(IN_DOUBT, 'failed')}`,
  },
  {
    name: 'a doubt has no next inquiry',
    caughtBy: 'I13',
    text: `update transfers set next_action_at = null where id = ${IN_DOUBT}`,
  },
  {
    name: 'a live transfer is released that its operator paid, properly booked',
    caughtBy: 'I7',
    text: `update transfers set state = 'failed', failure_code = 'OPERATOR_REJECTED'
           where id = ${LIVE_PAID}`,
  },
  {
    name: 'an operator is paid another amount than is settled with it',
    caughtBy: 'I9',
    text: `update postings set amount_minor = amount_minor + 1
           where transfer_id = ${LIVE_PAID} and kind = 'settle'`,
  },
  {
    name: 'an order went out under another reference',
    caughtBy: 'I6',
    text: `update transfers set operator_reference = gen_random_uuid() where id = ${LIVE_PAID}`,
  },
  {
    name: 'a test order was given to a real operator',
    caughtBy: 'I16',
    text: `update transfers
           set route = (select route from transfers where id = ${LIVE_PAID}) where id = $1`,
  },
  {
    name: 'a live transfer succeeded without an operator’s answer',
    caughtBy: 'I18',
    text: `delete from attempts where transfer_id = ${LIVE_PAID}`,
  },
  {
    name: 'one exchange with an operator is recorded twice',
    caughtBy: 'I26',
    text: `
      insert into attempts (
        book_id, transfer_id, id, route, purpose, operator_reference, request, http_status, answer,
        outcome, elapsed_ms, ended_at
      )
      select book_id, transfer_id, gen_random_uuid(), route, purpose, operator_reference, request,
             http_status, answer, outcome, elapsed_ms, ended_at
      from attempts where transfer_id = ${LIVE_PAID} and purpose = 'submit'`,
  },
  {
    name: 'an event has no delivery',
    caughtBy: 'I17',
    text: `delete from deliveries where subject_id = $1 and event_seq = 1`,
  },
  {
    name: 'a delivery stays pending for ever',
    caughtBy: 'I17',
    text: `update deliveries set state = 'pending', next_attempt_at = now()
           where subject_id = $1 and event_seq = 1`,
  },
  {
    name: 'an end and its event were written in two transactions',
    caughtBy: 'I17',
    text: `update events set cause = cause where subject_id = $1 and to_state = 'succeeded'`,
  },
  {
    name: 'an endpoint is disabled within seconds',
    caughtBy: 'I17',
    text: `
      insert into events (
        book_id, subject_id, seq, type, from_state, to_state, cause, actor, created_at
      )
      select book_id, id, event_seq + 1, 'webhook.disabled', 'enabled', 'disabled', 'damage',
             'damage', now()
      from webhook_endpoints order by id limit 1`,
  },
];
