import { refuse } from '../../domain/refusal.ts';
import {
  earlierReferences,
  hashedReference,
  isRetryReference,
} from '../../domain/retry-reference.ts';
import { prepareGroup } from '../../postgres/bad-command.ts';
import type { Queryable, Statement } from '../../postgres/database.ts';
import { MAY_BE_PAID } from '../read/may-be-paid.ts';
import { inBook, type Judge } from './decide-in-order.ts';
import type { PreparedTransfer } from './prepared-transfer.ts';

/** What an order says of the payout that it pays again. */
type Again = Readonly<{ bookId: string; reference: string; replaces: string | null }>;

type Order = Pick<PreparedTransfer, 'book' | 'command' | 'origin'>;

/** Whether it pays again what failed: it says so, or its reference does, as those of `kafue pay --retry-failed`. */
export function isPaidAgain({ command, origin }: Pick<Order, 'command' | 'origin'>): boolean {
  return origin.replaces !== null || isRetryReference(command.reference);
}

/**
 * Refuses orders that pay again what the operator may have paid: it failed, and the operator says since that it paid it,
 * or is being asked. All ways to pay again meet here: files of failed rows, the command line and single calls. Groups
 * without such an order are not looked at.
 */
export async function refusePaidAgain(
  tx: Queryable,
  group: readonly Order[],
  judge: Judge,
): Promise<Judge> {
  const again = prepareGroup(() =>
    group.filter(isPaidAgain).map(({ book, command, origin }) => {
      return { bookId: book.id, reference: command.reference, replaces: origin.replaces };
    }),
  );
  if (again.length === 0) return judge;
  const mayBePaid = await findMayBePaid(tx, again);
  return {
    ...judge,
    judge(one) {
      const { book, command } = one.prepared;
      const judged = judge.judge(one);
      if (!mayBePaid.has(inBook(book.id, command.reference))) return judged;
      return { ...judged, refusal: refuse('EARLIER_MAY_BE_PAID') };
    },
  };
}

/** Those of the orders that would pay again what the operator may have paid, as `inBook` names them. */
export async function findMayBePaid(
  database: Queryable,
  again: readonly Again[],
): Promise<ReadonlySet<string>> {
  const wanted = again.flatMap(({ bookId, reference, replaces }) => [
    ...(replaces === null ? [] : [{ bookId, reference, earlier: null, replaces }]),
    ...earlierReferences(reference).map((earlier) => {
      return { bookId, reference, earlier, replaces: null };
    }),
  ]);
  const rows = await database.query<Found>(FIND, [
    wanted.map(({ bookId }) => bookId),
    wanted.map(({ reference }) => reference),
    wanted.map(({ earlier }) => earlier),
    wanted.map(({ replaces }) => replaces),
  ]);
  const found = [...rows, ...(await findByHash(database, again))];
  return new Set(found.map((row) => inBook(row.book_id, row.reference)));
}

type Found = { book_id: string; reference: string };

/** What a long reference was cannot be told from its hash: the hashes of what may be paid are compared with it. */
async function findByHash(database: Queryable, again: readonly Again[]): Promise<readonly Found[]> {
  const wanted = again.flatMap(({ bookId, reference }) => {
    const hashed = hashedReference(reference);
    return hashed === undefined ? [] : [{ bookId, reference, hashed }];
  });
  if (wanted.length === 0) return [];
  return database.query<Found>(FIND_HASHED, [
    wanted.map(({ bookId }) => bookId),
    wanted.map(({ reference }) => reference),
    wanted.map(({ hashed }) => hashed),
  ]);
}

const FIND: Statement = {
  name: 'find-paid-again',
  text: `
    with recursive wanted as (
      select * from unnest($1::uuid[], $2::text[], $3::text[], $4::uuid[])
        as w (book_id, reference, earlier, replaces)
    ),
    earlier as (
      (
        select w.book_id, w.reference, t.id
        from wanted w
        join transfers t on t.book_id = w.book_id and t.reference = w.earlier
        union
        select w.book_id, w.reference, w.replaces from wanted w where w.replaces is not null
      )
      union
      -- What it replaces may have replaced another one.
      select e.book_id, e.reference, t.replaces
      from earlier e
      join transfers t on t.book_id = e.book_id and t.id = e.id
      where t.replaces is not null
    )
    select distinct e.book_id, e.reference
    from earlier e
    join transfers t on t.book_id = e.book_id and t.id = e.id
    where ${MAY_BE_PAID}`,
};

const FIND_HASHED: Statement = {
  name: 'find-paid-again-by-hash',
  text: `
    select distinct w.book_id, w.reference
    from unnest($1::uuid[], $2::text[], $3::text[]) as w (book_id, reference, hashed)
    join incidents i on i.book_id = w.book_id and i.closed_at is null
    join transfers t on t.book_id = i.book_id and t.id = i.transfer_id
    where w.hashed = 'retry-' || encode(sha256(convert_to(t.reference, 'UTF8')), 'hex') and ${MAY_BE_PAID}`,
};
