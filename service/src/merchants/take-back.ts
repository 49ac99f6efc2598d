import type { PersonActor } from '../domain/actor.ts';
import type { Queryable, Statement } from '../postgres/database.ts';

/** Money that was credited to a wallet from outside. */
export type RecordedFunding = Readonly<{
  bookId: string;
  walletId: string;
  /** The number of its posting. */
  sequence: bigint;
  amountMinor: bigint;
  fundingReference: string;
  /** The contra posting that took it back; null: it stands. */
  returned: Readonly<{ sequence: bigint; at: Date }> | null;
}>;

/** A proposal to take a funding back, which waits for a second person. */
export type TakeBack = Readonly<{
  bookId: string;
  id: string;
  proposedBy: Readonly<{ id: string; name: string }>;
  proposedAt: Date;
  expiresAt: Date;
}>;

export async function findFunding(
  tx: Queryable,
  { bookId, id: walletId }: Readonly<{ bookId: string; id: string }>,
  fundingReference: string,
): Promise<RecordedFunding | undefined> {
  const [row] = await tx.query<FundingRow>(FIND, [bookId, walletId, fundingReference]);
  if (row === undefined) return undefined;
  const { returned_seq: sequence, returned_at: at } = row;
  return {
    bookId,
    walletId,
    sequence: row.seq,
    amountMinor: row.amount_minor,
    fundingReference,
    returned: sequence === null || at === null ? null : { sequence, at },
  };
}

/** The open proposal for a funding. It stays locked for the rest of the transaction. */
export async function lockOpenTakeBack(
  tx: Queryable,
  { bookId, walletId, sequence }: RecordedFunding,
): Promise<TakeBack | undefined> {
  const [row] = await tx.query<TakeBackRow>(LOCK_OPEN, [bookId, walletId, sequence]);
  if (row === undefined) return undefined;
  const proposedBy = { id: row.proposed_by, name: row.proposer };
  return {
    bookId,
    id: row.id,
    proposedBy,
    proposedAt: row.proposed_at,
    expiresAt: row.expires_at,
  };
}

export async function insertTakeBack(
  tx: Queryable,
  proposed: Readonly<{
    id: string;
    funding: RecordedFunding;
    actor: PersonActor;
    reason: string;
    at: Date;
    expiresAt: Date;
  }>,
): Promise<void> {
  const { id, funding, actor, reason, at, expiresAt } = proposed;
  const { bookId, walletId, sequence } = funding;
  await tx.query(INSERT, [bookId, id, walletId, sequence, reason, actor.id, at, expiresAt]);
}

export async function endTakeBack(
  tx: Queryable,
  ended: Readonly<{
    takeBack: TakeBack;
    as: 'carried_out' | 'withdrawn' | 'expired';
    by: string | null;
    at: Date;
    second?: Readonly<{ reason: string; returnedSequence: bigint }>;
  }>,
): Promise<void> {
  const { takeBack, as, by, at, second } = ended;
  const carriedOut = [second?.reason ?? null, second?.returnedSequence ?? null];
  const values = [takeBack.bookId, takeBack.id, at, as, by, ...carriedOut];
  const rows = await tx.query(END, values);
  if (rows.length !== 1) throw new Error('a locked take-back ended by itself');
}

type FundingRow = {
  seq: bigint;
  amount_minor: bigint;
  returned_seq: bigint | null;
  returned_at: Date | null;
};

type TakeBackRow = {
  id: string;
  proposed_by: string;
  proposer: string;
  proposed_at: Date;
  expires_at: Date;
};

const FIND: Statement = {
  name: '',
  text: `
    select p.seq, p.amount_minor, r.returned_seq, r.ended_at as returned_at
    from postings p
    left join take_backs r
      on r.book_id = p.book_id and r.wallet_id = p.wallet_id and r.funded_seq = p.seq
      and r.ended_as = 'carried_out'
    where p.book_id = $1 and p.wallet_id = $2 and p.funding_reference = $3`,
};

const LOCK_OPEN: Statement = {
  name: '',
  text: `
    select r.id, r.proposed_by, a.name as proposer, r.proposed_at, r.expires_at
    from take_backs r
    join people a on a.id = r.proposed_by
    where r.book_id = $1 and r.wallet_id = $2 and r.funded_seq = $3 and r.ended_at is null
    for update of r`,
};

const INSERT: Statement = {
  name: '',
  text: `
    insert into take_backs (
      book_id, id, wallet_id, funded_seq, reason, proposed_by, proposed_at, expires_at
    )
    values ($1, $2, $3, $4, $5, $6, $7, $8)`,
};

const END: Statement = {
  name: '',
  text: `
    update take_backs
    set ended_at = $3, ended_as = $4, ended_by = $5, second_reason = $6, returned_seq = $7
    where book_id = $1 and id = $2 and ended_at is null
    returning id`,
};
