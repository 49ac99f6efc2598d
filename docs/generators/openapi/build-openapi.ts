import { STATUS_CODES } from 'node:http';
import { PREFIXES } from '../../../service/src/http/guard-operations.ts';
import type { ApiOperation } from '../../../service/src/http/server/api-operation.ts';
import { envelopeOf } from '../../../service/src/http/server/envelope-schema.ts';
import { collectNamed, type JsonSchema, toPlainSchema } from '../json-schema.ts';
import { OPERATION_EXAMPLES, type OperationExample } from './examples.ts';
import { ERROR_SCHEMA } from './failure-schema.ts';
import { failureResponses, failuresOf, successHeaders } from './failures.ts';
import {
  jsonContent,
  type OpenApiDocument,
  type OpenApiOperation,
  type OpenApiParameter,
  type OpenApiResponse,
} from './openapi-document.ts';
import { DELIVERY_HEADERS, describeWebhooks } from './webhooks.ts';

const API_VERSION = '1.0.0';

const TAGS: Readonly<Record<ApiOperation['tag'], string>> = {
  Transfers: 'Pay phone numbers from a wallet, and see what became of it.',
  Recipients: 'Whom you pay: the number, the operator, and the name the operator knows.',
  Wallets: 'What a book holds, and every posting that led there.',
  Operators: 'Which operators can be paid through, and within which bounds.',
  Webhooks: 'Where you want to hear of what happens, and what was sent there.',
  Events: 'Everything that happened in a book, in order.',
  Session: 'Sign in and out, and show a second factor again.',
  Account: 'What is your own: second factors, recovery codes, sessions.',
  Keys: 'The API keys of a book.',
  People: 'Who works for a merchant, and what they may do.',
  Operations: 'For the staff of the company that runs the service.',
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

/** The description of the API, made from the routes that serve it. */
export function buildOpenApi(routes: readonly ApiOperation[]): OpenApiDocument {
  const schemas = new Map<string, JsonSchema>([['Failure', ERROR_SCHEMA]]);
  const paths: Record<string, Record<string, OpenApiOperation>> = {};
  for (const route of routes) {
    const path = PREFIXES.book + route.path.replace(/:(\w+)/g, '{$1}');
    const methods = paths[path] ?? {};
    methods[route.method.toLowerCase()] = describeOperation(route, schemas);
    paths[path] = methods;
  }
  const webhooks = describeWebhooks(schemas);
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
    webhooks,
    components: {
      securitySchemes: { apiKey: API_KEY_SCHEME },
      parameters: Object.fromEntries(DELIVERY_HEADERS.map((header) => [header.name, header])),
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
  const example = OPERATION_EXAMPLES[route.operationId];
  const take = (part: object) => collectNamed(toPlainSchema(part), schemas);
  return {
    operationId: route.operationId,
    summary: route.summary,
    description: `${route.description}\n\nNeeds the scope \`${route.scope}\`.${ownLimit(route)}`,
    tags: [route.tag],
    parameters: [
      ...parametersIn('path', schema.params, take, example?.params),
      ...parametersIn('query', schema.querystring, take, example?.query),
      ...parametersIn('header', schema.headers, take),
    ],
    ...(schema.body === undefined
      ? {}
      : {
          requestBody: { required: true, content: jsonContent(take(schema.body), example?.body) },
        }),
    responses: {
      ...Object.fromEntries(
        Object.entries(schema.data).map(([status, data]) => [
          status,
          success(status, take(data), example),
        ]),
      ),
      ...failuresOf(route),
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
  examples: Readonly<Record<string, string>> = {},
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
      ...(examples[name] === undefined ? {} : { example: examples[name] }),
      schema: rest,
    };
  });
}

function headerSpelling(name: string): string {
  return name.replace(/(^|-)[a-z]/g, (letters) => letters.toUpperCase());
}

function success(
  status: string,
  data: JsonSchema,
  example: OperationExample | undefined,
): OpenApiResponse {
  const described =
    data.$ref === undefined ? { description: 'What you asked for.', ...data } : data;
  const answer =
    example?.status === Number(status)
      ? { status: true, message: example.message, data: example.data }
      : undefined;
  return {
    description: STATUS_CODES[status] ?? 'Success',
    headers: successHeaders(),
    content: jsonContent(toPlainSchema(envelopeOf(described)), answer),
  };
}
