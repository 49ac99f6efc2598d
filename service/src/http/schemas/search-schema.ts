import { Type } from 'typebox';
import { SEARCH_KINDS } from '../../transfers/read/search-transfers.ts';
import { TransferObject } from './transfer-schema.ts';

export const SEARCH_LENGTH_MAX = 100;

export const SearchQuery = Type.Object({
  q: Type.String({
    minLength: 1,
    maxLength: SEARCH_LENGTH_MAX,
    description:
      'An id, a reference, an operator reference, a receipt, or a number in any spelling.',
    examples: ['0977433571'],
  }),
});

export const SearchResult = Type.Object({
  items: Type.Array(TransferObject, {
    description: 'Up to 20: what the text names exactly, then the newest to the number.',
  }),
  searched: Type.Object(
    {
      as: Type.Array(Type.Unsafe<string>({ type: 'string', enum: [...SEARCH_KINDS] }), {
        description: 'What the text was looked for as.',
      }),
      text: Type.String({ description: 'The text that was looked for.' }),
    },
    { description: 'How the text was read.' },
  ),
});
