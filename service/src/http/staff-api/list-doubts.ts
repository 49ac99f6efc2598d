import { mergeCells } from '../../cells/merge-cells.ts';
import { DOUBT_KINDS, type DoubtKind } from '../../domain/doubt-kind.ts';
import { isOperator } from '../../domain/operator.ts';
import { type Doubt, listInDoubt } from '../../resolutions/list-in-doubt.ts';
import { createQueryReader } from '../merchant-api/read-page.ts';
import { DoubtList, DoubtQuery } from '../schemas/staff-transfer-schema.ts';
import { adviseOn } from './explain-waiting.ts';
import { isMode } from './read-staff-query.ts';
import { renderStaffTransfer } from './render-staff.ts';
import { rulesOf } from './route-rules.ts';
import type { StaffDeps } from './staff-deps.ts';
import { staffOperation } from './staff-operation.ts';

const DOUBTS_LISTED_MAX = 500;

export function listDoubtsOperation(deps: Pick<StaffDeps, 'cells' | 'routes' | 'now'>) {
  return staffOperation({
    method: 'GET',
    path: '/doubts',
    operationId: 'listDoubts',
    permission: 'operations:read',
    readsPage: true,
    summary: 'List transfers in doubt',
    description: 'The oldest first, with why, what happens next and what is proposed.',
    schema: { querystring: DoubtQuery, data: { 200: DoubtList } },
    async handle({ query }) {
      const read = createQueryReader(query, Object.keys(DoubtQuery.properties));
      const { needsPerson, ...rest } = read.checked({
        merchantId: read.uuid('merchantId', 'INVALID_ID'),
        mode: read.word('mode', isMode, 'INVALID_TEXT', 'One of test, live.'),
        operator: read.word('operator', isOperator, 'INVALID_OPERATOR'),
        kind: read.word('kind', isDoubtKind, 'INVALID_TEXT', `One of ${DOUBT_KINDS.join(', ')}.`),
        needsPerson: read.word('needsPerson', isTrue, 'INVALID_TEXT', 'true, or left out.'),
      });
      const filter = { ...rest, needsPerson: needsPerson !== null };
      const options = { now: deps.now(), filter, rulesOf: rulesOf(deps.routes) };
      const { items, ...page } = await mergeCells(deps.cells, {
        limit: DOUBTS_LISTED_MAX,
        read: async (database, max) => (await listInDoubt(database, { ...options, max })).doubts,
        compare: (a, b) => a.since.getTime() - b.since.getTime(),
      });
      const data = { items: items.map(renderDoubt), ...page };
      return { status: 200, message: 'Doubts listed', data };
    },
  });
}

function isDoubtKind(text: string): text is DoubtKind {
  return DOUBT_KINDS.some((kind) => kind === text);
}

function isTrue(text: string): text is 'true' {
  return text === 'true';
}

function renderDoubt({ transfer, merchantId, merchant, since, outlook, asked, proposal }: Doubt) {
  const { kind, says, next, needsPerson } = outlook;
  const owner = { id: merchantId, name: merchant };
  return {
    transfer: renderStaffTransfer({ transfer, merchant: owner }),
    merchant: owner,
    mode: transfer.mode,
    since: since.toISOString(),
    kind,
    why: says,
    whatToDo:
      proposal === null
        ? adviseOn(needsPerson)
        : `${proposal.by} says that ${proposal.says}. Another person confirms it or withdraws it.`,
    checks: asked.times,
    lastCheckedAt: asked.lastAt?.toISOString() ?? null,
    lastAnswer: asked.lastAnswer,
    nextCheckAt: next.what === 'INQUIRY' ? next.at.toISOString() : null,
    needsPerson,
    proposal:
      proposal === null
        ? null
        : {
            decision: proposal.decision,
            receipt: proposal.receipt,
            evidence: proposal.evidence,
            by: { id: proposal.byId, name: proposal.by },
            at: proposal.at.toISOString(),
            expiresAt: proposal.expiresAt.toISOString(),
          },
  };
}
