import type { Book } from '../domain/book.ts';
import { refuse } from '../domain/refusal.ts';
import type { Account } from '../operators/contract/connector.ts';
import type { AccountNames } from './account-names.ts';

const RETRY_AFTER_SECONDS = 5;

export type ResolvedAccount = Account & Readonly<{ accountName: string }>;

/** Asks the operator whose account a number is. Stores nothing but a record of the lookup. */
export async function resolveAccount(
  { names }: Readonly<{ names: AccountNames }>,
  { book, actor, account }: Readonly<{ book: Book; actor: string; account: Account }>,
): Promise<ResolvedAccount> {
  const answer = await names.ask({ book, actor, account, waitedMs: 0 });
  switch (answer.kind) {
    case 'resolved':
      return { ...account, accountName: answer.accountName };
    case 'noAccount':
      throw refuse('ACCOUNT_NOT_FOUND');
    case 'noRoute':
      throw refuse('OPERATOR_NOT_AVAILABLE');
    case 'unsupported':
      throw refuse('OPERATOR_NOT_AVAILABLE', { message: 'This operator gives no account names.' });
    case 'unreachable':
      throw refuse('UNAVAILABLE', {
        message:
          'The operator cannot be asked now. Nothing was stored: try again after Retry-After.',
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      });
    default: {
      const unhandled: never = answer;
      throw new Error(`unhandled ${JSON.stringify(unhandled)}`);
    }
  }
}
