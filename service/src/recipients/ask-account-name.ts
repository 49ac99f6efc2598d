import { checkPlainText } from '../domain/plain-text.ts';
import type { Account, NameAnswer } from '../operators/contract/connector.ts';
import type { Route } from '../operators/routes/route.ts';

/** As wide as the column that keeps the name. */
const ACCOUNT_NAME_CODE_POINTS_MAX = 200;

/** Asks one operator whose account this is. Never inside a transaction: it goes over the network. */
export async function askAccountName(
  route: Route,
  { account, waitedMs }: Readonly<{ account: Account; waitedMs: number }>,
): Promise<NameAnswer> {
  const answer = await route.connector.resolveName(account, { waitedMs });
  if (answer.kind !== 'resolved') return answer;
  const accountName = answer.accountName.trim();
  // A name that cannot be shown is no answer, and it proves nothing about the account.
  const verdict = checkPlainText(accountName, { codePointsMax: ACCOUNT_NAME_CODE_POINTS_MAX });
  if (accountName === '' || verdict !== 'ok') {
    return { kind: 'unreachable', cause: 'the operator gave a name that cannot be read' };
  }
  return { kind: 'resolved', accountName };
}
