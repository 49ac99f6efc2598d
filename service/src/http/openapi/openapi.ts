import { STATUS_CODES } from 'node:http';
import { REFUSALS } from '../../domain/refusal.ts';
import type { ApiOperation } from '../server/api-operation.ts';
import { envelopeOf } from '../server/envelope-schema.ts';
import { ERROR_SCHEMA } from '../server/error-schema.ts';
import { collectNamed, type JsonSchema, toPlainSchema } from '../server/json-schema.ts';
import { API_PREFIX } from '../server/serve-operation.ts';

export type OpenApiParameter = Readonly<{
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description?: string;
  schema: JsonSchema;
}>;

export type OpenApiOperation = Readonly<{
  operationId: string;
  summary: string;
  description: string;
  tags: readonly string[];
  parameters: readonly OpenApiParameter[];
  requestBody?: Readonly<{ required: true; content: JsonContent }>;
  responses: Readonly<Record<string, OpenApiResponse | Readonly<{ $ref: string }>>>;
}>;

type JsonContent = Readonly<{ 'application/json': Readonly<{ schema: JsonSchema }> }>;
type OpenApiResponse = Readonly<{
  description: string;
  headers: Readonly<Record<string, Readonly<{ $ref: string }>>>;
  content: JsonContent;
}>;

export type OpenApiDocument = Readonly<{
  openapi: '3.1.0';
  info: Readonly<{ title: string; version: string; summary: string; description: string }>;
  servers: readonly Readonly<{ url: string; description: string }>[];
  security: readonly Readonly<Record<string, readonly string[]>>[];
  tags: readonly Readonly<{ name: string; description: string }>[];
  paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  components: Readonly<{
    securitySchemes: Readonly<Record<string, object>>;
    headers: Readonly<Record<string, Readonly<{ description: string; schema: JsonSchema }>>>;
    responses: Readonly<Record<string, OpenApiResponse>>;
    schemas: Readonly<Record<string, JsonSchema>>;
  }>;
}>;

const API_VERSION = '1.0.0';

const TAGS: Readonly<Record<ApiOperation['tag'], string>> = {
  Transfers: 'Pay phone numbers from a wallet, and see what became of it.',
  Recipients: 'Whom you pay: the number, the operator, and the name the operator knows.',
  Wallets: 'What a book holds, and every posting that led there.',
  Operators: 'Which operators can be paid through, and within which bounds.',
  Webhooks: 'Where you want to hear of what happens, and what was sent there.',
  Events: 'Everything that happened in a book, in order.',
};

const HEADERS: Readonly<Record<string, Readonly<{ description: string; schema: JsonSchema }>>> = {
  'X-Request-Id': {
    description: 'Our name for this request. Tell it to us when something is wrong.',
    schema: { type: 'string' },
  },
  'RateLimit-Limit': {
    description: 'How many requests the key may send at once.',
    schema: { type: 'integer' },
  },
  'RateLimit-Remaining': { description: 'How many of them are left.', schema: { type: 'integer' } },
  'RateLimit-Reset': {
    description: 'Seconds until all of them are there again.',
    schema: { type: 'integer' },
  },
  'Retry-After': {
    description: 'Seconds to wait before trying again.',
    schema: { type: 'integer' },
  },
  'X-Should-Retry': {
    description: 'Whether the same request, sent again unchanged, may succeed.',
    schema: { type: 'string', enum: ['true', 'false'] },
  },
};

const RATE_LIMIT_HEADERS = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'];

/** The description of the API, made from the routes that serve it. */
export function buildOpenApi(routes: readonly ApiOperation[]): OpenApiDocument {
  const schemas = new Map<string, JsonSchema>([['Failure', ERROR_SCHEMA]]);
  const paths: Record<string, Record<string, OpenApiOperation>> = {};
  for (const route of routes) {
    const path = API_PREFIX + route.path.replace(/:(\w+)/g, '{$1}');
    const methods = paths[path] ?? {};
    methods[route.method.toLowerCase()] = describeOperation(route, schemas);
    paths[path] = methods;
  }
  const usedTags = new Set(routes.map((route) => route.tag));
  return {
    openapi: '3.1.0',
    info: {
      title: 'Kafue',
      version: API_VERSION,
      summary: 'Mobile money payouts, each paid exactly once.',
      description: INTRODUCTION,
    },
    servers: [{ url: '/', description: 'The service that serves this document.' }],
    security: [{ apiKey: [] }],
    tags: Object.entries(TAGS)
      .filter(([name]) => usedTags.has(name as ApiOperation['tag']))
      .map(([name, description]) => ({ name, description })),
    paths,
    components: {
      securitySchemes: { apiKey: API_KEY_SCHEME },
      headers: HEADERS,
      responses: failureResponses(),
      schemas: Object.fromEntries(schemas),
    },
  };
}

const API_KEY_SCHEME = {
  type: 'apiKey',
  in: 'header',
  name: 'x-api-key',
  description: 'One key, `sk_test_…` or `sk_live_…`. It opens one book: your money in one mode.',
};

const INTRODUCTION =
  'Every answer is `{status, message, data}`. On failure `status` is false and `data.error` has the ' +
  '`code` to decide by. Amounts are JSON numbers with at most two decimals, read exactly as written. ' +
  'After a timeout send the same request again with the same `reference`: it is paid once.';

function describeOperation(
  route: ApiOperation,
  schemas: Map<string, JsonSchema>,
): OpenApiOperation {
  const { schema } = route;
  const take = (part: object) => collectNamed(toPlainSchema(part), schemas);
  return {
    operationId: route.operationId,
    summary: route.summary,
    description: `${route.description}\n\nNeeds the scope \`${route.scope}\`.${ownLimit(route)}`,
    tags: [route.tag],
    parameters: [
      ...parametersIn('path', schema.params, take),
      ...parametersIn('query', schema.querystring, take),
      ...parametersIn('header', schema.headers, take),
    ],
    ...(schema.body === undefined
      ? {}
      : { requestBody: { required: true, content: jsonContent(take(schema.body)) } }),
    responses: {
      ...Object.fromEntries(
        Object.entries(schema.data).map(([status, data]) => [status, success(status, take(data))]),
      ),
      ...Object.fromEntries(
        failureStatuses(route).map((status) => [
          status,
          { $ref: `#/components/responses/${responseName(status)}` },
        ]),
      ),
    },
  };
}

function ownLimit({ rateLimit }: ApiOperation): string {
  if (rateLimit === undefined) return '';
  return ` Limited to ${rateLimit.perSecond} a second, ${rateLimit.burst} at once.`;
}

function parametersIn(
  place: OpenApiParameter['in'],
  schema: object | undefined,
  take: (part: object) => JsonSchema,
): OpenApiParameter[] {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = toPlainSchema(schema);
  return Object.entries(properties).map(([name, property]) => {
    const { description, ...rest } = take(property);
    return {
      name: place === 'header' ? headerSpelling(name) : name,
      in: place,
      required: place === 'path' || required.includes(name),
      ...(description === undefined ? {} : { description }),
      schema: rest,
    };
  });
}

function headerSpelling(name: string): string {
  return name.replace(/(^|-)[a-z]/g, (letters) => letters.toUpperCase());
}

function success(status: string, data: JsonSchema): OpenApiResponse {
  return {
    description: STATUS_CODES[status] ?? 'Success',
    headers: headerRefs(['X-Request-Id', ...RATE_LIMIT_HEADERS]),
    content: jsonContent(toPlainSchema(envelopeOf(data))),
  };
}

/** Which failures a call can meet, as far as its shape tells. */
function failureStatuses({ method, schema }: ApiOperation): number[] {
  const { body, params, querystring, headers } = schema;
  const hasInput = body !== undefined || querystring !== undefined || headers !== undefined;
  return [
    ...(hasInput || method === 'POST' ? [400] : []),
    401,
    403,
    ...(params !== undefined || body !== undefined ? [404] : []),
    ...(method === 'POST' ? [409, 413, 415] : []),
    ...(body === undefined ? [] : [422]),
    429,
    500,
    503,
  ];
}

function failureResponses(): Record<string, OpenApiResponse> {
  const statuses = new Set<number>(Object.values(REFUSALS).map((rule) => rule.status));
  return Object.fromEntries(
    [...statuses].map((status) => [responseName(status), failureResponse(status)]),
  );
}

function failureResponse(status: number): OpenApiResponse {
  const rules = Object.entries(REFUSALS).filter(([, rule]) => rule.status === status);
  const isTimed = status === 429 || status === 503;
  return {
    description: rules.map(([code, { message }]) => `\`${code}\`: ${message}`).join('\n\n'),
    headers: headerRefs(['X-Request-Id', 'X-Should-Retry', ...(isTimed ? ['Retry-After'] : [])]),
    content: jsonContent({ $ref: '#/components/schemas/Failure' }),
  };
}

function responseName(status: number): string {
  return (STATUS_CODES[status] ?? `Status${status}`).replace(/\W/g, '');
}

function headerRefs(names: readonly string[]): Record<string, { $ref: string }> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function jsonContent(schema: JsonSchema): JsonContent {
  return { 'application/json': { schema } };
}
