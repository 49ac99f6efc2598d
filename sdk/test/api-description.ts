import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';

export type Schema = Readonly<{
  $ref?: string;
  enum?: readonly (string | null)[];
  properties?: Readonly<Record<string, Schema>>;
  items?: Schema;
}>;

type OpenApi = Readonly<{
  components: { schemas: Record<string, Schema> };
  paths: Record<string, Record<string, Operation>>;
}>;

type Content = Readonly<{ content: { 'application/json': { schema: Schema } } }>;
type Operation = Readonly<{ requestBody?: Content; responses: Record<string, Content> }>;

const OPENAPI = new URL('../../service/openapi.json', import.meta.url);
const api = JSON.parse(await readFile(OPENAPI, 'utf8')) as OpenApi;
const PREFIX = '/api/v1/payments/';

/** The schema at the end of the path; `[]` stands for the items of a list. */
export function at(schema: Schema | undefined, ...path: readonly string[]): Schema {
  let found = resolved(schema);
  for (const name of path) {
    found = resolved(name === '[]' ? found?.items : found?.properties?.[name]);
  }
  assert.ok(found !== undefined, `no schema at ${path.join('.')}`);
  return found;
}

function resolved(schema: Schema | undefined): Schema | undefined {
  const name = schema?.$ref?.split('/').at(-1);
  return name === undefined ? schema : api.components.schemas[name];
}

export const named = (name: string, ...path: readonly string[]) =>
  at(api.components.schemas[name], ...path);

/** One item of a list. */
export function itemsOf(path: string): Schema {
  const answer = api.paths[PREFIX + path]?.get?.responses['200'];
  return at(answer?.content['application/json'].schema, 'data', 'items', '[]');
}

export function bodyOf(path: string): Schema {
  return at(api.paths[PREFIX + path]?.post?.requestBody?.content['application/json'].schema);
}

/** The tests of webhooks and events wait until the service describes them. */
export const describesWebhooks = ['webhooks', 'webhooks/{id}/deliveries', 'events'].every(
  (path) => PREFIX + path in api.paths,
);
