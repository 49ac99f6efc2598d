import type { Book } from '../domain/book.ts';
import { refuse } from '../domain/refusal.ts';
import { preferOpen } from '../operators/choose-route.ts';
import type { Account, Routes } from '../operators/connector.ts';
import { askAccountName } from './ask-account-name.ts';

const RETRY_AFTER_SECONDS = 5;

export type ResolvedAccount = Account & Readonly<{ accountName: string }>;

/** Asks the operator whose account a number is. Nothing is stored. */
export async function resolveAccount(
  { routes }: Readonly<{ routes: Routes }>,
  { book, account }: Readonly<{ book: Book; account: Account }>,
): Promise<ResolvedAccount> {
  const route = preferOpen(routes.list({ mode: book.mode, ...account }));
  if (route === undefined) throw refuse('OPERATOR_NOT_AVAILABLE');
  const answer = await askAccountName(route, { account, waitedMs: 0 });
  switch (answer.kind) {
    case 'resolved':
      return { ...account, accountName: answer.accountName };
    case 'noAccount':
      throw refuse('ACCOUNT_NOT_FOUND');
    case 'unaskable':
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
