import { actAs } from '../acts/act-as.ts';
import { recordAct } from '../acts/record-act.ts';
import type { PersonActor } from '../domain/actor.ts';
import { AdminRefused } from '../domain/admin-refused.ts';
import { type Currency, formatMinor, parseDecimal } from '../domain/money.ts';
import { refuse } from '../domain/refusal.ts';
import type { Database, Queryable, Statement } from '../postgres/database.ts';
import { listFloats, type RouteFloat } from './list-floats.ts';

/** `500000.00` came into the account, `-12.50` left it. */
export function readFloatChange(text: string): bigint {
  const amountMinor = parseDecimal(text.replace(/^-/, ''));
  if (amountMinor === undefined) throw new AdminRefused('FLOAT_CHANGE_INVALID', {});
  return text.startsWith('-') ? -amountMinor : amountMinor;
}

type Explanation = Readonly<{
  actor: PersonActor;
  route: string;
  currency: Currency;
  amountMinor: bigint;
  reason: string;
  /** What the person saw (`floatSeen`); null or left out: the caller does not say. */
  seen?: string | null;
}>;

/** Changes when a person explains a difference, and not with payouts or readings. Null: nothing differs yet. */
export function floatSeen({ openingMinor, openedAt }: RouteFloat): string | null {
  if (openingMinor === null) return null;
  return `${formatMinor(openingMinor)} ${openedAt?.toISOString() ?? ''}`.trim();
}

/**
 * Tells our own books of money that came into the account of a route, or left it, by other ways than payouts: a top-up,
 * or what the operator charges. Only the figure that we compare with changes; no wallet does.
 */
export async function explainFloat(
  deps: Readonly<{ directory: Database; now: () => Date; newId: () => string }>,
  { actor, route, currency, amountMinor, reason, seen = null }: Explanation,
): Promise<RouteFloat> {
  return actAs({ database: deps.directory }, actor, async (tx) => {
    // Locks the float, so that two people change it one after the other.
    const locked = await tx.query<{ route: string; opening_minor: bigint | null }>(LOCK, [
      route,
      currency,
    ]);
    const found = locked.find((row) => row.route === route);
    if (found === undefined) throw new AdminRefused('FLOAT_NOT_FOUND', {});
    if (found.opening_minor === null) throw new AdminRefused('FLOAT_UNREPORTED', { route });
    const before = await findFloat(tx, route, currency);
    if (seen !== null && seen !== floatSeen(before)) throw refuse('CONTENT_CHANGED', EXPLAINED);
    await tx.query(CHANGE, [route, currency, amountMinor]);
    const after = await findFloat(tx, route, currency);
    await recordAct(tx, deps, {
      actor,
      kind: 'FLOAT_EXPLAINED',
      subject: route,
      merchantId: null,
      reason,
      before: { ours: describe(before) },
      after: { ours: describe(after), amount: `${currency} ${formatMinor(amountMinor)}` },
    });
    return after;
  });
}

const EXPLAINED = {
  message:
    'The float is not as you saw it: a difference was explained meanwhile. Nothing was changed. Look at it again.',
};

const describe = ({ currency, oursMinor }: RouteFloat): string =>
  `${currency} ${formatMinor(oursMinor ?? 0n)}`;

async function findFloat(tx: Queryable, route: string, currency: Currency): Promise<RouteFloat> {
  const found = (await listFloats(tx)).find(
    (float) => float.route === route && float.currency === currency,
  );
  if (found === undefined) throw new AdminRefused('FLOAT_NOT_FOUND', {});
  return found;
}

/** The float itself, and those of routes that pay from the same account. */
const SHARES_ACCOUNT = `
  f.currency = $2 and (f.route = $1 or f.account = (
    select g.account from route_floats g where g.route = $1 and g.currency = $2
  ))`;

const LOCK: Statement = {
  name: '',
  text: `
    select f.route, f.opening_minor from route_floats f where ${SHARES_ACCOUNT} order by f.route for update`,
};

const CHANGE: Statement = {
  name: '',
  text: `
    update route_floats f set opening_minor = f.opening_minor + $3::bigint
    where ${SHARES_ACCOUNT} and f.opening_minor is not null`,
};
