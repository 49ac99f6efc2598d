import { randomUUID } from 'node:crypto';
import type { Queryable } from '../src/postgres/database.ts';
import { type Move, moveTransfers } from '../src/transfers/move/move-transfers.ts';

/** Makes each move by itself, without a commit queue. */
export function directMoves(database: Queryable) {
  return {
    async submit(move: Move): Promise<boolean> {
      const group = { moves: [move], mover: randomUUID(), at: new Date() };
      const [moved = false] = await moveTransfers(database, group);
      return moved;
    },
  };
}
