import { saveView } from '../../people/saved-views/save-view.ts';
import { ViewBody, ViewObject } from '../schemas/view-schema.ts';
import type { PeopleOperation } from '../server/api-operation.ts';
import type { ViewApiDeps } from './list-views.ts';
import { readViewBody } from './read-view-body.ts';

export function saveViewOperation(deps: ViewApiDeps): PeopleOperation {
  return {
    method: 'POST',
    path: '/views',
    operationId: 'saveView',
    tag: 'Transfers',
    permission: 'payouts:read',
    summary: 'Save a view',
    description:
      'Keeps the filters and columns of a list under a name. To share it with all who see the ' +
      'book, you must be allowed to prepare payouts. A person has at most 50 in a book.',
    schema: { body: ViewBody, data: { 201: ViewObject } },
    async handle({ caller, body = new Map() }) {
      const choice = readViewBody(caller, body);
      const { id: personId, name } = caller.session.person;
      const id = await saveView(deps, { personId, bookId: caller.book.id, choice });
      const data = { id, ...choice, ownedBy: { id: personId, name } };
      return { status: 201, message: 'View saved', data };
    },
  };
}
