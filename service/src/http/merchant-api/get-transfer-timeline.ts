import { refuse } from '../../domain/refusal.ts';
import { parseUuid } from '../../domain/uuid.ts';
import type { Queryable } from '../../postgres/database.ts';
import { readMerchantTimeline } from '../../timelines/read-merchant-timeline.ts';
import { renderTransfer } from '../../views/render-transfer.ts';
import { idParameter } from '../schemas/id-parameter.ts';
import { TransferTimeline } from '../schemas/timeline-schema.ts';
import type { PeopleOperation } from '../server/api-operation.ts';
import { createQueryReader } from './read-page.ts';

export function getTransferTimelineOperation(
  deps: Readonly<{ database: Queryable; directory: Queryable; now: () => Date }>,
): PeopleOperation {
  return {
    method: 'GET',
    path: '/transfers/:id/timeline',
    operationId: 'getTransferTimeline',
    tag: 'Transfers',
    permission: 'payouts:read',
    readsPage: true,
    summary: 'Get everything that happened to a transfer',
    description:
      'Why it waits or how it ended, every step with who took it, and the last payouts to the same number.',
    schema: { params: idParameter('transfer'), data: { 200: TransferTimeline } },
    async handle({ caller: { book }, params, query }) {
      createQueryReader(query, []).checked({});
      const id = parseUuid(params['id'] ?? '');
      if (id === undefined) throw refuse('TRANSFER_NOT_FOUND');
      const timeline = await readMerchantTimeline(deps, { book, id, now: deps.now() });
      const { why, entries, earlier } = timeline;
      return {
        status: 200,
        message: 'Timeline found',
        data: {
          why: { ...why, next: why.next?.toISOString() ?? null },
          entries: entries.map((entry) => ({ ...entry, at: entry.at.toISOString() })),
          earlier: earlier.map(renderTransfer),
        },
      };
    },
  };
}
