import type { JsonSchema } from '../json-schema.ts';

/** As much of OpenAPI 3.1 as we write. */
export type OpenApiDocument = Readonly<{
  openapi: '3.1.0';
  info: Readonly<{ title: string; version: string; summary: string; description: string }>;
  servers: readonly Readonly<{ url: string; description: string }>[];
  tags: readonly Readonly<{ name: string; description: string }>[];
  paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  webhooks: Readonly<Record<string, Readonly<{ post: OpenApiWebhook }>>>;
  components: Readonly<{
    securitySchemes: Readonly<Record<SecurityScheme, object>>;
    parameters: Readonly<Record<string, OpenApiParameter>>;
    headers: Readonly<Record<string, Readonly<{ description: string; schema: JsonSchema }>>>;
    responses: Readonly<Record<string, OpenApiResponse>>;
    schemas: Readonly<Record<string, JsonSchema>>;
  }>;
}>;

export type OpenApiOperation = Readonly<{
  operationId: string;
  summary: string;
  description: string;
  tags: readonly string[];
  /** Any one of them; empty: none is needed. */
  security: readonly Readonly<Partial<Record<SecurityScheme, readonly never[]>>>[];
  parameters: readonly OpenApiParameter[];
  requestBody?: Readonly<{ required: boolean; content: JsonContent | UploadContent }>;
  responses: Readonly<Record<string, OpenApiResponse | ResponseReference>>;
}>;

/** What a request shows of who sends it. */
type SecurityScheme = 'apiKey' | 'session';

/** Names the book for a person, who may have several. */
export const BOOK_HEADER = 'x-book';

/** One event that is POSTed to the merchant. */
export type OpenApiWebhook = Readonly<{
  operationId: string;
  summary: string;
  description: string;
  tags: readonly string[];
  security: readonly never[];
  parameters: readonly Readonly<{ $ref: string }>[];
  requestBody: Readonly<{ required: true; content: JsonContent }>;
  responses: Readonly<Record<string, Readonly<{ description: string }>>>;
}>;

export type OpenApiParameter = Readonly<{
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description?: string;
  /** Of an object: each key in brackets, `metadata[KEY]=value`. */
  style?: 'deepObject';
  explode?: true;
  /** Only where the example of the operation gives the parameter. */
  example?: unknown;
  schema: JsonSchema;
}>;

/** What answers are made of that are no JSON. */
type OtherContent = 'text/event-stream' | 'text/csv' | typeof XLSX_TYPE;
export const XLSX_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

export type OpenApiResponse = Readonly<{
  description: string;
  headers: Readonly<Record<string, Readonly<{ $ref: string }>>>;
  /** Undefined: an answer without a body. */
  content?: Readonly<
    Partial<JsonContent> & Partial<Record<OtherContent, Readonly<{ schema: JsonSchema }>>>
  >;
}>;

/** The description lists the codes that this operation answers with. */
type ResponseReference = Readonly<{ $ref: string; description: string }>;

type JsonContent = Readonly<{
  'application/json': Readonly<{ schema: JsonSchema; example?: unknown }>;
}>;

/** A file: as it is, by its type, or in a form. */
export type UploadContent = Readonly<{
  'application/json'?: undefined;
  'text/csv': Readonly<{ schema: JsonSchema; example: string }>;
  [xlsx: `application/vnd.${string}`]: Readonly<{ schema: JsonSchema }>;
  'multipart/form-data': Readonly<{ schema: JsonSchema }>;
}>;

export function jsonContent(schema: JsonSchema, example?: unknown): JsonContent {
  return { 'application/json': example === undefined ? { schema } : { schema, example } };
}

/** The schema and the example of an answer in JSON; undefined: it is none, or described elsewhere. */
export function jsonOf(
  response: OpenApiResponse | ResponseReference,
): JsonContent['application/json'] | undefined {
  return 'content' in response ? response.content?.['application/json'] : undefined;
}
