import type { Book } from '../domain/book.ts';
import { matchNames, type NameMatch } from '../domain/name-match.ts';
import { Refusal } from '../domain/refusal.ts';
import type { Account } from '../operators/contract/connector.ts';
import { CommitQueueFull } from '../postgres/commit-queue.ts';
import type { Queryable } from '../postgres/database.ts';
import type { AccountNames } from '../recipients/account-names.ts';
import { findRecipientByAccount } from '../recipients/find-recipient.ts';

export type NameDeps = Readonly<{
  database: Queryable;
  names: AccountNames;
  /** Resolves after this time. */
  wait: (ms: number) => Promise<unknown>;
}>;

/** A form waits no longer for the name. The lookup goes on, and its answer is known to the next call. */
const NAME_WAIT_MAX_MS = 3_000;

/** The name of the account's holder, or why there is none. */
export type FoundName =
  | Readonly<{ kind: 'found'; accountName: string; nameMatch: NameMatch | null }>
  /** The operator has no account for the number. */
  | Readonly<{ kind: 'noAccount' }>
  /** The operator gives no names or cannot be asked now, or the caller has no lookups left today. */
  | Readonly<{ kind: 'unknown' }>;

type Request = Readonly<{
  book: Book;
  actor: string;
  account: Account;
  suppliedName: string | null;
}>;

const UNKNOWN: FoundName = { kind: 'unknown' };

/** The name of a recipient of the book, or else the operator's answer. It never fails: a payout needs no name. */
export async function findName(deps: NameDeps, request: Request): Promise<FoundName> {
  const { book, account, suppliedName } = request;
  const recipient = await findRecipientByAccount(deps.database, { book, account });
  if (recipient !== undefined && recipient.accountName !== null) {
    return named(recipient.accountName, suppliedName);
  }
  return Promise.race([
    askOperator(deps, request),
    deps.wait(NAME_WAIT_MAX_MS).then(() => UNKNOWN),
  ]);
}

async function askOperator(
  { names }: NameDeps,
  { book, actor, account, suppliedName }: Request,
): Promise<FoundName> {
  try {
    const answer = await names.ask({ book, actor, account, waitedMs: 0 });
    if (answer.kind === 'resolved') return named(answer.accountName, suppliedName);
    return answer.kind === 'noAccount' ? { kind: 'noAccount' } : UNKNOWN;
  } catch (error) {
    if (error instanceof Refusal || error instanceof CommitQueueFull) return UNKNOWN;
    throw error;
  }
}

function named(accountName: string, suppliedName: string | null): FoundName {
  const nameMatch = suppliedName === null ? null : matchNames(suppliedName, accountName);
  return { kind: 'found', accountName, nameMatch };
}
