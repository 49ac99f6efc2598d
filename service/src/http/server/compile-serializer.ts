import build from 'fast-json-stringify';
import type { Operation } from './api-operation.ts';
import type { Caller } from './caller.ts';
import { envelopeOf } from './envelope-schema.ts';
import { serializerSchema } from './serializer-schema.ts';

export type Serialize = (envelope: { status: true; message: string; data: unknown }) => string;

/** Compiles what writes the answers of one status. A field that is not in the schema is never sent. */
export function compileSerializer<C extends Caller>(
  { operationId, schema }: Pick<Operation<C>, 'operationId' | 'schema'>,
  status: number,
): Serialize {
  const data = Object.entries(schema.data).find(([declared]) => Number(declared) === status)?.[1];
  if (data === undefined) throw new Error(`${operationId} declares no data for ${status}`);
  return build(serializerSchema(envelopeOf(data)));
}
