import { type FloatVerdict, floatVerdict } from '../domain/float.ts';
import type { Currency } from '../domain/money.ts';
import type { Route } from '../operators/routes/route.ts';
import type { Queryable } from '../postgres/database.ts';
import { listFloats, type RouteFloat } from './list-floats.ts';

/** What is to be paid by a route. */
export type FloatNeed = Readonly<{
  route: Route | undefined;
  currency: Currency;
  neededMinor: bigint;
}>;

/**
 * Says for each of these whether the float is enough for all of them together, since routes may share an account. Null:
 * nothing is to be paid. Merchants may know the verdict; the figures are the company's.
 */
export async function judgeFloats(
  directory: Queryable,
  needs: readonly FloatNeed[],
): Promise<readonly (FloatVerdict | null)[]> {
  const isAsked = needs.some(({ route, neededMinor }) => needsFloat(route) && neededMinor > 0n);
  const floats = isAsked ? await listFloats(directory) : [];
  const found = needs.map(({ route, currency }) =>
    floats.find((float) => float.route === route?.name && float.currency === currency),
  );
  return needs.map(({ route, neededMinor }, index) => {
    if (neededMinor <= 0n) return null;
    // The sandbox pays from no account.
    if (route !== undefined && !needsFloat(route)) return 'enough';
    const float = found[index];
    if (float === undefined) return 'unknown';
    const together = needs
      .filter((_, other) => sharesAccount(float, found[other]))
      .reduce((sum, need) => sum + need.neededMinor, 0n);
    return floatVerdict(float.spendableMinor, together);
  });
}

const needsFloat = (route: Route | undefined): boolean =>
  route !== undefined && route.float !== null;

function sharesAccount(float: RouteFloat, other: RouteFloat | undefined): boolean {
  if (other === undefined || other.currency !== float.currency) return false;
  return other.route === float.route || (float.account !== null && other.account === float.account);
}

/** Whether the operator lately said that the account of a route holds less than this amount. */
export async function isFloatBelow(
  directory: Queryable,
  {
    route,
    currency,
    amountMinor,
  }: Readonly<{ route: string; currency: Currency; amountMinor: bigint }>,
): Promise<boolean> {
  const float = (await listFloats(directory)).find(
    (one) => one.route === route && one.currency === currency,
  );
  if (float === undefined || float.operatorMinor === null || float.level === 'unknown')
    return false;
  return float.operatorMinor < amountMinor;
}
