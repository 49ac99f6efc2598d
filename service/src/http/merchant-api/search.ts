import { fieldProblem } from '../../domain/field-problem.ts';
import { checkPlainText } from '../../domain/plain-text.ts';
import { refuse } from '../../domain/refusal.ts';
import type { Queryable } from '../../postgres/database.ts';
import { searchTransfers } from '../../transfers/read/search-transfers.ts';
import { renderTransfer } from '../../views/render-transfer.ts';
import { SEARCH_LENGTH_MAX, SearchQuery, SearchResult } from '../schemas/search-schema.ts';
import type { PeopleOperation } from '../server/api-operation.ts';
import { createQueryReader } from './read-page.ts';

export function searchOperation(
  deps: Readonly<{ database: Queryable; now: () => Date }>,
): PeopleOperation {
  return {
    method: 'GET',
    path: '/search',
    operationId: 'search',
    tag: 'Transfers',
    permission: 'payouts:read',
    readsPage: true,
    summary: 'Find transfers by one text',
    description:
      'The text may be an id, a reference, an operator reference, a receipt, or a number in any spelling.',
    schema: { querystring: SearchQuery, data: { 200: SearchResult } },
    async handle({ caller: { book }, query }) {
      const read = createQueryReader(query, Object.keys(SearchQuery.properties));
      const { q } = read.checked({ q: read.word('q', isSearchable, 'INVALID_TEXT') });
      if (q === null) throw refuse('VALIDATION_ERROR', { fields: [fieldProblem('q', 'REQUIRED')] });
      const text = q.trim();
      const found = await searchTransfers(deps.database, { book, text, now: deps.now() });
      return {
        status: 200,
        message: found.items.length === 0 ? 'Nothing found' : 'Transfers found',
        data: {
          items: found.items.map(renderTransfer),
          searched: { as: found.kinds, text },
        },
      };
    },
  };
}

function isSearchable(text: string): text is string {
  return text.trim() !== '' && checkPlainText(text, { codePointsMax: SEARCH_LENGTH_MAX }) === 'ok';
}
