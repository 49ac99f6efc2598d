import { Type } from 'typebox';

/** The `{id}` in a path. */
export function idParameter(
  what:
    | 'transfer'
    | 'recipient'
    | 'wallet'
    | 'webhook'
    | 'delivery'
    | 'session'
    | 'passkey'
    | 'key'
    | 'view',
) {
  return Type.Object({
    id: Type.String({ format: 'uuid', description: `The id of the ${what}.` }),
  });
}
