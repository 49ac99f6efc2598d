import { STATUS_CODES } from 'node:http';
import { REFUSALS, type RefusalCode } from '../../../service/src/domain/refusal-codes.ts';
import type { Area, DescribedOperation } from './described-operation.ts';
import { EXAMPLE_IDS } from './example-objects.ts';
import { jsonContent, type OpenApiOperation, type OpenApiResponse } from './openapi-document.ts';
import { OWN_CODES } from './own-codes.ts';

const RATE_LIMIT_HEADERS = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'];

/** Every code that the operation answers with, by status. */
export function failuresOf(operation: DescribedOperation): OpenApiOperation['responses'] {
  const byStatus = Map.groupBy(new Set(codesOf(operation)), (code) => REFUSALS[code].status);
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

function codesOf(operation: DescribedOperation): readonly RefusalCode[] {
  const { method, operationId, schema, uploadBytesMax } = operation;
  const takesBody = method !== 'GET' && method !== 'DELETE';
  const hasFields = schema.body ?? schema.querystring ?? schema.headers;
  return [
    ...(takesBody && uploadBytesMax === undefined ? (['INVALID_JSON'] as const) : []),
    ...(hasFields === undefined ? [] : (['VALIDATION_ERROR'] as const)),
    ...guardCodes(operation),
    ...(OWN_CODES[operationId] ?? []),
    ...(takesBody ? (['BODY_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const) : []),
    'RATE_LIMITED',
    'INTERNAL_ERROR',
    'UNAVAILABLE',
  ];
}

/** The codes with which the guard of the area refuses: see http/server/session-guard.ts. */
function guardCodes({ area, method, stepUp }: DescribedOperation): readonly RefusalCode[] {
  // Requests that change something are refused when they come from a page of another origin.
  const fromElsewhere: readonly RefusalCode[] = method === 'GET' ? [] : ['FORBIDDEN'];
  const steppedUp: readonly RefusalCode[] = stepUp === false ? [] : ['STEP_UP_REQUIRED'];
  const person: readonly RefusalCode[] = ['FORBIDDEN', 'SECOND_FACTOR_REQUIRED', ...steppedUp];
  switch (area) {
    case 'book':
      return ['BAD_REQUEST', 'UNAUTHORIZED', ...person, 'BOOK_NOT_FOUND', 'CELL_UNAVAILABLE'];
    case 'bookPeople':
      return [
        'BAD_REQUEST',
        'VALIDATION_ERROR',
        'UNAUTHORIZED',
        ...person,
        'BOOK_NOT_FOUND',
        'CELL_UNAVAILABLE',
      ];
    case 'public':
      return fromElsewhere;
    case 'own':
      return ['UNAUTHORIZED', ...fromElsewhere, ...steppedUp];
    case 'merchant':
    case 'staff':
      return ['UNAUTHORIZED', ...person, 'NOT_FOUND'];
    default: {
      const unhandled: never = area;
      throw new Error(`unhandled ${String(unhandled)}`);
    }
  }
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

/** How much is left is told to callers who are known. */
export function successHeaders(area: Area): OpenApiResponse['headers'] {
  return headerRefs(['X-Request-Id', ...(area === 'public' ? [] : RATE_LIMIT_HEADERS)]);
}

export function headerRefs(names: readonly string[]): OpenApiResponse['headers'] {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
