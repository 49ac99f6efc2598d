import type { Routes } from './route.ts';

/**
 * How many payouts a second may bring callbacks to the address of this route: those of all routes of its connector,
 * because an account that several routes share may have one address.
 */
export function payoutsPerSecond(routes: Pick<Routes, 'all' | 'named'>, name: string): number {
  const family = routes.named(name)?.family;
  const sharing = routes.all().filter((route) => route.family === family);
  return sharing.reduce((sum, { limiter }) => sum + limiter.submitsPerSecond(), 0);
}
