import { changeFile, deleteFile } from '../../payout-files/change-file.ts';
import { requestNameChecks } from '../../payout-files/request-name-checks.ts';
import { idParameter } from '../schemas/id-parameter.ts';
import { DeletedFile, PayoutFileBody, PayoutFileObject } from '../schemas/payout-file-schema.ts';
import type { ApiOperation } from '../server/api-operation.ts';
import { createFieldReader } from '../server/field-reader.ts';
import type { PayoutFileDeps } from './payout-file-deps.ts';
import { readFileId, showFile } from './read-file-path.ts';

const WRITES = {
  tag: 'Payout files',
  scope: 'transfers:write',
  permission: 'payouts:write',
} as const;

export function changePayoutFileOperation(deps: PayoutFileDeps): ApiOperation {
  return {
    ...WRITES,
    method: 'PUT',
    path: '/payout-files/:id',
    operationId: 'changePayoutFile',
    summary: 'Name a payout file, or choose its wallet',
    description: 'Of a draft. What you leave out stays as it is.',
    schema: {
      params: idParameter('payout file'),
      body: PayoutFileBody,
      data: { 200: PayoutFileObject },
    },
    async handle({ caller, params, body = new Map() }) {
      const read = createFieldReader(body, Object.keys(PayoutFileBody.properties));
      const isGiven = (body.get('walletId') ?? null) !== null;
      const { name, walletId } = read.checked({
        name: read.optionalText('name'),
        walletId: isGiven ? read.walletId('walletId') : null,
      });
      const { book, actor } = caller;
      const fileId = readFileId(params);
      const chosen = { name: name?.trim() === '' ? null : name, walletId };
      await changeFile(deps, { book, actor, fileId, ...chosen });
      const data = await showFile(deps, caller, fileId);
      return { status: 200, message: 'Payout file changed', data };
    },
  };
}

export function deletePayoutFileOperation(deps: PayoutFileDeps): ApiOperation {
  return {
    ...WRITES,
    method: 'DELETE',
    path: '/payout-files/:id',
    operationId: 'deletePayoutFile',
    summary: 'Delete a payout file',
    description: 'One that was never submitted, with its rows.',
    schema: { params: idParameter('payout file'), data: { 200: DeletedFile } },
    async handle({ caller: { book, actor }, params }) {
      const id = readFileId(params);
      await deleteFile(deps, { book, actor, fileId: id });
      return { status: 200, message: 'Payout file deleted', data: { id } };
    },
  };
}

export function checkNamesOperation(deps: PayoutFileDeps): ApiOperation {
  return {
    ...WRITES,
    method: 'POST',
    path: '/payout-files/:id/check-names',
    operationId: 'checkPayoutNames',
    summary: 'Check the names of a payout file',
    description:
      'Of a draft. Operators are asked in the background, within their rate limits, whose accounts the numbers are. ' +
      '`names` shows how far it is, and each row what its operator said. A number without an account is a problem, ' +
      'another name a warning.',
    schema: { params: idParameter('payout file'), data: { 200: PayoutFileObject } },
    async handle({ caller, params }) {
      const fileId = readFileId(params);
      const { book, actor } = caller;
      await requestNameChecks(deps, { book, actor, fileId });
      deps.nameChecker.wake();
      const data = await showFile(deps, caller, fileId);
      return { status: 200, message: 'Names are being checked', data };
    },
  };
}
