import { matchNames, type NameMatch } from '../domain/name-match.ts';
import type { Source } from '../domain/source.ts';
import { findRecipientByAccount } from '../recipients/find-recipient.ts';
import type { InitiateRequest } from '../transfers/accept/initiate-transfer.ts';
import { findName, type NameDeps } from './find-name.ts';

/** Of many rows at once: no operator tells so many names while they wait to be paid. */
const KNOWN_NAMES_ONLY: readonly Source[] = ['file', 'schedule'];

/** How the name that an order gives fits that of the account; null: none is given, or the account's is not known. */
export async function matchName(
  deps: NameDeps,
  { book, actor, origin, command }: InitiateRequest,
): Promise<NameMatch | null> {
  const { phone, operator, country, recipientName } = command;
  if (recipientName === null) return null;
  const account = { phone, operator, country };
  if (KNOWN_NAMES_ONLY.includes(origin.source)) {
    const recipient = await findRecipientByAccount(deps.database, { book, account });
    const name = recipient?.accountName ?? null;
    return name === null ? null : matchNames(recipientName, name);
  }
  const found = await findName(deps, { book, actor, account, suppliedName: recipientName });
  return found.kind === 'found' ? found.nameMatch : null;
}
