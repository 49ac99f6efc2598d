import { Type } from 'typebox';

type IdOwner =
  | 'transfer'
  | 'recipient'
  | 'wallet'
  | 'webhook'
  | 'delivery'
  | 'session'
  | 'passkey'
  | 'key'
  | 'view'
  | 'person'
  | 'invitation'
  | 'schedule'
  | 'entry'
  | 'screener'
  | 'payout file';

/** The `{id}` in a path. */
export function idParameter(what: IdOwner) {
  return Type.Object({
    id: Type.String({ format: 'uuid', description: `The id of the ${what}.` }),
  });
}
