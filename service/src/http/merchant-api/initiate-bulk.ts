import { actorCode } from '../../domain/actor.ts';
import { fieldProblem } from '../../domain/field-problem.ts';
import { refuse } from '../../domain/refusal.ts';
import type { TransferCommand } from '../../domain/transfer.ts';
import {
  type InitiateDeps,
  type Initiated,
  type InitiateRequest,
  initiateTransfers,
} from '../../transfers/accept/initiate-transfer.ts';
import { originOf } from '../../transfers/accept/prepared-transfer.ts';
import { renderTransfer } from '../../views/render-transfer.ts';
import { BulkBody, BulkResults } from '../schemas/bulk-schema.ts';
import { IdempotencyHeaders } from '../schemas/transfer-schema.ts';
import type { ApiOperation, ApiRequest } from '../server/api-operation.ts';
import { errorBody, expectedRefusal } from '../server/error-response.ts';
import { createFieldReader } from '../server/field-reader.ts';
import type { JsonLimits } from '../server/json-limits.ts';
import type { JsonValue } from '../server/strict-json.ts';
import { readTransferCommand } from './read-transfer-command.ts';
import { renderRefusalData } from './render-refusal-data.ts';

const TRANSFERS_MAX = 1_000;
/** Enough for a thousand transfers with long names and narrations. */
const BODY_BYTES_MAX = 4 * 1024 * 1024;
/** A transfer has about 12 values, and up to 20 in its metadata. The limits leave room for unknown fields, so that the answer can name them. */
const BODY_SHAPE: JsonLimits = {
  depthMax: 8,
  valuesMax: 64 * TRANSFERS_MAX,
  itemsMax: TRANSFERS_MAX,
  keysMax: 256,
  stringLengthMax: 16 * 1_024,
};
/** An Idempotency-Key cannot contain it, so the key of a bulk call's item never equals a merchant's own key. */
const KEY_SEPARATOR = '\u0001';

export function initiateBulkOperation(deps: InitiateDeps): ApiOperation {
  return {
    method: 'POST',
    path: '/transfers/mobile-money/bulk',
    operationId: 'initiateTransfers',
    tag: 'Transfers',
    isOfPayouts: true,
    scope: 'transfers:write',
    permission: 'payouts:write',
    bodyBytesMax: BODY_BYTES_MAX,
    bodyShape: BODY_SHAPE,
    refuseLongList: () =>
      refuse('VALIDATION_ERROR', { fields: [fieldProblem('transfers', 'INVALID_LIST')] }),
    summary: 'Pay up to 1,000 phone numbers',
    description:
      'Each transfer is decided alone, in order, as if it had been sent by itself: `results[i]` is ' +
      'the answer that the single call would have given. 200 does not say that all were accepted: ' +
      'look at each result. One with `retryable` is not known yet: send the same call again, as after a ' +
      'timeout. What was stored comes back as `DUPLICATE_REFERENCE` with `samePayload`.',
    schema: { headers: IdempotencyHeaders, body: BulkBody, data: { 200: BulkResults } },
    async handle(request) {
      const commands = readTransfers(request).map((item, index) =>
        readCommand(item, request, { index, now: deps.now }),
      );
      const results = await initiateReadable(deps, commands, request);
      const accepted = results.filter(({ status }) => status).length;
      return {
        status: 200,
        message: 'Transfers decided',
        data: { results, accepted, refused: results.length - accepted },
      };
    },
  };
}

type Result = Readonly<{ status: boolean; message: string; data: unknown }>;
type Read = TransferCommand | Readonly<{ unreadable: unknown }>;

function readTransfers({ body = new Map() }: ApiRequest): readonly JsonValue[] {
  const read = createFieldReader(body, ['transfers']);
  const transfers = body.get('transfers');
  const isList = Array.isArray(transfers) && transfers.length > 0;
  if (transfers === undefined) read.problem('transfers', 'REQUIRED');
  else if (!isList || transfers.length > TRANSFERS_MAX) read.problem('transfers', 'INVALID_LIST');
  return read.checked({ transfers: isList ? transfers : [] }).transfers;
}

/** The n-th transfer of a call gets an Idempotency-Key made of the call's key and n. */
function readCommand(
  item: JsonValue,
  request: ApiRequest,
  { index, now }: Readonly<{ index: number; now: () => Date }>,
): Read {
  try {
    if (!(item instanceof Map)) {
      throw refuse('INVALID_JSON', {
        message: 'A transfer must be one object. Nothing was stored.',
      });
    }
    const keyText = request.header('idempotency-key');
    const command = readTransferCommand(item, { keyText, now });
    const { idempotencyKey } = command;
    if (idempotencyKey === null) return command;
    return { ...command, idempotencyKey: `${idempotencyKey}${KEY_SEPARATOR}${index}` };
  } catch (error) {
    return { unreadable: error };
  }
}

async function initiateReadable(
  deps: InitiateDeps,
  commands: readonly Read[],
  { caller, requestId }: ApiRequest,
): Promise<readonly Result[]> {
  const { book } = caller;
  const actor = actorCode(caller.actor);
  const origin = originOf(caller.actor);
  const requests = commands.flatMap((command): InitiateRequest[] =>
    'unreadable' in command ? [] : [{ book, actor, origin, command }],
  );
  const settled = [...(await initiateTransfers(deps, requests))];
  return commands.map((command) => {
    if ('unreadable' in command) return failed(command.unreadable, requestId);
    const result = settled.shift();
    if (result === undefined) throw new Error('a bulk call lost a result');
    return result.status === 'fulfilled'
      ? succeeded(result.value)
      : failed(result.reason, requestId);
  });
}

function succeeded({ transfer }: Initiated): Result {
  return { status: true, message: 'Transfer initiated', data: renderTransfer(transfer) };
}

function failed(error: unknown, requestId: string): Result {
  const refusal = expectedRefusal(error) ?? refuse('INTERNAL_ERROR');
  const { data } = refusal.detail;
  return errorBody(refusal, requestId, data === undefined ? undefined : renderRefusalData(data));
}
