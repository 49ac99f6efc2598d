import { type DoubtOutlook, describeDoubt } from '../../domain/describe-doubt.ts';
import { isFloatBelow } from '../../floats/judge-floats.ts';
import type { Queryable } from '../../postgres/database.ts';
import { listProposals } from '../../resolutions/proposal.ts';
import { readQueueStop } from '../../resolutions/read-queue-stop.ts';
import { readSeen } from '../../resolutions/read-seen.ts';
import { readTimeline, type Timeline } from '../../timelines/read-timeline.ts';
import { readWhyAwaiting } from '../../timelines/read-why-awaiting.ts';
import { showTimelineToStaff } from '../../timelines/staff-entries.ts';
import { findAnyTransfer } from '../../transfers/read/find-any-transfer.ts';
import { findTransferCell } from '../../transfers/read/find-transfer-cell.ts';
import { listAllTransfers } from '../../transfers/read/list-all-transfers.ts';
import { pathParameter } from '../schemas/staff-fields.ts';
import { TransferDossier } from '../schemas/staff-transfer-schema.ts';
import { explainWaiting } from './explain-waiting.ts';
import { renderFound, renderProposal, renderStaffTransfer } from './render-staff.ts';
import { rulesOf } from './route-rules.ts';
import type { StaffDeps } from './staff-deps.ts';
import { staffOperation } from './staff-operation.ts';

const EARLIER_MAX = 5;
const PROPOSALS_MAX = 100;

export function getAnyTransferOperation(deps: StaffDeps) {
  return staffOperation({
    method: 'GET',
    path: '/transfers/:id',
    operationId: 'getAnyTransfer',
    permission: 'operations:read',
    summary: 'Get a transfer of any book with everything that happened to it',
    description:
      'By its id or its operator reference. What operators sent is shown without secrets.',
    schema: {
      params: pathParameter('id', 'The id of the transfer, or its operator reference.'),
      data: { 200: TransferDossier },
    },
    async handle({ params }) {
      const { directory, now, routes } = deps;
      const id = params['id'] ?? '';
      const { database } = await findTransferCell(deps, id);
      // Before the rest: what happens while this is read is then not taken for seen.
      const seen = await readSeen(database, await findAnyTransfer(database, id));
      const timeline = await readTimeline(database, { id, now: now(), directory });
      const { bookId, id: transferId } = timeline.transfer;
      const about = { bookId, transferId, max: PROPOSALS_MAX };
      const proposals = await listProposals(database, about);
      const outlook = outlookOf(timeline, { now: now(), routes });
      const { openProposal, transfer } = timeline;
      const isFloatLow = transfer.state === 'queued' && (await isFloatBelow(directory, transfer));
      const stop = await readQueueStop(database, transfer);
      const { entries, merchantId } = timeline;
      const history = entries.flatMap((entry) => (entry.sort === 'event' ? [entry.event] : []));
      const whyAwaiting = await readWhyAwaiting(database, { transfer, merchantId, history });
      return {
        status: 200,
        message: 'Transfer found',
        data: {
          transfer: renderFound(timeline),
          why: explainWaiting(timeline, { outlook, isFloatLow, stop, whyAwaiting }),
          entries: showTimelineToStaff(timeline).map((entry) => ({
            ...entry,
            at: entry.at.toISOString(),
          })),
          earlier: await readEarlier(database, timeline),
          evidence: evidenceOf(timeline, outlook),
          proposals: proposals.map(renderProposal),
          proposal: openProposal === null ? null : renderProposal(openProposal),
          seen,
        },
      };
    },
  });
}

/** Null: it is not in doubt. */
function outlookOf(
  { transfer, flaggedAt }: Timeline,
  { now, routes }: Readonly<{ now: Date; routes: StaffDeps['routes'] }>,
): DoubtOutlook | null {
  const { doubtKind: kind, route } = transfer;
  if (kind === null) return null;
  const facts = { transfer, kind, isFlagged: flaggedAt !== null, now };
  return describeDoubt(facts, rulesOf(routes)(route));
}

async function readEarlier(database: Queryable, timeline: Timeline) {
  const { transfer, merchantId } = timeline;
  const { phone, mode, id: before } = transfer;
  const filter = { ...ANY, merchantId, mode, phone };
  const found = await listAllTransfers(database, { filter, max: EARLIER_MAX, before });
  return found.map(renderStaffTransfer);
}

const ANY = { references: null, state: null, operator: null, route: null, from: null, to: null };

function evidenceOf({ transfer, entries }: Timeline, outlook: DoubtOutlook | null) {
  const exchanges = entries.flatMap((entry) => (entry.sort === 'attempt' ? [entry.attempt] : []));
  const inquiries = exchanges.filter(({ purpose }) => purpose === 'inquire');
  const last = exchanges.findLast(({ purpose }) => purpose !== 'recall');
  return {
    checks: Math.max(transfer.checks, inquiries.length),
    lastCheckedAt: transfer.lastCheckedAt?.toISOString() ?? null,
    lastAnswer: last?.outcome ?? null,
    resubmissions: transfer.resubmissions,
    contradictions: transfer.contradictions,
    receipt: transfer.operatorTransactionId,
    doubtKind: outlook?.kind ?? null,
    needsPerson: outlook?.needsPerson ?? false,
    resubmissionAt: outlook?.resubmissionAt?.toISOString() ?? null,
  };
}
