import { Type } from 'typebox';
import type { Book } from '../../domain/book.ts';
import { findDraft } from '../../payout-files/find-draft.ts';
import { nullableText } from '../schemas/nullable.ts';
import type { FileLifeDeps } from './file-life-deps.ts';

export const FileObject = Type.Object({
  id: Type.String({ format: 'uuid', description: 'The id of the payout file.' }),
  name: Type.String({ description: 'The name that people gave it.' }),
  state: Type.String({ description: 'Where it is in its life.' }),
  contentHash: nullableText({ description: 'The SHA-256 of what was submitted.' }),
});

export async function showFile({ database }: FileLifeDeps, book: Book, id: string) {
  const { name, state, contentHash } = await findDraft(database, { bookId: book.id, id });
  return { id, name, state, contentHash };
}
