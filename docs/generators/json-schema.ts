/** The part of JSON Schema that our documentation uses. */
export type JsonSchema = Readonly<{
  $ref?: string;
  $id?: string;
  type?: string | readonly string[];
  format?: string;
  enum?: readonly unknown[];
  const?: unknown;
  description?: string;
  examples?: readonly unknown[];
  default?: unknown;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  properties?: Readonly<Record<string, JsonSchema>>;
  required?: readonly string[];
  items?: JsonSchema;
  anyOf?: readonly JsonSchema[];
  additionalProperties?: boolean | JsonSchema;
}>;

/** A schema as plain JSON, without what the schema library keeps beside it. */
export function toPlainSchema(schema: object): JsonSchema {
  const plain: JsonSchema = JSON.parse(JSON.stringify(schema));
  return plain;
}

/** Moves every part that has a name, its `$id`, into `named` and leaves a reference in its place. */
export function collectNamed(schema: JsonSchema, named: Map<string, JsonSchema>): JsonSchema {
  const { $id, ...rest } = schema;
  const { properties, items, anyOf } = rest;
  const inner: JsonSchema = {
    ...rest,
    ...(properties === undefined ? {} : { properties: collectEach(properties, named) }),
    ...(items === undefined ? {} : { items: collectNamed(items, named) }),
    ...(anyOf === undefined ? {} : { anyOf: anyOf.map((part) => collectNamed(part, named)) }),
  };
  if ($id === undefined) return inner;
  const known = named.get($id);
  if (known !== undefined && JSON.stringify(known) !== JSON.stringify(inner)) {
    throw new Error(`two schemas have the name ${$id}`);
  }
  named.set($id, inner);
  return { $ref: referenceTo($id) };
}

function collectEach(
  properties: Readonly<Record<string, JsonSchema>>,
  named: Map<string, JsonSchema>,
): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [name, collectNamed(property, named)]),
  );
}

const SCHEMAS_AT = '#/components/schemas/';

function referenceTo(name: string): string {
  return SCHEMAS_AT + name;
}

/** Returns the schema itself if it may be a reference. */
export function resolveSchema(
  schema: JsonSchema,
  named: Readonly<Record<string, JsonSchema>>,
): JsonSchema {
  if (schema.$ref === undefined) return schema;
  return named[schema.$ref.slice(SCHEMAS_AT.length)] ?? {};
}
