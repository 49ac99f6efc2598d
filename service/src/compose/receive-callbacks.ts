import type { CallbackReceiver } from '../http/server/serve-callbacks.ts';
import { findCallbackCell } from '../transfers/callbacks/find-callback-cell.ts';
import { isCallbackToken, readCallback } from '../transfers/callbacks/receive-callback.ts';
import type { ComposedCell } from './cell.ts';
import type { CellKeeper } from './cell-keeper.ts';
import type { Runtime } from './runtime.ts';

/** Operators know nothing of cells: each callback is stored in the cell that has its transfer. */
export function composeCallbacks(
  { routes, now }: Runtime,
  cells: CellKeeper<ComposedCell>,
): CallbackReceiver {
  return {
    isToken: (path) => isCallbackToken(routes, path),
    async store(callback) {
      const read = readCallback(routes, callback);
      const { reading } = read;
      const operatorReference = reading.kind === 'read' ? reading.operatorReference : null;
      const cell = await findCallbackCell(cells.list(), { operatorReference, at: now() });
      return cell.storeCallback(read);
    },
  };
}
