import { createHash, webcrypto } from 'node:crypto';
import { type FieldProblem, fieldProblem } from '../../domain/field-problem.ts';
import { checkPlainText } from '../../domain/plain-text.ts';
import { parseIdempotencyKey } from '../../domain/reference.ts';
import { Refusal, refuse } from '../../domain/refusal.ts';
import { parseUuid } from '../../domain/uuid.ts';
import { deleteFile } from '../../payout-files/change-file.ts';
import type { PayoutFile } from '../../payout-files/payout-file.ts';
import { ROW_REFERENCES } from '../../payout-files/row-reference.ts';
import { storeUpload, type Upload } from '../../payout-files/store-upload.ts';
import { PayoutFileObject, PayoutFileUploadQuery } from '../schemas/payout-file-schema.ts';
import { IdempotencyHeaders } from '../schemas/transfer-schema.ts';
import type { ApiOperation, ApiRequest } from '../server/api-operation.ts';
import { ClientGone } from '../server/collect-body.ts';
import type { ReceivedUpload } from '../server/read-upload.ts';
import { CheckWaiter } from './check-waiter.ts';
import type { PayoutFileDeps } from './payout-file-deps.ts';
import { showFile } from './read-file-path.ts';
import { explainFile } from './render-payout-file.ts';
import { refuseStored, refuseUnconfirmed } from './upload-refusals.ts';

const UPLOAD_BYTES_MAX = 20 * 1_024 * 1_024;
const NAME_LENGTH_MAX = 200;
const NAME_DEFAULT = 'Payouts';
const FIELDS = Object.keys(PayoutFileUploadQuery.properties);

export function uploadPayoutFileOperation(deps: PayoutFileDeps): ApiOperation {
  const checks = new CheckWaiter(deps);
  return {
    method: 'POST',
    path: '/payout-files',
    operationId: 'uploadPayoutFile',
    tag: 'Payout files',
    scope: 'transfers:write',
    permission: 'payouts:write',
    uploadBytesMax: UPLOAD_BYTES_MAX,
    summary: 'Upload a payout file',
    description:
      'A list of payouts as CSV or XLSX: up to 50,000 rows and 20 MiB, in the field `file` of a form or as the body ' +
      'itself. Columns are found by their names, in any order: a number and an amount must be there; name, operator, ' +
      'country, narration, reference and walletId may be. Every row is checked as a transfer is, and nothing is paid. ' +
      'A small file is answered as `draft`, a large one while it is still `checking`, and so is any while four ' +
      'other uploads of the book wait for their checks: get it again. The same `Idempotency-Key` with the same file ' +
      'gives the file that it made. Without it, the same file uploaded again is a second one with new references, and ' +
      'is paid again: `sameUploads` names the first. An error after the file was stored says so and names it, in ' +
      '`Location` too: get it there instead of uploading it again.',
    schema: {
      querystring: PayoutFileUploadQuery,
      headers: IdempotencyHeaders,
      data: { 200: PayoutFileObject, 201: PayoutFileObject },
    },
    async handle(request) {
      const stored = await store(deps, request);
      const { id } = stored;
      const location = `/api/v1/payments/payout-files/${id}`;
      const data = await describe(deps, { request, checks, id }).catch((error: unknown) => {
        throw refuseStored(error, { id, location, isKeyed: isKeyed(request) });
      });
      return stored.isRepeated
        ? {
            status: 200,
            message: 'Payout file found',
            data,
            headers: { location, 'idempotent-replayed': 'true' },
          }
        : { status: 201, message: 'Payout file uploaded', data, headers: { location } };
    },
  };
}

/** Once the file is checked, or after a while. */
async function describe(
  deps: PayoutFileDeps,
  { request, checks, id }: Readonly<{ request: ApiRequest; checks: CheckWaiter; id: string }>,
) {
  const { caller } = request;
  deps.checker.wake();
  const file = await checks.wait({ bookId: caller.book.id, id }, request.isAbandoned);
  await refuseUnreadable(deps, request, file);
  // Two sums over up to 50,000 rows, which would be read as often at once as an upload is repeated.
  return request.inTurn('pages', () => showFile(deps, caller, id));
}

function isKeyed({ header }: ApiRequest): boolean {
  return header('idempotency-key') !== undefined;
}

async function store(deps: PayoutFileDeps, request: ApiRequest): ReturnType<typeof storeUpload> {
  const { caller, upload } = request;
  if (upload === undefined) throw new Error('the upload was not read');
  const values = readValues(request, upload);
  const turn = request.inTurn('uploads', async () => {
    // Not before its turn: the bytes are dropped if its client leaves meanwhile.
    const { bytes } = upload;
    const { book, actor } = caller;
    return storeUpload(deps, {
      book,
      actor,
      upload: { ...values, bytes, hash: await hashOf(bytes) },
    });
  });
  const stored = await turn.catch((error: unknown) => {
    throw refuseUnconfirmed(error, isKeyed(request));
  });
  upload.release();
  return stored;
}

/** Hashed by a thread of the system: 20 MiB would hold this one up. */
async function hashOf(bytes: Buffer): Promise<Buffer> {
  if (bytes.length < 64 * 1_024) return createHash('sha256').update(bytes).digest();
  return Buffer.from(await webcrypto.subtle.digest('SHA-256', bytes));
}

/** What comes beside the file: in the query, or in further fields of the form. */
function readValues(
  { query, header }: ApiRequest,
  { fileName, fields }: ReceivedUpload,
): Omit<Upload, 'bytes' | 'hash'> {
  const problems: FieldProblem[] = [];
  for (const field of new Set([...query.keys(), ...fields.keys()])) {
    if (!FIELDS.includes(field)) problems.push(fieldProblem(field.slice(0, 60), 'UNKNOWN_FIELD'));
  }
  const given = (field: string) => query.get(field) ?? fields.get(field) ?? null;
  const name = given('name') ?? cleanName(fileName);
  if (name.length > NAME_LENGTH_MAX) problems.push(fieldProblem('name', 'TOO_LONG'));
  else if (name.trim() === '' || !isPlain(name))
    problems.push(fieldProblem('name', 'INVALID_TEXT'));
  const wallet = given('walletId');
  const walletId = wallet === null ? null : parseUuid(wallet);
  if (walletId === undefined) problems.push(fieldProblem('walletId', 'INVALID_WALLET_ID'));
  const word = given('references') ?? 'derived';
  const references = ROW_REFERENCES.find((known) => known === word);
  if (references === undefined) {
    const rule = `One of ${ROW_REFERENCES.join(', ')}.`;
    problems.push(fieldProblem('references', 'INVALID_TEXT', rule));
  }
  const keyText = header('idempotency-key');
  const key = keyText === undefined ? null : parseIdempotencyKey(keyText);
  if (key === undefined) {
    const rule = '1 to 255 printable ASCII characters.';
    problems.push(fieldProblem('Idempotency-Key', 'INVALID_TEXT', rule));
  }
  if (problems.length > 0 || references === undefined) {
    throw refuse('VALIDATION_ERROR', { fields: problems });
  }
  return { name: name.trim(), walletId: walletId ?? null, key: key ?? null, references };
}

/** What a browser calls the file, without the folders that some send; or a word. */
function cleanName(fileName: string | null): string {
  const name = (fileName ?? '')
    .replace(/^.*[/\\]/, '')
    .trim()
    .slice(0, NAME_LENGTH_MAX);
  return name !== '' && isPlain(name) ? name : NAME_DEFAULT;
}

function isPlain(text: string): boolean {
  return checkPlainText(text, { codePointsMax: NAME_LENGTH_MAX }) === 'ok';
}

/**
 * A file that cannot be read is not kept: the caller still has it, and is told why. If the client leaves before, or it
 * cannot be deleted now, it stays in the list of files with its problem, as a large one does whose upload is answered
 * before it is read. A person deletes it there, and the same upload under the same `Idempotency-Key` does too.
 */
async function refuseUnreadable(
  deps: PayoutFileDeps,
  request: ApiRequest,
  { id, problem }: PayoutFile,
): Promise<void> {
  if (problem === null) return;
  const { book, actor } = request.caller;
  const reason = explainFile(problem);
  const data = { problem: problem.code };
  try {
    await request.inTurn('uploads', () => deleteFile(deps, { book, actor, fileId: id }));
  } catch (error) {
    if (error instanceof ClientGone) throw error;
    const isDeleted = error instanceof Refusal && error.code === 'PAYOUT_FILE_NOT_FOUND';
    if (!isDeleted) {
      const message = `${reason} It cannot be paid, but may still be in the list of payout files as ${id}: delete it there.`;
      throw refuse('FILE_UNREADABLE', { message, data, cause: error });
    }
  }
  throw refuse('FILE_UNREADABLE', { message: `${reason} Nothing was stored.`, data });
}
