import { submitFile } from '../../payout-files/submit-file.ts';
import { idParameter } from '../schemas/id-parameter.ts';
import { SubmitFileBody } from '../schemas/payout-file-life-schema.ts';
import { PayoutFileObject } from '../schemas/payout-file-schema.ts';
import type { ApiOperation, ApiRequest } from '../server/api-operation.ts';
import { createFieldReader } from '../server/field-reader.ts';
import { JsonNumber } from '../server/strict-json.ts';
import type { FileLifeDeps } from './file-life-deps.ts';
import { readFileId, showFile } from './read-file-path.ts';

const HASH = /^[0-9a-f]{64}$/;
const VERSION = /^[1-9]\d{0,8}$/;
const VERSION_HELP = 'The version of the file: a whole number.';
const HASH_HELP = 'The contentHash of the file: 64 hexadecimal digits.';

export function submitFileOperation(deps: FileLifeDeps): ApiOperation {
  return {
    method: 'POST',
    path: '/payout-files/:id/submit',
    operationId: 'submitPayoutFile',
    tag: 'Payout files',
    scope: 'transfers:write',
    permission: 'payouts:write',
    summary: 'Submit a payout file',
    description:
      'Freezes a draft without problems under its `contentHash`. The policy judges its rows and its total: then it ' +
      'waits as `awaiting_approval`, waits for `payAt` as `scheduled`, or is `paying`. Funds are held row by row as ' +
      'transfers are made, and a row that cannot be paid then is refused alone. Sending the same call again changes ' +
      'nothing: the references of the transfers follow from file and row.',
    schema: {
      params: idParameter('payout file'),
      body: SubmitFileBody,
      data: { 200: PayoutFileObject },
    },
    async handle({ caller, params, body = new Map() }) {
      const id = readFileId(params);
      await submitFile(deps, {
        book: caller.book,
        actor: caller.actor,
        id,
        ...readSubmission(body),
      });
      deps.wake();
      return {
        status: 200,
        message: 'Payout file submitted',
        data: await showFile(deps, caller, id),
      };
    },
  };
}

function readSubmission(body: NonNullable<ApiRequest['body']>) {
  const read = createFieldReader(body, Object.keys(SubmitFileBody.properties));
  const contentHash = body.get('contentHash') ?? null;
  const isHash =
    contentHash === null || (typeof contentHash === 'string' && HASH.test(contentHash));
  if (!isHash) read.problem('contentHash', 'INVALID_TEXT', HASH_HELP);
  const version = body.get('version') ?? null;
  const isVersion = version instanceof JsonNumber && VERSION.test(version.lexeme);
  if (version !== null && !isVersion) read.problem('version', 'INVALID_TEXT', VERSION_HELP);
  return read.checked({
    version: isVersion ? Number(version.lexeme) : null,
    contentHash: typeof contentHash === 'string' ? contentHash : null,
    walletId: (body.get('walletId') ?? null) === null ? null : read.walletId('walletId'),
    payAt: read.sendAt('payAt'),
  });
}
