import { formatMinor } from '../../domain/money.ts';
import type { Account, Connector } from '../contract/connector.ts';

/** The result of one request to an operator, in words for a person. */
type Finding = Readonly<{ ok: boolean; text: string }>;

export type RouteCheck = Readonly<{
  /** If the balance is returned, then token, signature and address all work. */
  access: Finding;
  name: Finding;
  takesPayouts: Finding;
}>;

/** Tests a route with requests that move no money. */
export async function checkRoute(connector: Connector, account: Account): Promise<RouteCheck> {
  // In sequence: the first request also opens the session that the next ones need.
  const access = await checkBalance(connector);
  const name = await checkName(connector, account);
  return { access, name, takesPayouts: await checkConditions(connector) };
}

const found = (text: string): Finding => ({ ok: true, text });
const missed = (text: string): Finding => ({ ok: false, text });

async function checkBalance(connector: Connector): Promise<Finding> {
  const answer = await connector.balance?.();
  if (answer === undefined) return found('the operator reports no balance');
  if (answer.kind === 'unreachable') return missed(answer.cause);
  return found(`${formatMinor(answer.availableMinor)} ${answer.currency}`);
}

async function checkName(connector: Connector, account: Account): Promise<Finding> {
  if (connector.abilities.resolvesNames) {
    const answer = await connector.resolveName(account, { waitedMs: 0 });
    if (answer.kind === 'unreachable') return missed(answer.cause);
    return found(answer.kind === 'noAccount' ? 'no such account' : answer.accountName);
  }
  const prediction = await connector.predictOperator?.(account.phone);
  if (prediction === undefined) return found('the operator reports no names');
  return prediction.kind === 'known'
    ? found(`a number of ${prediction.operator}`)
    : missed(prediction.cause);
}

async function checkConditions(connector: Connector): Promise<Finding> {
  const conditions = await connector.readConditions?.();
  if (conditions === undefined) return found('does not say');
  if (conditions.kind === 'unreachable') return missed(conditions.cause);
  return conditions.open ? found('yes') : missed('closed for now');
}
