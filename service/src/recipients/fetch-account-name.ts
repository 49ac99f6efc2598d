import { checkPlainText } from '../domain/plain-text.ts';
import type { Account, NameAnswer } from '../operators/contract/connector.ts';
import type { Route } from '../operators/routes/route.ts';

/** The width of the column that stores the name. */
const ACCOUNT_NAME_CODE_POINTS_MAX = 200;

/** Asks one operator whose account this is. Never call it inside a transaction: it uses the network. */
export async function fetchAccountName(
  route: Route,
  { account, waitedMs }: Readonly<{ account: Account; waitedMs: number }>,
): Promise<NameAnswer> {
  const answer = await route.connector.resolveName(account, { waitedMs });
  if (answer.kind !== 'resolved') return answer;
  const accountName = answer.accountName.trim();
  // A name that cannot be shown is not an answer, and proves nothing about the account.
  const verdict = checkPlainText(accountName, { codePointsMax: ACCOUNT_NAME_CODE_POINTS_MAX });
  if (accountName === '' || verdict !== 'ok') {
    return { kind: 'unreachable', cause: 'the operator gave a name that cannot be read' };
  }
  return { kind: 'resolved', accountName };
}
