import type { Transfer } from '../../domain/transfer.ts';
import type { Route, Routes } from '../../operators/routes/route.ts';
import { findRoute } from './initiate-transfer.ts';

/**
 * The route of a transfer that was ordered earlier and may be sent now. A person holds a route after a restore, because it
 * may have paid what the database has forgotten: then the transfer waits for that route. If its amount fits no route now,
 * it waits in the queue of the first, as any other does.
 */
export function chooseDueRoute(routes: Routes, transfer: Transfer): Route | undefined {
  const { mode, operator, country, amountMinor } = transfer;
  const all = routes.list({ mode, operator, country });
  const held = all.find(({ limiter }) => limiter.isHeld());
  return held ?? findRoute(all, amountMinor).route ?? all[0];
}
