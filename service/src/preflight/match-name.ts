import type { NameMatch } from '../domain/name-match.ts';
import type { InitiateRequest } from '../transfers/accept/initiate-transfer.ts';
import { findName, type NameDeps } from './find-name.ts';

/** How the name that an order gives fits that of the account; null: none is given, or the account's is not known. */
export async function matchName(
  deps: NameDeps,
  { book, actor, command }: Pick<InitiateRequest, 'book' | 'actor' | 'command'>,
): Promise<NameMatch | null> {
  const { phone, operator, country, recipientName } = command;
  if (recipientName === null) return null;
  const account = { phone, operator, country };
  const found = await findName(deps, { book, actor, account, suppliedName: recipientName });
  return found.kind === 'found' ? found.nameMatch : null;
}
