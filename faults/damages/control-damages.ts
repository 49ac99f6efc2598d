import type { DatabaseDamage } from './database-damages.ts';

/** A payout that people approved and that left. */
const APPROVED = `(
  select t.id from transfers t join approvals a on a.subject_id = t.id and a.decision = 'approve'
  where t.approvals_needed is not null and t.first_submitted_at is not null
  order by t.id limit 1
)`;
const CONTROLLED_BOOK = '(select book_id from policies limit 1)';
/** A row of a payout file that became a payout. */
const PAID_ROW = `(book_id, file_id, number) = (
  select book_id, file_id, number from payout_file_rows
  where transfer_id is not null order by number limit 1
)`;

/** Damages that violate the guarantees of policies, approvals, times and payout files. */
export const CONTROL_DAMAGES: readonly DatabaseDamage[] = [
  {
    name: 'a payout has another content than people approved',
    caughtBy: 'I28',
    text: `update transfers set narration = 'damage' where id = ${APPROVED}`,
  },
  {
    name: 'a row of a file has another content than people approved',
    caughtBy: 'I28',
    text: `update payout_file_rows set narration = 'damage'
           where file_id = (select subject_id from approvals where subject_kind = 'file' limit 1)`,
  },
  {
    name: 'acknowledged decisions are lost',
    caughtBy: 'I28',
    text: 'delete from approvals',
  },
  {
    name: 'a person approved what they prepared',
    caughtBy: 'I29',
    text: `update transfers t set made_by = a.person_id from approvals a
           where t.id = ${APPROVED} and a.subject_id = t.id`,
  },
  {
    name: 'a person approved a file that they submitted',
    caughtBy: 'I29',
    text: `update payout_files f set submitted_by = a.person_id from approvals a
           where a.subject_kind = 'file' and a.subject_id = f.id`,
  },
  {
    name: 'a payout left without one of its approvals',
    caughtBy: 'I30',
    text: `delete from approvals where subject_id = ${APPROVED}`,
  },
  {
    name: 'a payout left that a person rejected',
    caughtBy: 'I30',
    text: `update approvals set decision = 'reject' where subject_id = ${APPROVED}`,
  },
  {
    name: 'a file was paid without its approvals',
    caughtBy: 'I30',
    text: `delete from approvals where subject_kind = 'file'`,
  },
  {
    name: 'no approval was asked for a payout for which the policy wants some',
    caughtBy: 'I30',
    text: `update transfers set approvals_needed = null where id = ${APPROVED}`,
  },
  {
    name: 'a person approved whom the policy does not ask',
    caughtBy: 'I30',
    text: `update approvals set person_id = gen_random_uuid() where subject_id = ${APPROVED}`,
  },
  {
    name: 'a payout has its approvals and still waits',
    caughtBy: 'I30',
    text: `update transfers
           set state = 'awaiting_approval', completed_at = null, failure_code = null
           where id = ${APPROVED}`,
  },
  {
    name: 'a payout left before its time',
    caughtBy: 'I31',
    text: `update transfers set send_at = first_submitted_at + interval '1 s'
           where id = ${APPROVED}`,
  },
  {
    name: 'a file was paid before its time',
    caughtBy: 'I31',
    text: `update payout_files f set pay_at = t.created_at + interval '1 s'
           from transfers t where t.file_id = f.id`,
  },
  {
    name: 'a payout of a file belongs to none of its rows',
    caughtBy: 'I32',
    text: `update payout_file_rows set transfer_id = null where ${PAID_ROW}`,
  },
  {
    name: 'a row of a file was paid with another amount',
    caughtBy: 'I32',
    text: `update payout_file_rows set amount_minor = amount_minor + 1 where ${PAID_ROW}`,
  },
  {
    name: 'a file is done, and a row of it was never paid',
    caughtBy: 'I32',
    text: `
      update payout_file_rows set state = 'waiting', transfer_id = null where ${PAID_ROW};
      update payout_files set state = 'done'`,
  },
  {
    name: 'a wallet paid more in a day than its policy allows',
    caughtBy: 'I33',
    text: `update transfers set amount_minor = 100 * amount_minor
           where book_id = ${CONTROLLED_BOOK}`,
  },
  {
    name: 'a number got more payouts in an hour than its policy allows',
    caughtBy: 'I33',
    text: `update transfers set phone = (select phone from transfers where id = ${APPROVED})
           where book_id = ${CONTROLLED_BOOK}`,
  },
  {
    name: 'payouts left before their screener was heard',
    caughtBy: 'I34',
    text: 'update screenings set decision = null, decided_at = null',
  },
  {
    name: 'payouts left that their screener refused',
    caughtBy: 'I34',
    text: `update screenings set decision = 'refuse' where decision is not null`,
  },
];
