import type { AmountBounds } from '../contract/connector.ts';
import type { Route } from './route.ts';

export function fitsBounds(amountMinor: bigint, bounds: AmountBounds): boolean {
  const { minMinor, maxMinor, decimals } = bounds;
  const isWhole = amountMinor % 100n === 0n;
  return amountMinor >= minMinor && amountMinor <= maxMinor && (decimals > 0 || isWhole);
}

/** The first route that accepts payouts now; if none does, the first, to queue there. */
export function preferOpen(routes: readonly Route[]): Route | undefined {
  return routes.find((route) => !route.limiter.isShut()) ?? routes[0];
}

/**
 * The next route of a transfer that was provably never sent: the next open one, at once; after the last one the first
 * again, after a pause. Undefined: there is no other.
 *
 * Held routes are passed over: they never had the transfer, and it would wait for a person. What leaves a held route
 * waits for it, because it may have paid it before a restore.
 */
export function routeAfter(
  routes: readonly Route[],
  left: Route,
): Readonly<{ route: Route; atOnce: boolean }> | undefined {
  if (left.limiter.isHeld()) return undefined;
  const notHeld = routes.filter(({ limiter }) => !limiter.isHeld());
  const index = notHeld.indexOf(left);
  const later = notHeld.slice(index + 1).find((route) => !route.limiter.isShut());
  if (later !== undefined) return { route: later, atOnce: true };
  const first = preferOpen(notHeld.filter((route) => route !== left));
  return first === undefined ? undefined : { route: first, atOnce: false };
}
