import { refuse } from '../../domain/refusal.ts';
import { parseUuid } from '../../domain/uuid.ts';
import { changeView, deleteView } from '../../people/saved-views/change-view.ts';
import { idParameter } from '../schemas/id-parameter.ts';
import { DeletedView, ViewBody, ViewObject } from '../schemas/view-schema.ts';
import type { PeopleOperation } from '../server/api-operation.ts';
import type { ViewApiDeps } from './list-views.ts';
import { readViewBody } from './read-view-body.ts';

export function changeViewOperation({
  directory,
}: Pick<ViewApiDeps, 'directory'>): PeopleOperation {
  return {
    method: 'PUT',
    path: '/views/:id',
    operationId: 'changeView',
    tag: 'Transfers',
    permission: 'payouts:read',
    summary: 'Change a saved view',
    description: 'Replaces a view of your own.',
    schema: { params: idParameter('view'), body: ViewBody, data: { 200: ViewObject } },
    async handle({ caller, params, body = new Map() }) {
      const choice = readViewBody(caller, body);
      const id = readViewId(params);
      const { id: personId, name } = caller.session.person;
      await changeView(directory, { personId, bookId: caller.book.id, id, choice });
      const data = { id, ...choice, ownedBy: { id: personId, name } };
      return { status: 200, message: 'View changed', data };
    },
  };
}

export function deleteViewOperation({
  directory,
}: Pick<ViewApiDeps, 'directory'>): PeopleOperation {
  return {
    method: 'DELETE',
    path: '/views/:id',
    operationId: 'deleteView',
    tag: 'Transfers',
    permission: 'payouts:read',
    summary: 'Delete a saved view',
    description: 'Deletes a view of your own, also for those you shared it with.',
    schema: { params: idParameter('view'), data: { 200: DeletedView } },
    async handle({ caller: { book, session }, params }) {
      const id = readViewId(params);
      await deleteView(directory, { personId: session.person.id, bookId: book.id, id });
      return { status: 200, message: 'View deleted', data: { id } };
    },
  };
}

function readViewId(params: Readonly<Record<string, string>>): string {
  const id = parseUuid(params['id'] ?? '');
  if (id === undefined) throw refuse('VIEW_NOT_FOUND');
  return id;
}
