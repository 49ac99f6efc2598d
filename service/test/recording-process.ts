import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Outcome } from '../src/domain/outcome.ts';
import type { Transfer } from '../src/domain/transfer.ts';
import type { Connector } from '../src/operators/contract/connector.ts';
import { createCommitQueue } from '../src/postgres/commit-queue.ts';
import type { Database } from '../src/postgres/database.ts';
import { type Move, moveTransfers } from '../src/transfers/move/move-transfers.ts';
import {
  type AnswerToRecord,
  type Recorded,
  recordOutcome,
} from '../src/transfers/move/record-outcome.ts';
import { scriptRoute } from './fake-route.ts';
import { newTestId } from './stored-doubt.ts';

export const RECORDING_ROUTE = 'mtn-zm';

/** A process with its own lease owner, which records answers to inquiries. */
export function openRecordingProcess(
  database: Database,
  {
    abilities = {},
    afterCommit = () => undefined,
  }: Readonly<{
    abilities?: Partial<Connector['abilities']>;
    /** Called when a move is committed, before the process hears of it. */
    afterCommit?: () => void;
  }> = {},
) {
  const leaseOwner = randomUUID();
  const moves = createCommitQueue<Move, boolean>({
    ownerOf: ({ transfer }) => transfer.bookId,
    concurrency: 1,
    groupMax: 10,
    waitingMax: 10,
    async commit(group) {
      const moved = await moveTransfers(database, {
        moves: group,
        mover: leaseOwner,
        at: new Date(),
      });
      afterCommit();
      return moved;
    },
    mayBeOneCommandsFault: () => false,
    monotonicMs: () => performance.now(),
  });
  const deps = { database, moves, now: () => new Date(), newId: newTestId };
  const [route] = scriptRoute({
    name: RECORDING_ROUTE,
    abilities: { notFoundIsFinal: true, ...abilities },
  }).routes.all();
  assert.ok(route !== undefined);
  const record = (
    transfer: Transfer,
    outcome: Outcome,
    given: Partial<AnswerToRecord> = {},
  ): Promise<Recorded> =>
    recordOutcome(deps, {
      transfer,
      route,
      account: null,
      purpose: 'inquire',
      reply: { outcome, wire: null },
      attemptId: newTestId(),
      ...given,
    });
  return { leaseOwner, record };
}
