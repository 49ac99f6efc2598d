import { Type } from 'typebox';

/** The parameters that every list has. */
export const PageLimit = Type.Optional(
  Type.Integer({ minimum: 1, maximum: 100, default: 50, description: 'Items on a page.' }),
);
export const PageCursor = Type.Optional(
  Type.String({ description: '`nextCursor` of the page before. Left out: the first page.' }),
);
