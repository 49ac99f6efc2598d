import { Type } from 'typebox';
import { TransferBody } from './transfer-schema.ts';

export const BulkBody = Type.Object(
  {
    transfers: Type.Array(TransferBody, {
      minItems: 1,
      maxItems: 1_000,
      description: 'Decided one after the other, in this order.',
    }),
  },
  { additionalProperties: false },
);

export const BulkResults = Type.Object({
  results: Type.Array(Type.Unsafe<object>({ type: 'object', additionalProperties: true }), {
    description: 'For each transfer the whole envelope that the single call would have given.',
  }),
  accepted: Type.Integer({ description: 'How many were stored.' }),
  refused: Type.Integer({
    description: 'How many were not: refused, or not known yet where `retryable` is true.',
  }),
});
