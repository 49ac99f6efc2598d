import {
  APPROVAL_VIEWS,
  type ApprovalView,
  type DecidedPosition,
  type ListedApproval,
  listAwaiting,
  listDecided,
} from '../../approvals/list-approvals.ts';
import { parseTime } from '../../domain/parse-time.ts';
import { parseUuid } from '../../domain/uuid.ts';
import { createQueryReader, encodeCursor } from '../merchant-api/read-page.ts';
import { ApprovalListQuery, ApprovalPage } from '../schemas/approval-list-schema.ts';
import type { PeopleOperation } from '../server/api-operation.ts';
import type { ApprovalApiDeps } from './approval-api-deps.ts';

export function listApprovalsOperation(
  deps: Pick<ApprovalApiDeps, 'database' | 'sources'>,
): PeopleOperation {
  return {
    method: 'GET',
    path: '/approvals',
    operationId: 'listApprovals',
    tag: 'Approvals',
    permission: 'payouts:read',
    readsPage: true,
    summary: 'List what waits for approval',
    description:
      'Transfers and payout files, the oldest first; what is `decided`, the last decision first. Says which rule asked, who decided, who still can, and whether you can.',
    schema: { querystring: ApprovalListQuery, data: { 200: ApprovalPage } },
    async handle({ caller: { book, actor }, query }) {
      const { view, limit, after, before } = readQuery(query);
      const request = { book, personId: actor.id };
      if (view === 'decided') {
        const page = await listDecided(deps, { ...request, page: { before, limit } });
        const next = page.next === null ? null : encodeCursor(DECIDED, writePosition(page.next));
        return answer(page.items, next);
      }
      const page = await listAwaiting(deps, { ...request, view, page: { after, limit } });
      return answer(page.items, page.next === null ? null : encodeCursor(AWAITING, page.next));
    },
  };
}

const AWAITING = 'approvals';
const DECIDED = 'decided-approvals';

function readQuery(query: URLSearchParams) {
  const read = createQueryReader(query, Object.keys(ApprovalListQuery.properties));
  const isView = (text: string): text is ApprovalView =>
    (APPROVAL_VIEWS as readonly string[]).includes(text);
  const message = `One of ${APPROVAL_VIEWS.join(', ')}.`;
  const view = read.word('view', isView, 'INVALID_TEXT', message);
  return read.checked({
    view: view === null ? 'all' : view,
    limit: read.limit(),
    after: view === 'decided' ? null : read.cursor(AWAITING, parseUuid),
    before: view === 'decided' ? read.cursor(DECIDED, readPosition) : null,
  });
}

function writePosition({ at, id }: DecidedPosition): string {
  return `${at.toISOString()}~${id}`;
}

function readPosition(text: string): DecidedPosition | undefined {
  const [time = '', given = ''] = text.split('~');
  const at = parseTime(time);
  const id = parseUuid(given);
  return at === undefined || id === undefined ? undefined : { at, id };
}

function answer(items: readonly ListedApproval[], nextCursor: string | null) {
  const data = { items: items.map(renderListed), nextCursor };
  return { status: 200, message: 'Approvals listed', data } as const;
}

function renderListed({ awaiting, standing, iCan, iCanReject, whyNot }: ListedApproval) {
  const { kind, shown, decisions } = awaiting;
  return {
    kind,
    id: awaiting.id,
    contentHash: awaiting.contentHash,
    transfer: kind === 'transfer' ? shown : null,
    file: kind === 'file' ? shown : null,
    requirements: awaiting.requirements,
    needed: standing.needed,
    given: standing.given,
    decisions: decisions.map(({ at, ...decision }) => ({ ...decision, at: at.toISOString() })),
    canApprove: standing.canApprove,
    iCan,
    iCanReject,
    whyNot,
    impossible: standing.impossible,
    policyVersion: awaiting.policyVersion,
    maker: awaiting.maker,
    createdAt: awaiting.createdAt.toISOString(),
    expiresAt: awaiting.expiresAt?.toISOString() ?? null,
  };
}
