import type { Operation } from './api-operation.ts';
import type { Caller } from './caller.ts';

/** The envelope around the `data` of a successful answer. */
export function envelopeOf(data: object): object {
  return {
    type: 'object',
    required: ['status', 'message', 'data'],
    properties: {
      status: { type: 'boolean', enum: [true], description: 'Always true.' },
      message: { type: 'string', description: 'For people.' },
      data,
    },
  };
}

/** For the serialiser: a field that is not in a schema is never sent. */
export function responseSchemas<C extends Caller>(
  route: Pick<Operation<C>, 'schema'>,
): Record<string, object> {
  return Object.fromEntries(
    Object.entries(route.schema.data).map(([status, data]) => [status, envelopeOf(data)]),
  );
}
