import { mergeCells } from '../../cells/merge-cells.ts';
import { isOperator } from '../../domain/operator.ts';
import { isTransferState } from '../../domain/transfer-state.ts';
import { parseUuid } from '../../domain/uuid.ts';
import { listAllTransfers } from '../../transfers/read/list-all-transfers.ts';
import { createQueryReader, encodeCursor } from '../merchant-api/read-page.ts';
import { StaffTransferPage, StaffTransferQuery } from '../schemas/staff-transfer-schema.ts';
import { isMode, isShortText } from './read-staff-query.ts';
import { renderStaffTransfer } from './render-staff.ts';
import type { StaffDeps } from './staff-deps.ts';
import { staffOperation } from './staff-operation.ts';

const LIST = 'all-transfers';

export function listAllTransfersOperation({ cells }: Pick<StaffDeps, 'cells'>) {
  return staffOperation({
    method: 'GET',
    path: '/transfers',
    operationId: 'listAllTransfers',
    permission: 'operations:read',
    readsPage: true,
    summary: 'List transfers of all books',
    description: 'Newest first. Filters combine. Numbers are masked.',
    schema: { querystring: StaffTransferQuery, data: { 200: StaffTransferPage } },
    async handle({ query }) {
      const read = createQueryReader(query, Object.keys(StaffTransferQuery.properties));
      const { limit, before, ...filter } = read.checked({
        limit: read.limit(),
        before: read.cursor(LIST, parseUuid),
        merchantId: read.uuid('merchantId', 'INVALID_ID'),
        mode: read.word('mode', isMode, 'INVALID_TEXT', 'One of test, live.'),
        references: read.references('reference'),
        state: read.word('state', isTransferState, 'INVALID_STATE'),
        operator: read.word('operator', isOperator, 'INVALID_OPERATOR'),
        route: read.word('route', isShortText, 'INVALID_TEXT'),
        phone: read.phone('phone', null),
        from: read.time('from'),
        to: read.time('to'),
      });
      const { items, more, unansweredCells } = await mergeCells(cells, {
        limit,
        read: (database, max) => listAllTransfers(database, { filter, max, before }),
        compare: (a, b) => (a.transfer.id < b.transfer.id ? 1 : -1),
      });
      const last = items.at(-1);
      const nextCursor = more && last !== undefined ? encodeCursor(LIST, last.transfer.id) : null;
      return {
        status: 200,
        message: 'Transfers listed',
        data: { items: items.map(renderStaffTransfer), nextCursor, unansweredCells },
      };
    },
  });
}
