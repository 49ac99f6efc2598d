import { COMPANY_BOOK_ID } from '../domain/company-book.ts';
import { type FieldProblem, fieldProblem } from '../domain/field-problem.ts';
import type { RoleHolder } from '../domain/policy/assign-approvals.ts';
import { findImpossible, type ImpossibleRule } from '../domain/policy/find-impossible.ts';
import type { Policy, Rule } from '../domain/policy/policy.ts';
import { listMembers } from '../people/list-members.ts';
import type { Queryable, Statement } from '../postgres/database.ts';

type Where = Readonly<{ id: string; merchantId: string }>;

export type DraftCheck = Readonly<{
  /** Wallets and keys that the book does not have: such a rule would never match. */
  unknown: readonly FieldProblem[];
  /** Screeners that are not there. People decide instead, so this keeps no draft from being published. */
  unscreened: readonly FieldProblem[];
  /** Rules under which no payout could be approved by the people there are. */
  impossible: readonly ImpossibleRule[];
}>;

/** Compares a policy with what the book has now. A draft that was right may become wrong, as when people leave. */
export async function checkDraft(
  database: Queryable,
  book: Where,
  policy: Policy,
): Promise<DraftCheck> {
  const known = await readKnown(database, book.id, policy);
  const people = await readApprovers(database, book);
  return {
    unknown: policy.rules.flatMap((rule, index) => findUnknown(rule, index, known)),
    unscreened: policy.rules.flatMap((rule, index) => findUnscreened(rule, index, known)),
    impossible: findImpossible(policy, people),
  };
}

export function describeImpossible({ rule, rules, needed, possible }: ImpossibleRule): string {
  const together =
    rules.length > 1 ? ` (with ${rules.filter((name) => name !== rule).join(', ')})` : '';
  return `The rule ${rule}${together} needs ${needed} approvals, and the people of this book can give ${possible}. Ask for fewer, or give more people the role.`;
}

async function readApprovers(
  database: Queryable,
  { id, merchantId }: Where,
): Promise<readonly RoleHolder[]> {
  const members = await listMembers(database, { merchantId });
  return members.map((member) => ({
    id: member.id,
    roles: member.roles
      .filter(({ bookId }) => bookId === null || bookId === id)
      .map(({ role }) => role),
  }));
}

type KnownRow = { kind: 'wallet' | 'key' | 'screener'; name: string };

/** Of what the policy names, what there is: `wallet <id>`, `key <id>`, `screener <name>`. */
async function readKnown(
  database: Queryable,
  bookId: string,
  { rules }: Policy,
): Promise<ReadonlySet<string>> {
  const rows = await database.query<KnownRow>(KNOWN, [
    bookId,
    rules.flatMap(({ when }) => when.wallets ?? []),
    rules.flatMap(({ when }) => when.keys ?? []),
    rules.flatMap(({ require }) => require.screener ?? []),
    COMPANY_BOOK_ID,
  ]);
  return new Set(rows.map(({ kind, name }) => `${kind} ${name}`));
}

function findUnknown(
  { when }: Rule,
  index: number,
  known: ReadonlySet<string>,
): readonly FieldProblem[] {
  const missing = (kind: 'wallet' | 'key', ids: readonly string[] | null) =>
    (ids ?? [])
      .filter((id) => !known.has(`${kind} ${id}`))
      .map((id) => problem(`rules.${index}.when.${kind}`, `The book has no ${kind} ${id}.`));
  return [...missing('wallet', when.wallets), ...missing('key', when.keys)];
}

function findUnscreened(
  { require: { screener } }: Rule,
  index: number,
  known: ReadonlySet<string>,
): readonly FieldProblem[] {
  if (screener === null || known.has(`screener ${screener}`)) return [];
  const message = `There is no screener ${screener}: until there is one, a person decides instead.`;
  return [problem(`rules.${index}.require.screen`, message)];
}

function problem(field: string, message: string): FieldProblem {
  return fieldProblem(field, 'INVALID_POLICY', message);
}

const KNOWN: Statement = {
  name: '',
  text: `
    select 'wallet' as kind, id::text as name from wallets where book_id = $1 and id = any($2::uuid[])
    union all
    select 'key', id::text from api_keys where book_id = $1 and id = any($3::uuid[])
    union all
    select 'screener', name from screeners
    where book_id in ($1, $5) and name = any($4::text[]) and removed_at is null`,
};
