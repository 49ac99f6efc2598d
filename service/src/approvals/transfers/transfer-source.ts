import type { Queryable } from '../../postgres/database.ts';
import { renderTransfer } from '../../views/render-transfer.ts';
import type { ApprovalSource, Awaiting } from '../approval-source.ts';
import { type DecideDeps, decideTransfer } from './decide-transfer.ts';
import { findWaiting, listWaiting, type WaitingTransfer } from './find-waiting.ts';

/** Transfers, for the list of what waits and for decisions about many. */
export function createTransferSource(deps: DecideDeps): ApprovalSource {
  return {
    kind: 'transfer',
    async list(database: Queryable, book, page) {
      return (await listWaiting(database, book, page)).map(toAwaiting);
    },
    async find(database, book, ids) {
      return (await findWaiting(database, book, ids)).map(toAwaiting);
    },
    decide: ({ book, id }, request) => decideTransfer(deps, { ...request, book, id }),
  };
}

function toAwaiting({ transfer, subject, maker }: WaitingTransfer): Awaiting {
  const isAwaiting = transfer.state === 'awaiting_approval';
  return {
    ...subject,
    isAwaiting,
    expiresAt: isAwaiting ? transfer.nextActionAt : null,
    createdAt: transfer.createdAt,
    policyVersion: transfer.policyVersion,
    maker,
    shown: renderTransfer(transfer),
  };
}
