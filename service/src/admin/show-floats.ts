import { formatMinor } from '../domain/money.ts';
import { listFloats, type RouteFloat } from '../floats/list-floats.ts';
import type { AdminDeps, Answer } from './add-command.ts';
import { formatTable } from './format-table.ts';

/** `routes float`: what the running service last learnt; no operator is asked. */
export async function showFloats({ directory }: AdminDeps): Promise<Answer> {
  const floats = await listFloats(directory);
  return {
    json: { floats: floats.map(toJson) },
    text:
      floats.length === 0
        ? 'No float is known yet: the service reads them while it runs with a route file.'
        : formatTable(COLUMNS, floats.map(toCells)),
  };
}

const COLUMNS = [
  { title: 'route' },
  { title: 'level' },
  { title: '' },
  { title: 'ours', align: 'right' },
  { title: "operator's", align: 'right' },
  { title: 'difference', align: 'right' },
  { title: 'under way', align: 'right' },
  { title: 'queued', align: 'right' },
  { title: 'spendable', align: 'right' },
  { title: 'hours left', align: 'right' },
  { title: 'seconds old', align: 'right' },
  { title: 'problem' },
] as const;

const UNKNOWN = 'unknown';

const amountOr = (minor: bigint | null): string => (minor === null ? UNKNOWN : formatMinor(minor));

function toCells(float: RouteFloat): readonly string[] {
  return [
    float.route,
    float.level,
    float.currency,
    amountOr(float.oursMinor),
    amountOr(float.operatorMinor),
    amountOr(float.differenceMinor),
    formatMinor(float.underWayMinor),
    formatMinor(float.queuedMinor),
    amountOr(float.spendableMinor),
    float.hoursLeft === null ? UNKNOWN : float.hoursLeft.toFixed(1),
    float.ageMs === null ? UNKNOWN : String(Math.round(float.ageMs / 1_000)),
    float.reportsBalance ? (float.error ?? '') : 'the operator reports no balance',
  ];
}

function toJson(float: RouteFloat) {
  const amount = (minor: bigint | null) => (minor === null ? null : formatMinor(minor));
  return {
    route: float.route,
    currency: float.currency,
    level: float.level,
    reportsBalance: float.reportsBalance,
    ours: amount(float.oursMinor),
    operators: amount(float.operatorMinor),
    difference: amount(float.differenceMinor),
    readAt: float.readAt?.toISOString() ?? null,
    error: float.error,
    underWay: formatMinor(float.underWayMinor),
    queued: formatMinor(float.queuedMinor),
    spendable: amount(float.spendableMinor),
    hoursLeft: float.hoursLeft,
  };
}
