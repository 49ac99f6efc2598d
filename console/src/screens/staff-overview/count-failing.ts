import type { FailingEndpoint } from '../../api/staff-types.ts';

/** Endpoints that do not take their events, as the other figures: of live books. */
export function countFailing(failing: readonly FailingEndpoint[]) {
  const live = failing.filter(({ mode }) => mode === 'live');
  return {
    endpoints: live.length,
    merchants: new Set(live.map(({ merchant }) => merchant.id)).size,
    waiting: live.reduce((sum, one) => sum + one.waiting, 0),
  };
}
