import { STATUS_CODES } from 'node:http';
import { REFUSALS, type RefusalCode } from '../../../service/src/domain/refusal.ts';
import type { ApiOperation } from '../../../service/src/http/server/api-operation.ts';
import { EXAMPLE_IDS } from './example-objects.ts';
import { jsonContent, type OpenApiOperation, type OpenApiResponse } from './openapi-document.ts';

const RATE_LIMIT_HEADERS = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'];

/** The codes that an operation answers with beyond those that its shape tells. */
const OWN_CODES: Readonly<Record<string, readonly RefusalCode[]>> = {
  initiateTransfer: [
    'WALLET_NOT_FOUND',
    'DUPLICATE_REFERENCE',
    'INSUFFICIENT_BALANCE',
    'CURRENCY_MISMATCH',
    'WALLET_INACTIVE',
    'OPERATOR_NOT_AVAILABLE',
    'AMOUNT_OUT_OF_BOUNDS',
    'LIMIT_EXCEEDED',
    'IDEMPOTENCY_KEY_REUSED',
  ],
  getTransfer: ['TRANSFER_NOT_FOUND'],
  getTransferByReference: ['TRANSFER_NOT_FOUND'],
  getTransferHistory: ['TRANSFER_NOT_FOUND'],
  cancelTransfer: ['TRANSFER_NOT_FOUND', 'INVALID_STATE'],
  createRecipient: ['OPERATOR_NOT_AVAILABLE', 'ACCOUNT_NOT_FOUND'],
  getRecipient: ['RECIPIENT_NOT_FOUND'],
  resolveAccount: ['OPERATOR_NOT_AVAILABLE', 'ACCOUNT_NOT_FOUND'],
  getWallet: ['WALLET_NOT_FOUND'],
  listPostings: ['WALLET_NOT_FOUND'],
  createWebhook: ['LIMIT_EXCEEDED'],
  getWebhook: ['WEBHOOK_NOT_FOUND'],
  updateWebhook: ['WEBHOOK_NOT_FOUND'],
  deleteWebhook: ['WEBHOOK_NOT_FOUND'],
  rotateWebhookSecret: ['WEBHOOK_NOT_FOUND'],
  testWebhook: ['WEBHOOK_NOT_FOUND', 'INVALID_STATE'],
  listDeliveries: ['WEBHOOK_NOT_FOUND'],
  replayDeliveries: ['WEBHOOK_NOT_FOUND', 'INVALID_STATE'],
  replayDelivery: ['DELIVERY_NOT_FOUND', 'INVALID_STATE'],
  getInvitation: ['INVITATION_NOT_FOUND'],
  createInvitationTotp: ['INVITATION_NOT_FOUND'],
  acceptInvitation: ['SIGN_IN_FAILED', 'INVITATION_NOT_FOUND', 'INVALID_STATE'],
  invitePerson: ['STEP_UP_REQUIRED', 'LIMIT_EXCEEDED'],
  withdrawInvitation: ['STEP_UP_REQUIRED', 'INVITATION_NOT_FOUND'],
  changeRoles: ['STEP_UP_REQUIRED', 'PERSON_NOT_FOUND', 'LAST_OWNER'],
  removePerson: ['STEP_UP_REQUIRED', 'PERSON_NOT_FOUND', 'LAST_OWNER'],
  inviteStaff: ['STEP_UP_REQUIRED', 'INVALID_STATE', 'LIMIT_EXCEEDED'],
  withdrawStaffInvitation: ['STEP_UP_REQUIRED', 'INVITATION_NOT_FOUND'],
  changeStaffRoles: ['STEP_UP_REQUIRED', 'PERSON_NOT_FOUND', 'LAST_ADMIN'],
  removeStaff: ['STEP_UP_REQUIRED', 'PERSON_NOT_FOUND', 'LAST_ADMIN'],
  endSessions: ['STEP_UP_REQUIRED', 'PERSON_NOT_FOUND'],
};

/** Every code that the operation answers with, by status. */
export function failuresOf(route: ApiOperation): OpenApiOperation['responses'] {
  const byStatus = Map.groupBy(codesOf(route), (code) => REFUSALS[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      status,
      {
        $ref: `#/components/responses/${responseName(status)}`,
        description: codes.map((code) => `\`${code}\``).join(', '),
      },
    ]),
  );
}

function codesOf({ method, operationId, schema }: ApiOperation): readonly RefusalCode[] {
  const takesBody = method === 'POST' || method === 'PATCH';
  const hasFields = schema.body ?? schema.querystring ?? schema.headers;
  return [
    ...(takesBody ? (['INVALID_JSON'] as const) : []),
    ...(hasFields === undefined ? [] : (['VALIDATION_ERROR'] as const)),
    'UNAUTHORIZED',
    'FORBIDDEN',
    'BOOK_NOT_FOUND',
    ...(OWN_CODES[operationId] ?? []),
    ...(takesBody ? (['BODY_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const) : []),
    'RATE_LIMITED',
    'INTERNAL_ERROR',
    'UNAVAILABLE',
  ];
}

/** One response for each status that a refusal has; operations refer to them. */
export function failureResponses(): Record<string, OpenApiResponse> {
  const codes = Object.keys(REFUSALS) as readonly RefusalCode[];
  const byStatus = Map.groupBy(codes, (code) => REFUSALS[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, ofStatus]) => [
      responseName(status),
      failureResponse(status, ofStatus),
    ]),
  );
}

function failureResponse(status: number, codes: readonly RefusalCode[]): OpenApiResponse {
  const isTimed = status === 429 || status === 503;
  const [first = 'INTERNAL_ERROR'] = codes;
  return {
    description: codes.map((code) => `\`${code}\`: ${REFUSALS[code].message}`).join('\n\n'),
    headers: headerRefs(['X-Request-Id', 'X-Should-Retry', ...(isTimed ? ['Retry-After'] : [])]),
    content: jsonContent({ $ref: '#/components/schemas/Failure' }, exampleOf(first)),
  };
}

function exampleOf(code: RefusalCode): object {
  const { message, retryable } = REFUSALS[code];
  const error = { code, retryable, requestId: EXAMPLE_IDS.request };
  return { status: false, message, data: { error } };
}

function responseName(status: number): string {
  return (STATUS_CODES[status] ?? `Status${status}`).replace(/\W/g, '');
}

export function successHeaders(): OpenApiResponse['headers'] {
  return headerRefs(['X-Request-Id', ...RATE_LIMIT_HEADERS]);
}

function headerRefs(names: readonly string[]): OpenApiResponse['headers'] {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
