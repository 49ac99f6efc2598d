import type { Book } from '../domain/book.ts';
import { refuse } from '../domain/refusal.ts';
import { preferOpen } from '../operators/choose-route.ts';
import type { Account, Routes } from '../operators/connector.ts';
import type { Queryable } from '../postgres/database.ts';
import { askAccountName } from './ask-account-name.ts';
import { findRecipientByAccount } from './find-recipient.ts';
import { type Naming, nameResolved, PENDING, type Recipient } from './recipient.ts';
import { resolveBackoffMs } from './resolve-backoff.ts';
import { storeRecipient } from './store-recipient.ts';

export type CreateRecipientDeps = Readonly<{
  database: Queryable;
  routes: Routes;
  newId: () => string;
  now: () => Date;
}>;

export type RecipientCommand = Account & Readonly<{ suppliedAccountName: string | null }>;

type Request = Readonly<{ book: Book; actor: string; command: RecipientCommand }>;

/**
 * Stores a recipient under the name that the operator gives, whatever name was supplied. The same
 * account again is the recipient that exists, and its operator is not asked.
 */
export async function createRecipient(
  deps: CreateRecipientDeps,
  { book, actor, command }: Request,
): Promise<Readonly<{ recipient: Recipient; created: boolean }>> {
  const { suppliedAccountName, ...account } = command;
  const existing = await findRecipientByAccount(deps.database, { book, account });
  if (existing !== undefined) return { recipient: existing, created: false };

  const answer = await askOperator(deps, { book, command });
  const recipient: Recipient = {
    bookId: book.id,
    id: deps.newId(),
    mode: book.mode,
    ...account,
    suppliedAccountName,
    createdAt: deps.now(),
    ...answer.naming,
  };
  const { cause, askAgainInMs } = answer;
  if (await storeRecipient(deps.database, { recipient, actor, cause, askAgainInMs })) {
    return { recipient, created: true };
  }
  // Another request was faster while the operator was asked.
  const winner = await findRecipientByAccount(deps.database, { book, account });
  if (winner === undefined) throw new Error('a recipient that stood in the way is gone');
  return { recipient: winner, created: false };
}

type Answer = Readonly<{ naming: Naming; cause: string; askAgainInMs: number | null }>;

async function askOperator(
  { routes }: Pick<CreateRecipientDeps, 'routes'>,
  { book, command }: Pick<Request, 'book' | 'command'>,
): Promise<Answer> {
  const { suppliedAccountName, ...account } = command;
  const route = preferOpen(routes.list({ mode: book.mode, ...account }));
  if (route === undefined) throw refuse('OPERATOR_NOT_AVAILABLE');
  const answer = await askAccountName(route, { account, waitedMs: 0 });
  switch (answer.kind) {
    case 'noAccount':
      throw refuse('ACCOUNT_NOT_FOUND');
    case 'resolved': {
      const naming = nameResolved({ suppliedAccountName, accountName: answer.accountName });
      return { naming, cause: 'the operator gave the name', askAgainInMs: null };
    }
    case 'unreachable': {
      const askAgainInMs = resolveBackoffMs({ attempts: 1, pace: route.pace });
      return { naming: PENDING, cause: `name not resolved: ${answer.cause}`, askAgainInMs };
    }
    case 'unaskable':
      return { naming: PENDING, cause: 'the operator gives no names', askAgainInMs: null };
    default: {
      const unhandled: never = answer;
      throw new Error(`unhandled ${JSON.stringify(unhandled)}`);
    }
  }
}
