import type { FloatFigures } from '../telemetry/metric-sources.ts';
import type { RouteFloat } from './list-floats.ts';

/** A float as metrics show it. */
export function toFloatFigures(float: RouteFloat): FloatFigures {
  // A metric is a double anyway.
  const units = (minor: bigint | null) => (minor === null ? null : Number(minor) / 100);
  return {
    route: float.route,
    currency: float.currency,
    level: float.level,
    operator: units(float.operatorMinor),
    ours: units(float.oursMinor),
    spendable: units(float.spendableMinor),
    leftSeconds: float.hoursLeft === null ? null : float.hoursLeft * 3_600,
    ageSeconds: float.ageMs === null ? null : float.ageMs / 1_000,
  };
}
