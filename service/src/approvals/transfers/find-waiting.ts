import type { Book } from '../../domain/book.ts';
import { hashContent } from '../../domain/content-hash.ts';
import type { ApprovalRequirement } from '../../domain/policy/assign-approvals.ts';
import type { Transfer } from '../../domain/transfer.ts';
import type { Queryable, Statement } from '../../postgres/database.ts';
import {
  TRANSFER_COLUMNS,
  type TransferRow,
  toTransfer,
} from '../../transfers/read/transfer-row.ts';
import { APPROVING_ROLES, type ApprovalSubject, ONE_PERSON } from '../approval.ts';
import type { ShownMaker } from '../approval-source.ts';
import { decisionsKey, readDecisions } from '../read-decisions.ts';

/** A transfer with what decides about its approval. */
export type WaitingTransfer = Readonly<{
  transfer: Transfer;
  subject: ApprovalSubject;
  maker: ShownMaker | null;
  /** Its time to be decided about is over, by the database's clock. */
  isExpired: boolean;
  /** It has no time to wait for, by the database's clock. */
  isDue: boolean;
  /** A screener did not allow it. */
  isHeldByScreener: boolean;
}>;

type InBook = Pick<Book, 'id' | 'mode'>;

/** The transfers of these ids, waiting or not, in the order of ids. */
export async function findWaiting(
  database: Queryable,
  book: InBook,
  ids: readonly string[],
): Promise<readonly WaitingTransfer[]> {
  if (ids.length === 0) return [];
  const rows = await database.query<WaitingRow>(BY_ID, [book.id, ids]);
  return toWaiting(database, book, rows);
}

/** What waits in the book, in the order of ids. */
export async function listWaiting(
  database: Queryable,
  book: InBook,
  { after, limit }: Readonly<{ after: string | null; limit: number }>,
): Promise<readonly WaitingTransfer[]> {
  const rows = await database.query<WaitingRow>(LIST, [book.id, after, limit]);
  return toWaiting(database, book, rows);
}

/** One transfer. Until the transaction ends no other one changes it. */
export async function lockWaiting(
  tx: Queryable,
  book: InBook,
  id: string,
): Promise<WaitingTransfer | undefined> {
  // Read only once it is locked: a statement that waited for a lock sees other tables as they were before.
  await tx.query(LOCK, [book.id, id]);
  const [found] = await findWaiting(tx, book, [id]);
  return found;
}

async function toWaiting(
  database: Queryable,
  book: InBook,
  rows: readonly WaitingRow[],
): Promise<readonly WaitingTransfer[]> {
  const ids = rows.map(({ id }) => id);
  const decisions = await readDecisions(database, { bookId: book.id, kind: 'transfer', ids });
  return rows.map((row) => {
    const transfer = toTransfer(row, book.mode);
    const { id } = transfer;
    const round = row.round ?? 1;
    return {
      transfer,
      subject: {
        kind: 'transfer',
        id,
        round,
        contentHash: hashContent(transfer),
        requirements: requirementsOf(transfer, row),
        makerIds: row.maker_ids,
        isScreened: row.is_screened,
        decisions: decisions.get(decisionsKey({ id, round })) ?? [],
      },
      maker: makerOf(row),
      isExpired: row.is_expired,
      isDue: row.is_due,
      isHeldByScreener: row.held_rule !== null,
    };
  });
}

function makerOf(row: WaitingRow): ShownMaker | null {
  if (row.person_id !== null) {
    return { kind: 'person', id: row.person_id, name: row.person_name ?? 'A person who left' };
  }
  return row.key_id === null ? null : { kind: 'key', id: row.key_id, name: row.key_name ?? '' };
}

/**
 * What the policy asked for, and one person more where a screener did not allow it. Without either it waits because a
 * person has to look at it, such as when it is late.
 */
function requirementsOf(
  { approvalsNeeded }: Transfer,
  { held_rule: rule, is_screened: isScreened }: WaitingRow,
): readonly ApprovalRequirement[] {
  const held = rule === null ? [] : [{ rule, count: 1, of: APPROVING_ROLES }];
  const asked = [...(approvalsNeeded ?? []), ...held];
  return asked.length > 0 || isScreened ? asked : ONE_PERSON;
}

type WaitingRow = TransferRow & {
  round: number | null;
  person_id: string | null;
  person_name: string | null;
  key_id: string | null;
  key_name: string | null;
  maker_ids: readonly string[];
  is_expired: boolean;
  is_due: boolean;
  is_screened: boolean;
  held_rule: string | null;
};

// The event by which it came to wait is not the last one: what is told while it waits has an event too.
const COLUMNS = `
  ${TRANSFER_COLUMNS},
  (
    select max(e.seq) from events e
    where e.book_id = t.book_id and e.subject_id = t.id and e.to_state = 'awaiting_approval'
      and e.from_state is distinct from 'awaiting_approval'
  ) as round,
  m.person_id, p.name as person_name, k.id as key_id, k.name as key_name,
  people_behind(t.book_id, array[c.actor, 'person:' || t.made_by] || coalesce(f.makers, '{}')) as maker_ids,
  coalesce(t.next_action_at <= now(), false) as is_expired, coalesce(t.send_at <= now(), true) as is_due,
  t.approvals_needed is not null and exists (
    select from screenings s where s.book_id = t.book_id and s.transfer_id = t.id and s.decision is null
  ) as is_screened,
  case when t.approvals_needed is not null then (
    select min(s.rule) from screenings s
    where s.book_id = t.book_id and s.transfer_id = t.id and s.decision = 'hold'
  ) end as held_rule`;

const MAKERS = `
  left join events c on c.book_id = t.book_id and c.subject_id = t.id and c.seq = 1
  cross join lateral (
    select coalesce(
             t.made_by,
             case when c.actor ~ '^person:[0-9a-f-]{36}$' then substr(c.actor, 8)::uuid end
           ) as person_id,
           case when c.actor ~ '^key:[0-9a-f-]{36}$' then substr(c.actor, 5)::uuid end as key_id
  ) m
  left join people p on p.id = m.person_id
  left join api_keys k on k.book_id = t.book_id and k.id = m.key_id
  left join payout_files f on f.book_id = t.book_id and f.id = t.file_id`;

const BY_ID: Statement = {
  name: 'find-waiting-transfers',
  text: `
    select ${COLUMNS}
    from transfers t ${MAKERS}
    where t.book_id = $1 and t.id = any ($2::uuid[])
    order by t.id`,
};

const LIST: Statement = {
  name: 'list-waiting-transfers',
  text: `
    select ${COLUMNS}
    from transfers t ${MAKERS}
    where t.book_id = $1 and t.state = 'awaiting_approval' and ($2::uuid is null or t.id > $2)
    order by t.id
    limit $3`,
};

const LOCK: Statement = {
  name: 'lock-waiting-transfer',
  text: 'select from transfers t where t.book_id = $1 and t.id = $2 for update',
};
