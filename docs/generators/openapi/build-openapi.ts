import { STATUS_CODES } from 'node:http';
import type { Operations } from '../../../service/src/http/guard-operations.ts';
import { bodyNeedOf, type Tag } from '../../../service/src/http/server/api-operation.ts';
import { envelopeOf } from '../../../service/src/http/server/envelope-schema.ts';
import { collectNamed, type JsonSchema, toPlainSchema } from '../json-schema.ts';
import { makeExample } from './body-example.ts';
import { type Area, type DescribedOperation, describeOperations } from './described-operation.ts';
import { payoutCsv } from './example-payout-file.ts';
import { OPERATION_EXAMPLES, type OperationExample } from './examples.ts';
import { ERROR_SCHEMA } from './failure-schema.ts';
import { failureResponses, failuresOf, headerRefs, successHeaders } from './failures.ts';
import {
  BOOK_HEADER,
  jsonContent,
  type OpenApiDocument,
  type OpenApiOperation,
  type OpenApiParameter,
  type OpenApiResponse,
  type UploadContent,
  XLSX_TYPE,
} from './openapi-document.ts';
import { OWN_HEADERS } from './own-headers.ts';
import { DELIVERY_HEADERS, describeWebhooks } from './webhooks.ts';

const API_VERSION = '1.0.0';

const TAGS: Readonly<Record<Tag, string>> = {
  Transfers: 'Pay phone numbers from a wallet, and see what became of it.',
  Approvals: 'Decide about what waits for a second person: transfers and payout files.',
  'Payout files': 'Upload a list of payouts, correct it, and pay it as one.',
  Recipients: 'Whom you pay: the number, the operator, and the name the operator knows.',
  Schedules: 'Lists that are paid again every month or week, the calendar, and holidays.',
  Wallets: 'What a book holds, and every posting that led there.',
  Operators: 'Which operators can be paid through, and within which bounds.',
  Webhooks: 'Where you want to hear of what happens, and what was sent there.',
  Events: 'Everything that happened in a book, in order.',
  Policy: 'The rules by which payouts are refused, wait for approval or are screened.',
  Session: 'Sign in and out, and show a second factor again.',
  Account: 'What is your own: second factors, recovery codes, sessions.',
  Keys: 'The API keys of a book.',
  People: 'Who works for a merchant, and what they may do.',
  Controls: 'Numbers that are allowed or denied, services that are asked first, and limits.',
  Operations: 'For the staff of the company that runs the service.',
};

const HEADERS: Readonly<Record<string, Readonly<{ description: string; schema: JsonSchema }>>> = {
  'X-Request-Id': {
    description: 'Our name for this request. Tell it to us when something is wrong.',
    schema: { type: 'string' },
  },
  'RateLimit-Limit': {
    description: 'How many requests the key or the person may send at once.',
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
  Location: {
    description: 'The path of what was made; on a 302, where the browser goes next.',
    schema: { type: 'string' },
  },
  'Idempotent-Replayed': {
    description:
      'Present when the `Idempotency-Key` was used before: this is what the first request made.',
    schema: { type: 'string', enum: ['true'] },
  },
  'X-Should-Retry': {
    description: 'Whether the same request, sent again unchanged, may succeed.',
    schema: { type: 'string', enum: ['true', 'false'] },
  },
};

/** The description of the API, made from the operations that serve it. */
export function buildOpenApi(operations: Operations): OpenApiDocument {
  const schemas = new Map<string, JsonSchema>([['Failure', ERROR_SCHEMA]]);
  const paths: Record<string, Record<string, OpenApiOperation>> = {};
  const all = describeOperations(operations);
  for (const operation of all) {
    const methods = paths[operation.address] ?? {};
    methods[operation.method.toLowerCase()] = describeOperation(operation, schemas);
    paths[operation.address] = methods;
  }
  const webhooks = describeWebhooks(schemas);
  const usedTags = new Set<string>(all.map(({ tag }) => tag));
  return {
    openapi: '3.1.0',
    info: {
      title: 'Kafue',
      version: API_VERSION,
      summary: 'Mobile money payouts, each paid exactly once.',
      description: INTRODUCTION,
    },
    servers: [{ url: '/', description: 'The service that serves this document.' }],
    tags: Object.entries(TAGS)
      .filter(([name]) => usedTags.has(name))
      .map(([name, description]) => ({ name, description })),
    paths,
    webhooks,
    components: {
      securitySchemes: { apiKey: API_KEY_SCHEME, session: SESSION_SCHEME },
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

const SESSION_SCHEME = {
  type: 'apiKey',
  in: 'cookie',
  name: '__Host-kafue',
  description:
    'The session of a person, from `POST /api/v1/session`; `kafue` on plain http to this machine. Where a book is ' +
    'meant, `x-book` names it. Never together with a key.',
};

const SECURITY: Readonly<Record<Area, OpenApiOperation['security']>> = {
  book: [{ apiKey: [] }, { session: [] }],
  bookPeople: [{ session: [] }],
  public: [],
  own: [{ session: [] }],
  merchant: [{ session: [] }],
  staff: [{ session: [] }],
};

const INTRODUCTION =
  'Every answer is `{status, message, data}`. On failure `status` is false and `data.error` has the ' +
  '`code` to decide by. Amounts are JSON numbers with at most two decimals, read exactly as written. ' +
  'After a timeout send the same request again with the same `reference`: it is paid once.';

function describeOperation(
  operation: DescribedOperation,
  schemas: Map<string, JsonSchema>,
): OpenApiOperation {
  const { area, schema, access, description } = operation;
  const example = OPERATION_EXAMPLES[operation.operationId];
  const take = (part: object) => collectNamed(toPlainSchema(part), schemas);
  return {
    operationId: operation.operationId,
    summary: operation.summary,
    description: `${description}\n\n${access.join(' ')}${ownLimit(operation)}`,
    tags: [operation.tag],
    security: SECURITY[area],
    parameters: [
      ...parametersIn('path', withPrefix(operation), take, example?.params),
      ...parametersIn('query', schema.querystring, take, example?.query),
      ...parametersIn('header', schema.headers, take),
      ...bookParameter(area),
    ],
    ...(operation.uploadBytesMax === undefined
      ? {}
      : { requestBody: { required: true, content: uploadContent(operation) } }),
    ...(schema.body === undefined
      ? {}
      : {
          requestBody: {
            required: bodyNeedOf(operation) === 'needed',
            content: bodyContent(operation, take(schema.body)),
          },
        }),
    responses: { ...successesOf(operation, take), ...failuresOf(operation) },
  };
}

const UPLOADED_FILE: JsonSchema = { type: 'string', description: 'The file.' };

/** What the query takes, a form may have as fields instead. */
function uploadContent({ schema }: DescribedOperation): UploadContent {
  const { properties = {} } = toPlainSchema(schema.querystring ?? {});
  const fields = Object.entries(properties).map(([name, field]) => [
    name,
    { ...field, description: 'The same as in the query.' },
  ]);
  return {
    'text/csv': { schema: UPLOADED_FILE, example: payoutCsv },
    [XLSX_TYPE]: { schema: UPLOADED_FILE },
    'multipart/form-data': {
      schema: {
        type: 'object',
        properties: { file: UPLOADED_FILE, ...Object.fromEntries(fields) },
        required: ['file'],
      },
    },
  };
}

function ownLimit({ rateLimit }: DescribedOperation): string {
  if (rateLimit === undefined) return '';
  return ` Limited to ${rateLimit.perSecond} a second, ${rateLimit.burst} at once.`;
}

/** The parameters of the path, with that of the prefix of the area, which operations leave out. */
function withPrefix({ area, schema }: DescribedOperation): object | undefined {
  if (area !== 'merchant') return schema.params;
  const { properties = {} } = toPlainSchema(schema.params ?? {});
  return { type: 'object', properties: { merchantId: MERCHANT_ID, ...properties } };
}

const MERCHANT_ID = {
  type: 'string',
  format: 'uuid',
  description: 'The id of the merchant, from your session.',
};

function bookParameter(area: Area): readonly OpenApiParameter[] {
  if (area !== 'book' && area !== 'bookPeople') return [];
  return [
    {
      name: BOOK_HEADER,
      in: 'header',
      required: area === 'bookPeople',
      description:
        area === 'book'
          ? 'With a session: the id of the book. A key opens its own book.'
          : 'The id of the book.',
      schema: { type: 'string', format: 'uuid' },
    },
  ];
}

/** Programs have a full example each, which a test tries; for people it is made from the schema. */
function bodyContent({ area, operationId, schema }: DescribedOperation, body: JsonSchema) {
  if (area === 'book') return jsonContent(body, OPERATION_EXAMPLES[operationId]?.body);
  return jsonContent(body, makeExample(toPlainSchema(schema.body ?? {})));
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
      ...(rest.type === 'object' ? { style: 'deepObject', explode: true } : {}),
      ...(examples[name] === undefined ? {} : { example: examples[name] }),
      schema: rest,
    };
  });
}

function headerSpelling(name: string): string {
  return name.replace(/(^|-)[a-z]/g, (letters) => letters.toUpperCase());
}

function successesOf(
  { area, operationId, schema, answersWith }: DescribedOperation,
  take: (part: object) => JsonSchema,
): Readonly<Record<string, OpenApiResponse>> {
  const headers = successHeaders(area);
  const own = (status: string) => headerRefs(OWN_HEADERS[operationId]?.[status] ?? []);
  if (answersWith === 'redirect') {
    return { 302: { description: 'Found', headers: { ...headers, ...own('302') } } };
  }
  if (answersWith === 'stream') {
    const content = { 'text/event-stream': { schema: STREAM } };
    return { 200: { description: 'OK', headers, content } };
  }
  if (answersWith === 'file') {
    const content = { 'text/csv': { schema: FILE }, [XLSX_TYPE]: { schema: FILE } };
    return { 200: { description: 'OK', headers, content } };
  }
  const example = area === 'book' ? OPERATION_EXAMPLES[operationId] : undefined;
  return Object.fromEntries(
    Object.entries(schema.data).map(([status, data]) => {
      const description = STATUS_CODES[status] ?? 'Success';
      const content = successContent(status, take(data), example);
      return [status, { description, headers: { ...headers, ...own(status) }, content }];
    }),
  );
}

const FILE: JsonSchema = { type: 'string', description: 'A file to be saved.' };
const STREAM: JsonSchema = {
  type: 'string',
  description: 'Lines of `event: changed` and `data: {…}`, with an empty line after each event.',
};

function successContent(status: string, data: JsonSchema, example: OperationExample | undefined) {
  const described =
    data.$ref === undefined ? { description: 'What you asked for.', ...data } : data;
  const answer =
    example?.status === Number(status)
      ? { status: true, message: example.message, data: example.data }
      : undefined;
  return jsonContent(toPlainSchema(envelopeOf(described)), answer);
}
