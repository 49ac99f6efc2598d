import { ofOpenMerchant } from '../cells/move/moving-merchant.ts';
import { matchNames, type NameMatch } from '../domain/name-match.ts';
import type { Country, Operator } from '../domain/operator.ts';
import type { RowWarning } from '../domain/payout-file/row-problem.ts';
import { Refusal } from '../domain/refusal.ts';
import type { Mode } from '../domain/transfer.ts';
import { CommitQueueFull } from '../postgres/commit-queue.ts';
import type { Database, Queryable, Statement } from '../postgres/database.ts';
import type { AccountNames } from '../recipients/account-names.ts';
import { followVersion } from './mark-occurrence.ts';
import { warningOfName } from './name-warning.ts';
import { recountRows } from './recount-rows.ts';

/** Asked at once. The routes' allowances decide how many operators are really asked. */
const NAMES_AT_ONCE = 50;
/** Longer than the slowest operator takes for that many. */
const NAMES_LEASE_MS = 60_000;
/** The wait after a round in which no operator said anything. */
const PAUSE_MS = 5_000;
/** What operators have not told by then stays unknown. */
const GIVE_UP_MS = 24 * 60 * 60 * 1_000;

export type NameCheckDeps = Readonly<{
  database: Database;
  names: AccountNames;
  leaseOwner: string;
  now: () => Date;
}>;

type Claim = {
  book_id: string;
  id: string;
  mode: Mode;
  names_asked_at: Date;
  names_asked_by: string;
};

type NamelessRow = {
  number: number;
  phone: string;
  operator: Operator;
  country: Country;
  recipient_name: string | null;
};

/** What an operator said of a row. */
type Told = Readonly<{
  row: NamelessRow;
  accountName: string | null;
  nameMatch: NameMatch | null;
  hasNoAccount: boolean;
}>;

/**
 * Asks for some names of one draft, with no transaction open, and notes the answers. Returns whether there was a file to
 * work on. A file whose operators say nothing is left alone for a while.
 */
export async function checkSomeNames(deps: NameCheckDeps): Promise<boolean> {
  const { database, leaseOwner, now } = deps;
  const [claim] = await database.query<Claim>(CLAIM, [leaseOwner, NAMES_LEASE_MS]);
  if (claim === undefined) return false;
  const key = [claim.book_id, claim.id] as const;
  const rows = await database.query<NamelessRow>(LIST, [...key, NAMES_AT_ONCE]);
  const isOver = now().getTime() - claim.names_asked_at.getTime() > GIVE_UP_MS;
  if (rows.length === 0 || isOver) {
    await database.query(END, [...key, leaseOwner]);
    return true;
  }
  const asked = await Promise.all(rows.map((row) => ask(deps, claim, row)));
  const told = asked.filter((one) => one !== undefined);
  await database.transaction((tx) => note(tx, claim, { told, leaseOwner, now: now() }));
  return true;
}

/** Undefined: the operator could not be asked now. */
async function ask(
  { names, now }: NameCheckDeps,
  claim: Claim,
  row: NamelessRow,
): Promise<Told | undefined> {
  const { phone, operator, country } = row;
  try {
    const answer = await names.ask({
      book: { id: claim.book_id, mode: claim.mode },
      actor: claim.names_asked_by,
      account: { phone, operator, country },
      waitedMs: now().getTime() - claim.names_asked_at.getTime(),
    });
    if (answer.kind === 'unreachable') return undefined;
    const accountName = answer.kind === 'resolved' ? answer.accountName : null;
    const nameMatch =
      accountName === null || row.recipient_name === null
        ? null
        : matchNames(row.recipient_name, accountName);
    return { row, accountName, nameMatch, hasNoAccount: answer.kind === 'noAccount' };
  } catch (error) {
    // The lookups of the day are used up, or too many wait already.
    if (error instanceof Refusal || error instanceof CommitQueueFull) return undefined;
    throw error;
  }
}

async function note(
  tx: Queryable,
  claim: Claim,
  { told, leaseOwner, now }: Readonly<{ told: readonly Told[]; leaseOwner: string; now: Date }>,
): Promise<void> {
  const key = [claim.book_id, claim.id] as const;
  const pauseMs = told.length === 0 ? PAUSE_MS : 0;
  const held = await tx.query(RELEASE, [...key, leaseOwner, pauseMs]);
  // Submitted, deleted or taken over meanwhile: what was asked for then is not this file's any more.
  if (held.length === 0 || told.length === 0) return;
  await tx.query(NOTE, [...key, JSON.stringify(told.map(toNote)), now]);
  const file = { bookId: claim.book_id, id: claim.id };
  const { version } = await recountRows(tx, { ...file, now });
  await followVersion(tx, { ...file, from: version - 1, to: version });
}

function toNote({ row, accountName, nameMatch, hasNoAccount }: Told) {
  const warnings: readonly RowWarning[] = warningOfName(nameMatch);
  return {
    number: row.number,
    phone: row.phone,
    operator: row.operator,
    recipient_name: row.recipient_name,
    account_name: accountName,
    name_match: nameMatch,
    problems: hasNoAccount ? [{ code: 'NO_ACCOUNT', field: 'phone' }] : [],
    warnings,
  };
}

const CLAIM: Statement = {
  name: 'claim-name-check',
  text: `
    update payout_files f
    set lease_owner = $1, next_action_at = now() + $2::integer * interval '1 ms'
    from books b
    where b.id = f.book_id and (f.book_id, f.id) = (
      select d.book_id, d.id from payout_files d
      where d.next_action_at <= now() and d.state = 'draft' and ${ofOpenMerchant('d.book_id')}
      order by d.next_action_at
      limit 1
      for update skip locked
    )
    returning f.book_id, f.id, b.mode, f.names_asked_at, f.names_asked_by`,
};

const LIST: Statement = {
  name: 'list-nameless-rows',
  text: `
    select r.number, r.phone, r.operator, r.country, r.recipient_name
    from payout_file_rows r
    where r.book_id = $1 and r.file_id = $2 and r.name_checked_at is null and r.state in ('ready', 'problem')
      and r.phone is not null and r.operator is not null
    order by r.number
    limit $3`,
};

const RELEASE: Statement = {
  name: 'release-name-check',
  text: `
    update payout_files
    set lease_owner = null, next_action_at = now() + $4::integer * interval '1 ms'
    where book_id = $1 and id = $2 and state = 'draft' and lease_owner = $3
    returning id`,
};

const END: Statement = {
  name: 'end-name-check',
  text: `
    update payout_files set lease_owner = null, next_action_at = null
    where book_id = $1 and id = $2 and state = 'draft' and lease_owner = $3`,
};

// A row that was corrected meanwhile has another number, operator or name: the answer is not about it, and its name is
// looked up again.
const NOTE: Statement = {
  name: 'note-row-names',
  text: `
    with noted as (
      update payout_file_rows r
      set account_name = n.account_name, name_match = n.name_match, name_checked_at = $4::timestamptz,
          problems = r.problems || n.problems, warnings = r.warnings || n.warnings,
          state = case when r.state = 'ready' and n.problems <> '[]' then 'problem' else r.state end
      from jsonb_to_recordset($3::jsonb) as n (
        number integer, phone text, operator text, recipient_name text, account_name text, name_match text,
        problems jsonb, warnings jsonb
      )
      where r.book_id = $1 and r.file_id = $2 and r.number = n.number and r.phone = n.phone
        and r.operator = n.operator and r.recipient_name is not distinct from n.recipient_name
        and r.name_checked_at is null
      returning r.number
    )
    update payout_files set names_checked = names_checked + (select count(*) from noted)
    where book_id = $1 and id = $2`,
};
