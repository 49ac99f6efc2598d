import { COMPANY_BOOK_ID } from '../domain/company-book.ts';
import type { Mode, Transfer } from '../domain/transfer.ts';
import type { Queryable, Statement } from '../postgres/database.ts';
import { TRANSFER_COLUMNS, type TransferRow, toTransfer } from '../transfers/read/transfer-row.ts';
import { SCREENING_LEASE_MS, type ScreeningKey } from './screening.ts';

/** How many screeners one claim looks at. */
const SCREENERS_PER_CLAIM_MAX = 500;

/** A screener of one book, by its name. Its questions are bounded apart from those of other screeners. */
export type ScreenerKey = Readonly<{ bookId: string; screener: string }>;

export const FIRST_SCREENER: ScreenerKey = { bookId: COMPANY_BOOK_ID, screener: '' };

/** Where and how a screener is asked. */
export type DueScreener = Readonly<{
  bookId: string;
  id: string;
  url: string;
  secretSealed: Uint8Array;
  deadlineMs: number;
}>;

export type ClaimedScreening = ScreeningKey &
  Readonly<{
    screener: string;
    merchantId: string;
    /** This one included. */
    attempts: number;
    transfer: Transfer;
    /** Undefined: there is none of this name, neither of the book nor of the company. */
    asked: DueScreener | undefined;
  }>;

export type ScreeningClaim = Readonly<{
  screenings: readonly ClaimedScreening[];
  /** Where the next claim resumes; FIRST_SCREENER after the last, so that screeners take turns. */
  next: ScreenerKey;
}>;

/** Takes the lease of questions that are due, screener by screener, so that one that hangs delays only its own. */
export async function claimScreenings(
  database: Queryable,
  claim: Readonly<{
    leaseOwner: string;
    after: ScreenerKey;
    max: number;
    perScreenerMax: number;
    /** Screeners that have screenings under way. */
    taken: readonly (ScreenerKey & Readonly<{ room: number }>)[];
  }>,
): Promise<ScreeningClaim> {
  const rows = await database.query<ClaimRow>(CLAIM, [
    claim.leaseOwner,
    claim.after.bookId,
    claim.after.screener,
    claim.taken.map(({ bookId }) => bookId),
    claim.taken.map(({ screener }) => screener),
    claim.taken.map(({ room }) => room),
    claim.perScreenerMax,
    SCREENERS_PER_CLAIM_MAX,
    claim.max,
    SCREENING_LEASE_MS,
  ]);
  const screenings = rows.flatMap((row) => (row.transfer_id === null ? [] : [toClaimed(row)]));
  return { screenings, next: whereToGoOn(rows[0], screenings, claim.max) };
}

/** Gives back what was claimed and not asked, so that another process can take it at once. */
export async function releaseScreenings(
  database: Queryable,
  { leaseOwner, screenings }: Readonly<{ leaseOwner: string; screenings: readonly ScreeningKey[] }>,
): Promise<void> {
  await database.query(RELEASE, [
    leaseOwner,
    screenings.map(({ bookId }) => bookId),
    screenings.map(({ transferId }) => transferId),
    screenings.map(({ rule }) => rule),
  ]);
}

/** Ends the leases of processes that died. Call it only when no other process is running. */
export async function expireScreeningLeases(database: Queryable): Promise<void> {
  await database.query(EXPIRE);
}

function whereToGoOn(
  walk: ClaimRow | undefined,
  screenings: readonly ClaimedScreening[],
  max: number,
): ScreenerKey {
  const last = screenings.at(-1);
  // The claim was full before all screeners were read: resume at the last one that got anything.
  if (last !== undefined && screenings.length >= max) {
    return { bookId: last.bookId, screener: last.screener };
  }
  if (walk === undefined || walk.screeners_seen < SCREENERS_PER_CLAIM_MAX) return FIRST_SCREENER;
  return { bookId: walk.last_book ?? FIRST_SCREENER.bookId, screener: walk.last_screener ?? '' };
}

type ClaimRow = TransferRow & {
  screeners_seen: number;
  last_book: string | null;
  last_screener: string | null;
  /** Null: the single row of a claim that found nothing. */
  transfer_id: string | null;
  rule: string;
  asked_name: string;
  asked_attempts: number;
  merchant_id: string;
  mode: Mode;
  screener_book: string | null;
  screener_id: string;
  screener_url: string;
  screener_secret: Uint8Array;
  screener_deadline: number;
};

function toClaimed(row: ClaimRow): ClaimedScreening {
  const { screener_book: screenerBook } = row;
  return {
    bookId: row.book_id,
    transferId: row.id,
    rule: row.rule,
    screener: row.asked_name,
    merchantId: row.merchant_id,
    attempts: row.asked_attempts,
    transfer: toTransfer(row, row.mode),
    asked:
      screenerBook === null
        ? undefined
        : {
            bookId: screenerBook,
            id: row.screener_id,
            url: row.screener_url,
            secretSealed: row.screener_secret,
            deadlineMs: row.screener_deadline,
          },
  };
}

// `walk` goes through the partial index from screener to screener, one probe each, however many questions one has.
const CLAIM: Statement = {
  name: 'claim-screenings',
  text: `
    with recursive walk as (
      (
        select s.book_id, s.screener from screenings s
        where s.next_attempt_at is not null and (s.book_id, s.screener) > ($2::uuid, $3::text)
        order by s.book_id, s.screener limit 1
      )
      union all
      select n.book_id, n.screener
      from walk w
      cross join lateral (
        select s.book_id, s.screener from screenings s
        where s.next_attempt_at is not null and (s.book_id, s.screener) > (w.book_id, w.screener)
        order by s.book_id, s.screener limit 1
      ) n
    ),
    taken as materialized (
      select book_id, screener, room
      from unnest($4::uuid[], $5::text[], $6::integer[]) as t (book_id, screener, room)
    ),
    seen as materialized (
      select w.book_id, w.screener,
             coalesce(
               (select t.room from taken t where t.book_id = w.book_id and t.screener = w.screener), $7
             ) as room
      from walk w
      limit $8
    ),
    due as (
      select d.book_id, d.transfer_id, d.rule
      from (select * from seen where room > 0 order by book_id, screener) s
      cross join lateral (
        select q.book_id, q.transfer_id, q.rule
        from screenings q
        where q.book_id = s.book_id and q.screener = s.screener and q.next_attempt_at <= now()
        order by q.next_attempt_at
        limit s.room
        for update skip locked
      ) d
      limit $9
    ),
    claimed as (
      update screenings q
      set lease_owner = $1, attempts = q.attempts + 1, next_attempt_at = now() + $10::integer * interval '1 ms'
      from due d
      where q.book_id = d.book_id and q.transfer_id = d.transfer_id and q.rule = d.rule
      returning q.book_id as asked_book, q.transfer_id, q.rule, q.screener as asked_name, q.attempts as asked_attempts
    )
    select n.screeners_seen, n.last_book, n.last_screener,
           c.transfer_id, c.rule, c.asked_name, c.asked_attempts, b.merchant_id, b.mode,
           a.book_id as screener_book, a.id as screener_id, a.url as screener_url,
           a.secret_sealed as screener_secret, a.deadline_ms as screener_deadline,
           ${TRANSFER_COLUMNS}
    from (
      select count(*)::integer as screeners_seen,
             (array_agg(book_id order by book_id desc, screener desc))[1] as last_book,
             (array_agg(screener order by book_id desc, screener desc))[1] as last_screener
      from seen
    ) n
    left join claimed c on true
    left join transfers t on t.book_id = c.asked_book and t.id = c.transfer_id
    left join books b on b.id = c.asked_book
    -- The book's own comes before the company's of the same name: its owners published a policy that asks for it. The
    -- company's id is the lowest.
    left join lateral (
      select s.book_id, s.id, s.url, s.secret_sealed, s.deadline_ms
      from screeners s
      where s.book_id in (c.asked_book, '${COMPANY_BOOK_ID}') and s.name = c.asked_name
        and s.removed_at is null
      order by s.book_id desc
      limit 1
    ) a on true
    order by c.asked_book, c.asked_name`,
};

// It did not begin, so it does not count.
const RELEASE: Statement = {
  name: 'release-screenings',
  text: `
    update screenings q
    set lease_owner = null, next_attempt_at = now(), attempts = q.attempts - 1
    from unnest($2::uuid[], $3::uuid[], $4::text[]) as i (book_id, transfer_id, rule)
    where q.book_id = i.book_id and q.transfer_id = i.transfer_id and q.rule = i.rule
      and q.decision is null and q.lease_owner = $1 and q.next_attempt_at is not null`,
};

const EXPIRE: Statement = {
  name: '',
  text: `
    update screenings set next_attempt_at = now()
    where next_attempt_at > now() and lease_owner is not null`,
};
