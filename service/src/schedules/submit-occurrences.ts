import { ofOpenMerchant } from '../cells/move/moving-merchant.ts';
import type { Book } from '../domain/book.ts';
import { Refusal } from '../domain/refusal.ts';
import type { Database, Queryable, Statement } from '../postgres/database.ts';
import { BOOK_COLUMNS, type BookRow, toBook } from './book-row.ts';
import { findWaitReason } from './find-wait-reason.ts';
import { keepRefused, keepSubmitted } from './keep-submission.ts';
import type { ScheduleMaker, WaitsBecause } from './schedule.ts';

/** How long one process has an occurrence to submit it; after a crash the next begins then. */
const SUBMIT_LEASE_MS = 30_000;
const CLAIM_MAX = 10;

/** An occurrence whose payout file is to be submitted. */
export type ToSubmit = Readonly<{
  book: Book;
  scheduleId: string;
  period: string;
  fileId: string;
  /** Of the draft when it was claimed: one that a person has changed since is that person's to submit. Null: deleted. */
  version: number | null;
  /** Null: its file was deleted, which the submission refuses. */
  walletId: string | null;
  payAt: Date;
  /** In whose name its file is paid; null: its file was deleted. */
  maker: Pick<ScheduleMaker, 'kind' | 'id'> | null;
  /** Why its file waits for a person, although the policy does not require it; null: it does not. */
  waitsBecause: WaitsBecause | null;
}>;

/**
 * Submits a payout file, or finds that it is submitted already. A Refusal means that it stays a draft and that a person
 * must look; every other error is tried again.
 */
export type SubmitFile = (occurrence: ToSubmit) => Promise<void>;

/**
 * Claims those whose files are not submitted yet, or are to be submitted again after a refusal. Those of suspended
 * merchants wait.
 */
export async function claimOccurrences(database: Queryable): Promise<readonly ToSubmit[]> {
  const rows = await database.query<ClaimedRow>(CLAIM, [SUBMIT_LEASE_MS, CLAIM_MAX]);
  return rows.map((row) => ({
    book: toBook(row),
    scheduleId: row.schedule_id,
    period: row.period,
    fileId: row.file_id,
    version: row.draft_version,
    walletId: row.wallet_id,
    payAt: row.pay_at,
    maker: makerOf(row),
    waitsBecause: row.waits_because,
  }));
}

function makerOf({ made_by, made_by_key }: ClaimedRow): ToSubmit['maker'] {
  if (made_by !== null) return { kind: 'person', id: made_by };
  return made_by_key === null ? null : { kind: 'key', id: made_by_key };
}

/** Submits the file of one, and keeps what came of it. Throws what is to be tried again. */
export async function submitOccurrence(
  { database, submit }: Readonly<{ database: Database; submit: SubmitFile }>,
  occurrence: ToSubmit,
): Promise<Refusal | null> {
  const waitsBecause = occurrence.waitsBecause ?? (await judgeAgain(database, occurrence));
  const refusal = await submit({ ...occurrence, waitsBecause }).then(
    () => null,
    (error: unknown) => {
      if (error instanceof Refusal && isAboutFile(error)) return error;
      throw error;
    },
  );
  const { book, scheduleId, period, fileId } = occurrence;
  const key = { bookId: book.id, scheduleId, period, fileId };
  if (refusal === null) await keepSubmitted(database, key);
  else await keepRefused(database, key, refusal);
  return refusal;
}

/** A crash, an outage or a suspension may lie between the making of the file and now. */
async function judgeAgain(
  database: Database,
  { book, scheduleId, period, payAt, maker }: ToSubmit,
): Promise<WaitsBecause | null> {
  if (maker === null) return null;
  const reason = await findWaitReason(database, { book, payAt, maker });
  if (reason !== null) await database.query(KEEP_REASON, [book.id, scheduleId, period, reason]);
  return reason;
}

/** The service could not answer now: that says nothing about the file. */
function isAboutFile({ code }: Refusal): boolean {
  return code !== 'UNAVAILABLE' && code !== 'RATE_LIMITED' && code !== 'INTERNAL_ERROR';
}

type ClaimedRow = BookRow & {
  schedule_id: string;
  period: string;
  file_id: string;
  draft_version: number | null;
  wallet_id: string | null;
  pay_at: Date;
  made_by: string | null;
  made_by_key: string | null;
  waits_because: WaitsBecause | null;
};

// A draft that a person changed after the service began to submit it is left to that person, who may not have finished.
// `refused_version` is the version that the service submits, and, after a refusal, the one that was refused. It is kept when
// the occurrence is claimed, before anything is refused: afterwards a change that a person made meanwhile could not be told
// apart.
const CLAIM: Statement = {
  name: 'claim-occurrences',
  text: `
    with due as (
      select o.book_id, o.schedule_id, o.period, f.version,
        o.state = 'refused' and f.version is distinct from o.refused_version as is_left
      from schedule_occurrences o
      join books b on b.id = o.book_id and b.suspended_at is null
      left join payout_files f on f.book_id = o.book_id and f.id = o.file_id
      where o.state in ('made', 'refused') and o.next_action_at <= now() and ${ofOpenMerchant('o.book_id')}
      order by o.next_action_at
      limit $2
      for update of o skip locked
    ),
    claimed as (
      update schedule_occurrences o
      set next_action_at = case when not d.is_left then now() + $1::integer * interval '1 ms' end,
          refused_version = case when o.state = 'made' then coalesce(o.refused_version, d.version) else o.refused_version end
      from due d
      where o.book_id = d.book_id and o.schedule_id = d.schedule_id and o.period = d.period
      returning o.book_id, o.schedule_id, o.period, o.file_id, o.pay_at, o.waits_because,
        o.refused_version as draft_version, d.is_left
    )
    select c.book_id, c.schedule_id, c.period, c.file_id, c.pay_at, c.waits_because, c.draft_version, f.wallet_id,
      f.made_by, f.made_by_key, ${BOOK_COLUMNS}
    from claimed c
    left join payout_files f on f.book_id = c.book_id and f.id = c.file_id
    join books b on b.id = c.book_id
    where not c.is_left`,
};

const KEEP_REASON: Statement = {
  name: 'keep-wait-reason',
  text: `
    update schedule_occurrences set waits_because = $4
    where book_id = $1 and schedule_id = $2 and period = $3 and state in ('made', 'refused')`,
};
