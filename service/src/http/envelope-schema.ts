import type { TSchema } from 'typebox';
import type { ApiRoute } from './api-route.ts';

type Schema = object;

/** The envelope around the `data` of a successful answer. */
export function envelopeOf(data: Schema): Schema {
  return {
    type: 'object',
    required: ['status', 'message', 'data'],
    properties: {
      status: { type: 'boolean', enum: [true] },
      message: { type: 'string' },
      data,
    },
  };
}

/** For the serialiser: a field that is not in a schema never leaves. */
export function responseSchemas(route: ApiRoute): Record<string, Schema> {
  return Object.fromEntries(
    Object.entries(route.schema.data).map(([status, data]) => [
      status,
      envelopeOf(withoutIds(data)),
    ]),
  );
}

/** The serialiser refuses a schema that names itself twice; names are for the documentation. */
function withoutIds(schema: TSchema): Schema {
  return JSON.parse(
    JSON.stringify(schema, (name, value: unknown) => (name === '$id' ? undefined : value)),
  );
}
