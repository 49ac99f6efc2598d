import type { CallbackReceiver } from '../http/server/serve-callbacks.ts';
import { payoutsPerSecond } from '../operators/routes/payouts-per-second.ts';
import { findCallbackCell } from '../transfers/callbacks/find-callback-cell.ts';
import { isCallbackToken, readRouteCallback } from '../transfers/callbacks/receive-callback.ts';
import type { ComposedCell } from './cell.ts';
import type { CellKeeper } from './cell-keeper.ts';
import type { Runtime } from './runtime.ts';

/** A callback names no cell, so the cell that has its transfer is looked up, and the callback is stored there. */
export function composeCallbacks(
  { routes, now }: Runtime,
  cells: CellKeeper<ComposedCell>,
): CallbackReceiver {
  return {
    isToken: (path) => isCallbackToken(routes, path),
    payoutsPerSecond: (name) => payoutsPerSecond(routes, name),
    async store(callback) {
      const read = readRouteCallback(routes, callback);
      const alone = cells.alone();
      if (alone !== undefined) return alone.storeCallback(read);
      const { reading } = read;
      const operatorReference = reading.kind === 'read' ? reading.operatorReference : null;
      const asked = { cells: cells.answering(), down: cells.down() };
      const cell = await findCallbackCell(asked, { operatorReference, at: now() });
      return cell.storeCallback(read);
    },
  };
}
