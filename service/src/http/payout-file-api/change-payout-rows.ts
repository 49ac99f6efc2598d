import { type FieldProblem, fieldProblem } from '../../domain/field-problem.ts';
import type { RowField } from '../../domain/payout-file/row-fields.ts';
import { checkPlainText } from '../../domain/plain-text.ts';
import { refuse } from '../../domain/refusal.ts';
import {
  type Corrections,
  correctRow,
  dropProblemRows,
  dropRow,
  restoreRow,
} from '../../payout-files/change-row.ts';
import { idParameter } from '../schemas/id-parameter.ts';
import {
  DroppedRows,
  PayoutRowBody,
  PayoutRowObject,
  RowParameters,
} from '../schemas/payout-row-schema.ts';
import type { ApiOperation } from '../server/api-operation.ts';
import { JsonNumber, type JsonObject } from '../server/strict-json.ts';
import type { PayoutFileDeps } from './payout-file-deps.ts';
import { readFileId, readRowNumber } from './read-file-path.ts';
import { renderPayoutRow } from './render-payout-file.ts';

const WRITES = {
  tag: 'Payout files',
  scope: 'transfers:write',
  permission: 'payouts:write',
} as const;
const FIELDS = Object.keys(PayoutRowBody.properties);
const TEXT_LENGTH_MAX = 400;

export function correctPayoutRowOperation(deps: PayoutFileDeps): ApiOperation {
  return {
    ...WRITES,
    method: 'PUT',
    path: '/payout-files/:id/rows/:number',
    operationId: 'correctPayoutRow',
    summary: 'Correct a row',
    description:
      'Of a draft. The fields that you give replace those of the file, and the row is checked anew. A row that was ' +
      'dropped comes back.',
    schema: { params: RowParameters, body: PayoutRowBody, data: { 200: PayoutRowObject } },
    async handle({ caller: { book, actor }, params, body = new Map() }) {
      const corrections = readCorrections(body);
      const row = await correctRow(deps, {
        book,
        actor,
        fileId: readFileId(params),
        number: readRowNumber(params),
        corrections,
      });
      return { status: 200, message: 'Row corrected', data: renderPayoutRow(row) };
    },
  };
}

/** Texts as people type them. A wrong one becomes a problem of its row; the call succeeds. */
function readCorrections(body: JsonObject): Corrections {
  const problems: FieldProblem[] = [];
  const corrections: Partial<Record<RowField, string | null>> = {};
  for (const [field, value] of body) {
    const text = value instanceof JsonNumber && field === 'amount' ? value.lexeme : value;
    if (!isField(field)) problems.push(fieldProblem(field.slice(0, 60), 'UNKNOWN_FIELD'));
    else if (text === null) corrections[field] = null;
    else if (typeof text !== 'string') {
      problems.push(fieldProblem(field, 'INVALID_TEXT', 'Must be a text, or null.'));
    } else {
      const verdict = checkPlainText(text, { codePointsMax: TEXT_LENGTH_MAX });
      if (verdict === 'ok') corrections[field] = text;
      else problems.push(fieldProblem(field, verdict));
    }
  }
  if (problems.length > 0) throw refuse('VALIDATION_ERROR', { fields: problems });
  return corrections;
}

function isField(text: string): text is RowField {
  return FIELDS.includes(text);
}

export function dropPayoutRowOperation(deps: PayoutFileDeps): ApiOperation {
  return {
    ...WRITES,
    method: 'DELETE',
    path: '/payout-files/:id/rows/:number',
    operationId: 'dropPayoutRow',
    summary: 'Drop a row',
    description: 'Of a draft. It stays in the file and is not paid; it can be restored.',
    schema: { params: RowParameters, data: { 200: PayoutRowObject } },
    async handle({ caller: { book, actor }, params }) {
      const place = { fileId: readFileId(params), number: readRowNumber(params) };
      const row = await dropRow(deps, { book, actor, ...place });
      return { status: 200, message: 'Row dropped', data: renderPayoutRow(row) };
    },
  };
}

export function restorePayoutRowOperation(deps: PayoutFileDeps): ApiOperation {
  return {
    ...WRITES,
    method: 'POST',
    path: '/payout-files/:id/rows/:number/restore',
    operationId: 'restorePayoutRow',
    summary: 'Restore a dropped row',
    description: 'Of a draft. It is checked anew.',
    schema: { params: RowParameters, data: { 200: PayoutRowObject } },
    async handle({ caller: { book, actor }, params }) {
      const place = { fileId: readFileId(params), number: readRowNumber(params) };
      const row = await restoreRow(deps, { book, actor, ...place });
      return { status: 200, message: 'Row restored', data: renderPayoutRow(row) };
    },
  };
}

export function dropProblemRowsOperation(deps: PayoutFileDeps): ApiOperation {
  return {
    ...WRITES,
    method: 'POST',
    path: '/payout-files/:id/drop-problems',
    operationId: 'dropProblemRows',
    summary: 'Drop all rows that cannot be paid',
    description: 'Of a draft: all rows in the state `problem`. Each can be restored.',
    schema: { params: idParameter('payout file'), data: { 200: DroppedRows } },
    async handle({ caller: { book, actor }, params }) {
      const dropped = await dropProblemRows(deps, { book, actor, fileId: readFileId(params) });
      return { status: 200, message: 'Rows dropped', data: { dropped } };
    },
  };
}
