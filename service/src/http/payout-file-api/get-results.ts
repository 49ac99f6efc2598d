import { findDraftContent } from '../../payout-files/find-draft-content.ts';
import { readResults } from '../../payout-files/results/read-results.ts';
import { type ResultFormat, writeResults } from '../../payout-files/results/write-results.ts';
import { CSV_CONTENT_TYPE } from '../merchant-api/csv.ts';
import { createQueryReader } from '../merchant-api/read-page.ts';
import { idParameter } from '../schemas/id-parameter.ts';
import { ResultsQuery } from '../schemas/payout-file-life-schema.ts';
import type { ApiOperation } from '../server/api-operation.ts';
import type { FileLifeDeps } from './file-life-deps.ts';
import { readFileId } from './read-file-path.ts';

const XLSX_CONTENT_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const CONTENT_TYPES: Readonly<Record<ResultFormat, string>> = {
  csv: CSV_CONTENT_TYPE,
  xlsx: XLSX_CONTENT_TYPE,
};

export function getResultsOperation({ database }: Pick<FileLifeDeps, 'database'>): ApiOperation {
  return {
    method: 'GET',
    path: '/payout-files/:id/results',
    operationId: 'getPayoutFileResults',
    tag: 'Payout files',
    scope: 'read',
    permission: 'payouts:read',
    readsPage: true,
    answersWith: 'file',
    summary: 'Download the results of a payout file',
    description:
      'Every row with what became of it until now, as CSV or as a workbook: by `format`, else by the header Accept. In ' +
      'CSV a cell that a spreadsheet would run as a formula begins with an apostrophe. Four downloads at a time, and eight ' +
      'of all people and keys of the merchant: else 429.',
    schema: { params: idParameter('payout file'), querystring: ResultsQuery, data: {} },
    async handle({ caller: { book }, params, query, header }) {
      const read = createQueryReader(query, Object.keys(ResultsQuery.properties));
      const { asked } = read.checked({
        asked: read.word('format', isFormat, 'INVALID_TEXT', 'One of csv, xlsx.'),
      });
      const key = { bookId: book.id, id: readFileId(params) };
      await findDraftContent(database, key);
      const format = asked ?? formatOf(header('accept'));
      return {
        status: 200,
        contentType: CONTENT_TYPES[format],
        parts: writeResults(readResults(database, key), format),
        headers: {
          'content-disposition': `attachment; filename="results-${key.id}.${format}"`,
          vary: 'Accept',
        },
      };
    },
  };
}

function isFormat(text: string): text is ResultFormat {
  return text === 'csv' || text === 'xlsx';
}

function formatOf(accept = ''): ResultFormat {
  return accept.includes('spreadsheetml') ? 'xlsx' : 'csv';
}
