import { isActKind } from '../../acts/act.ts';
import { ANY_ACT, type RecordedAct } from '../../acts/list-acts.ts';
import { listAllActs } from '../../cells/list-all-acts.ts';
import { formatActPosition, parseActPosition } from '../activity-api/act-cursor.ts';
import { createQueryReader, encodeCursor } from '../merchant-api/read-page.ts';
import { AuditPage, AuditQuery } from '../schemas/staff-overview-schema.ts';
import { isShortText } from './read-staff-query.ts';
import type { StaffDeps } from './staff-deps.ts';
import { staffOperation } from './staff-operation.ts';

const LIST = 'audit';

export function listAuditOperation(deps: Pick<StaffDeps, 'directory' | 'cells'>) {
  return staffOperation({
    method: 'GET',
    path: '/audit',
    operationId: 'listAudit',
    permission: 'audit:read',
    readsPage: true,
    summary: 'List what people, keys and the service did',
    description: 'Newest first. Filters combine. Nothing of it can be changed or deleted.',
    schema: { querystring: AuditQuery, data: { 200: AuditPage } },
    async handle({ query }) {
      const read = createQueryReader(query, Object.keys(AuditQuery.properties));
      const { limit, before, ...filter } = read.checked({
        limit: read.limit(),
        before: read.cursor(LIST, parseActPosition),
        actor: read.word('actor', isShortText, 'INVALID_TEXT'),
        kind: read.word('kind', isActKind, 'INVALID_KIND'),
        merchantId: read.uuid('merchantId', 'INVALID_ID'),
        subject: read.word('subject', isShortText, 'INVALID_TEXT'),
        from: read.time('from'),
        to: read.time('to'),
      });
      const { acts, next, unansweredCells } = await listAllActs(deps, {
        filter: { ...ANY_ACT, ...filter },
        books: null,
        page: { limit, before },
      });
      return {
        status: 200,
        message: 'Acts listed',
        data: {
          items: acts.map(renderAct),
          nextCursor: next === null ? null : encodeCursor(LIST, formatActPosition(next)),
          unansweredCells,
        },
      };
    },
  });
}

function renderAct({ at, actor: { kind, id, name }, ...act }: RecordedAct) {
  return { ...act, at: at.toISOString(), actor: { kind, id, name } };
}
