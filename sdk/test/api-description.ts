import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';

export type Schema = Readonly<{
  $ref?: string;
  type?: string | readonly string[];
  enum?: readonly (string | null)[];
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  items?: Schema;
}>;

type OpenApi = Readonly<{
  components: { schemas: Record<string, Schema> };
  paths: Record<string, Record<string, Operation>>;
}>;

type Content = Readonly<{ content: { 'application/json': { schema: Schema } } }>;
type Parameter = Readonly<{ name: string; in: string; required: boolean; schema: Schema }>;
type Operation = Readonly<{
  parameters: readonly Parameter[];
  requestBody?: Content;
  responses: Record<string, Content>;
}>;

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
  return at(answerOf('get', path), 'items', '[]');
}

/** The `data` of a success. */
export function answerOf(method: string, path: string): Schema {
  const { '200': ok, '201': created } = api.paths[PREFIX + path]?.[method]?.responses ?? {};
  return at((created ?? ok)?.content['application/json'].schema, 'data');
}

export function bodyOf(method: string, path: string): Schema {
  const body = api.paths[PREFIX + path]?.[method]?.requestBody;
  return at(body?.content['application/json'].schema);
}

type Kinds = Readonly<Record<string, readonly string[]>>;

/** What each field may be: `string`, `null` and so on, and `absent` where it may be left out. */
export function kindsOf({ properties = {}, required = [] }: Schema): Kinds {
  return Object.fromEntries(
    Object.entries(properties).map(([name, field]) => [
      name,
      kindsOfField(field, required.includes(name)),
    ]),
  );
}

/** The same of the parameters of a list. */
export function queryOf(path: string): Kinds {
  const parameters = api.paths[PREFIX + path]?.get?.parameters ?? [];
  return Object.fromEntries(
    parameters
      .filter((parameter) => parameter.in === 'query')
      .map(({ name, schema, required }) => [name, kindsOfField(schema, required)]),
  );
}

function kindsOfField(field: Schema, isRequired: boolean): readonly string[] {
  const { type = 'object' } = at(field);
  const kinds = [type].flat().map((kind) => (kind === 'integer' ? 'number' : kind));
  return [...kinds, ...(isRequired ? [] : ['absent'])].sort();
}
