import { ACT_KINDS, type ActKind } from '../../acts/act.ts';
import { type AuditPosition, listAudit } from '../../acts/list-audit.ts';
import { parseUuid } from '../../domain/uuid.ts';
import { mergePages } from '../../postgres/merge-pages.ts';
import { createQueryReader, encodeCursor } from '../merchant-api/read-page.ts';
import { AuditPage, AuditQuery } from '../schemas/staff-overview-schema.ts';
import { isShortText } from './read-staff-query.ts';
import type { StaffDeps } from './staff-deps.ts';
import { staffOperation } from './staff-operation.ts';

const LIST = 'audit';

export function listAuditOperation({ database }: Pick<StaffDeps, 'database'>) {
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
        before: read.cursor(LIST, parsePosition),
        actor: read.word('actor', isShortText, 'INVALID_TEXT'),
        kind: read.word('kind', isActKind, 'INVALID_KIND'),
        merchantId: read.uuid('merchantId', 'INVALID_ID'),
        subject: read.word('subject', isShortText, 'INVALID_TEXT'),
        from: read.time('from'),
        to: read.time('to'),
      });
      // Acts are kept with the people who act, in one database.
      const { items, more } = await mergePages([database], {
        limit,
        read: (one, max) => listAudit(one, { filter, max, before }),
        compare: (a, b) => b.at.getTime() - a.at.getTime(),
      });
      const last = items.at(-1);
      return {
        status: 200,
        message: 'Acts listed',
        data: {
          items: items.map((act) => ({ ...act, at: act.at.toISOString() })),
          nextCursor:
            more && last !== undefined
              ? encodeCursor(LIST, `${last.at.toISOString()} ${last.id}`)
              : null,
        },
      };
    },
  });
}

function isActKind(text: string): text is ActKind {
  return ACT_KINDS.some((kind) => kind === text);
}

function parsePosition(position: string): AuditPosition | undefined {
  const [time = '', text = ''] = position.split(' ');
  const at = new Date(time);
  const id = parseUuid(text);
  return id === undefined || Number.isNaN(at.getTime()) ? undefined : { at, id };
}
