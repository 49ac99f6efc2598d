import type { StaffTransfer } from '../../api/staff-types.ts';

/** What stands for the route of a transfer that waits for its time or for people. */
const NO_ROUTE = '-';

export function isRouted({ route }: Pick<StaffTransfer, 'route'>): boolean {
  return route !== NO_ROUTE;
}
