import { listViews } from '../../people/saved-views/list-views.ts';
import type { Database } from '../../postgres/database.ts';
import { ViewList } from '../schemas/view-schema.ts';
import type { PeopleOperation } from '../server/api-operation.ts';

export type ViewApiDeps = Readonly<{ directory: Database; now: () => Date; newId: () => string }>;

export function listViewsOperation({ directory }: Pick<ViewApiDeps, 'directory'>): PeopleOperation {
  return {
    method: 'GET',
    path: '/views',
    operationId: 'listViews',
    tag: 'Transfers',
    permission: 'payouts:read',
    readsPage: true,
    summary: 'List saved views',
    description: 'Your own views of the book, and shared views of others.',
    schema: { data: { 200: ViewList } },
    async handle({ caller: { book, session } }) {
      const owner = { personId: session.person.id, bookId: book.id };
      const items = await listViews(directory, owner);
      return { status: 200, message: 'Views listed', data: { items } };
    },
  };
}
