import { Type } from 'typebox';
import { parseReference } from '../../domain/reference.ts';
import { refuse } from '../../domain/refusal.ts';
import { parseUuid } from '../../domain/uuid.ts';
import type { Queryable } from '../../postgres/database.ts';
import { findTransfer, findTransferByReference } from '../../transfers/read/find-transfer.ts';
import { idParameter } from '../schemas/id-parameter.ts';
import { TransferObject } from '../schemas/transfer-schema.ts';
import type { ApiOperation } from '../server/api-operation.ts';
import { renderWithApproval } from './render-with-approval.ts';

type Deps = Readonly<{ database: Queryable }>;

export function getTransferOperation({ database }: Deps): ApiOperation {
  return {
    method: 'GET',
    path: '/transfers/:id',
    operationId: 'getTransfer',
    tag: 'Transfers',
    scope: 'read',
    permission: 'payouts:read',
    summary: 'Get a transfer',
    description: 'One transfer of the book, as it is now.',
    schema: {
      params: idParameter('transfer'),
      data: { 200: TransferObject },
    },
    async handle({ caller: { book, actor }, params }) {
      const id = parseUuid(params.id ?? '');
      const transfer =
        id && (await findTransfer(database, { bookId: book.id, mode: book.mode, id }));
      if (!transfer) throw refuse('TRANSFER_NOT_FOUND');
      const data = await renderWithApproval(database, transfer, { book, actor });
      return { status: 200, message: 'Transfer found', data };
    },
  };
}

export function getTransferByReferenceOperation({ database }: Deps): ApiOperation {
  return {
    method: 'GET',
    path: '/transfers/status/:reference',
    operationId: 'getTransferByReference',
    tag: 'Transfers',
    scope: 'read',
    permission: 'payouts:read',
    summary: 'Get a transfer by its reference',
    description:
      'Use it if the answer to a transfer was lost. References `.` and `..` must be percent-encoded; ' +
      "clients that normalise paths use the list's `reference` filter.",
    schema: {
      params: Type.Object({ reference: Type.String({ description: 'Your reference.' }) }),
      data: { 200: TransferObject },
    },
    async handle({ caller: { book, actor }, params }) {
      const reference = parseReference(params.reference ?? '');
      const transfer =
        reference &&
        (await findTransferByReference(database, {
          bookId: book.id,
          mode: book.mode,
          reference,
        }));
      if (!transfer) throw refuse('TRANSFER_NOT_FOUND');
      const data = await renderWithApproval(database, transfer, { book, actor });
      return { status: 200, message: 'Transfer found', data };
    },
  };
}
