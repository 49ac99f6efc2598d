import { mergeCells } from '../../cells/merge-cells.ts';
import { fieldProblem } from '../../domain/field-problem.ts';
import { checkPlainText } from '../../domain/plain-text.ts';
import { refuse } from '../../domain/refusal.ts';
import { readSearch, searchAllTransfers } from '../../transfers/read/search-all-transfers.ts';
import { createQueryReader } from '../merchant-api/read-page.ts';
import { SearchQuery, StaffSearchResult } from '../schemas/staff-transfer-schema.ts';
import { renderStaffTransfer } from './render-staff.ts';
import type { StaffDeps } from './staff-deps.ts';
import { staffOperation } from './staff-operation.ts';

const FOUND_MAX = 20;
const TEXT_LENGTH_MAX = 100;

export function searchAllTransfersOperation({ cells }: Pick<StaffDeps, 'cells'>) {
  return staffOperation({
    method: 'GET',
    path: '/search',
    operationId: 'searchAllTransfers',
    permission: 'operations:read',
    readsPage: true,
    summary: 'Find transfers of all books by one text',
    description: 'By id, reference, operator reference, receipt or number, newest first.',
    schema: { querystring: SearchQuery, data: { 200: StaffSearchResult } },
    async handle({ query }) {
      const read = createQueryReader(query, Object.keys(SearchQuery.properties));
      const { q } = read.checked({ q: read.word('q', isSearchText, 'INVALID_TEXT', SEARCH_TEXT) });
      if (q === null) throw refuse('VALIDATION_ERROR', { fields: [fieldProblem('q', 'REQUIRED')] });
      const terms = readSearch(q);
      const { items, more, unansweredCells } = await mergeCells(cells, {
        limit: FOUND_MAX,
        read: (database, max) => searchAllTransfers(database, { terms, max }),
        compare: (a, b) => (a.transfer.id < b.transfer.id ? 1 : -1),
      });
      return {
        status: 200,
        message: 'Transfers found',
        data: {
          items: items.map(renderStaffTransfer),
          searched: { as: terms.kinds, text: terms.text },
          more,
          unansweredCells,
        },
      };
    },
  });
}

const SEARCH_TEXT = `1 to ${TEXT_LENGTH_MAX} characters without control characters.`;

function isSearchText(text: string): text is string {
  return text.trim() !== '' && checkPlainText(text, { codePointsMax: TEXT_LENGTH_MAX }) === 'ok';
}
