import { actAs } from '../acts/act-as.ts';
import { recordAct } from '../acts/record-act.ts';
import { type Actor, actorCode } from '../domain/actor.ts';
import type { Book } from '../domain/book.ts';
import { causeOf } from '../domain/cause.ts';
import { refuse } from '../domain/refusal.ts';
import type { Account } from '../operators/contract/connector.ts';
import type { Database } from '../postgres/database.ts';
import type { AccountNames } from './account-names.ts';
import { findRecipientByAccount } from './find-recipient.ts';
import { type Naming, nameResolved, PENDING, type Recipient } from './recipient.ts';
import { resolveBackoffMs } from './resolve-backoff.ts';
import { storeRecipient } from './store-recipient.ts';

export type CreateRecipientDeps = Readonly<{
  database: Database;
  names: AccountNames;
  newId: () => string;
  now: () => Date;
}>;

export type RecipientCommand = Account & Readonly<{ suppliedAccountName: string | null }>;

type Request = Readonly<{ book: Book; actor: Actor; command: RecipientCommand }>;

/**
 * Stores a recipient under the name that the operator gives, not under the supplied name. A second request for the same
 * account returns the existing recipient, and its operator is not asked.
 */
export async function createRecipient(
  deps: CreateRecipientDeps,
  { book, actor, command }: Request,
): Promise<Readonly<{ recipient: Recipient; created: boolean }>> {
  const { suppliedAccountName, ...account } = command;
  const existing = await findRecipientByAccount(deps.database, { book, account });
  if (existing !== undefined) return { recipient: existing, created: false };

  const answer = await askOperator(deps, { book, actor, command });
  const recipient: Recipient = {
    bookId: book.id,
    id: deps.newId(),
    mode: book.mode,
    ...account,
    suppliedAccountName,
    createdAt: deps.now(),
    ...answer.naming,
  };
  const isStored = await actAs(deps, actor, async (tx) => {
    const { cause, lookUpAgainInMs } = answer;
    const stored = { recipient, actor: actorCode(actor), cause, lookUpAgainInMs };
    if (!(await storeRecipient(tx, stored))) return false;
    await recordAct(tx, deps, {
      actor,
      kind: 'RECIPIENT_CREATED',
      subject: recipient.id,
      merchantId: book.merchantId,
      bookId: book.id,
      reason: null,
      before: null,
      after: {
        operator: account.operator,
        country: account.country,
        resolution: recipient.resolution,
      },
    });
    return true;
  });
  if (isStored) return { recipient, created: true };
  // Another request was faster while the operator was asked.
  const winner = await findRecipientByAccount(deps.database, { book, account });
  if (winner === undefined) throw new Error('a recipient that caused a conflict is gone');
  return { recipient: winner, created: false };
}

type Answer = Readonly<{ naming: Naming; cause: string; lookUpAgainInMs: number | null }>;

async function askOperator(
  { names }: Pick<CreateRecipientDeps, 'names'>,
  { book, actor, command }: Request,
): Promise<Answer> {
  const { suppliedAccountName, ...account } = command;
  const answer = await names.ask({ book, actor: actorCode(actor), account, waitedMs: 0 });
  switch (answer.kind) {
    case 'noRoute':
      throw refuse('OPERATOR_NOT_AVAILABLE');
    case 'noAccount':
      throw refuse('ACCOUNT_NOT_FOUND');
    case 'resolved': {
      const naming = nameResolved({ suppliedAccountName, accountName: answer.accountName });
      return { naming, cause: causeOf('NAME_GIVEN'), lookUpAgainInMs: null };
    }
    case 'unreachable': {
      const { cause, timeScale, wasAsked } = answer;
      const lookUpAgainInMs = resolveBackoffMs({ attempts: 1, timeScale, wasAsked });
      return { naming: PENDING, cause: causeOf('NAME_NOT_RESOLVED', cause), lookUpAgainInMs };
    }
    case 'unsupported':
      return { naming: PENDING, cause: causeOf('NAMES_NOT_GIVEN'), lookUpAgainInMs: null };
    default: {
      const unhandled: never = answer;
      throw new Error(`unhandled ${JSON.stringify(unhandled)}`);
    }
  }
}
