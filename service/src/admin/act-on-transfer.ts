import { setTimeout as wait } from 'node:timers/promises';
import { harmless } from '../domain/harmless-text.ts';
import { describeResolution, RESOLUTION_DECISIONS } from '../resolutions/proposal.ts';
import type { Resolution } from '../resolutions/propose-resolution.ts';
import { type Recalled, recallFromOperator } from '../resolutions/recall-from-operator.ts';
import { type ResolveResult, resolveByPeople } from '../resolutions/resolve-by-people.ts';
import { withdrawProposal } from '../resolutions/withdraw-proposal.ts';
import { type AdminDeps, type Answer, CALL } from './add-command.ts';
import { requireAdministrator } from './authenticate-actor.ts';
import { formatFields, formatTime } from './format-table.ts';
import { inTransferCell } from './in-cell.ts';
import { openRoutes } from './open-routes.ts';
import { toProposalJson } from './timeline-json.ts';

export async function resolve(
  deps: AdminDeps,
  id: string,
  resolution: Resolution,
): Promise<Answer> {
  const actor = await requireAdministrator(deps);
  const inside = await inTransferCell(deps, id);
  const resolved = await resolveByPeople(inside, { actor, id, resolution });
  const { proposal } = resolved;
  const carriedOut = resolved.kind === 'carriedOut';
  return {
    json: {
      carriedOut,
      transferId: proposal.transferId,
      proposal: toProposalJson(proposal),
      confirmedBy: carriedOut ? resolved.confirmedBy : null,
    },
    text: describeResolved(resolved),
  };
}

function describeResolved(resolved: ResolveResult): string {
  const { proposal } = resolved;
  const says = describeResolution(proposal);
  if (resolved.kind === 'carriedOut') {
    const fields = formatFields([
      ['transfer', proposal.transferId],
      ['proposed by', `${proposal.proposedBy.name}: ${proposal.evidence}`],
      ['confirmed by', resolved.confirmedBy],
    ]);
    return `Done: ${says}. The transfer is ${RESOLUTION_DECISIONS[proposal.decision].to}.\n\n${fields}`;
  }
  const before =
    resolved.expired === null
      ? ''
      : `What ${resolved.expired.proposedBy.name} proposed had expired. `;
  const fields = formatFields([
    ['transfer', proposal.transferId],
    ['proposed by', `${proposal.proposedBy.name}: ${proposal.evidence}`],
    ['ends', formatTime(proposal.expiresAt)],
  ]);
  return `${before}Proposed: ${says}. Nothing has changed yet.\n\n${fields}\n\nAnother administrator who finds the same runs the same command with their own key and evidence.`;
}

export async function withdraw(deps: AdminDeps, id: string): Promise<Answer> {
  const actor = await requireAdministrator(deps);
  const proposal = await withdrawProposal(await inTransferCell(deps, id), { actor, id });
  return {
    json: { transferId: proposal.transferId, proposal: toProposalJson(proposal) },
    text: `Withdrawn: ${proposal.proposedBy.name} had proposed that ${describeResolution(proposal)}. The transfer is as it was.`,
  };
}

export async function recall(deps: AdminDeps, id: string): Promise<Answer> {
  const actor = await requireAdministrator(deps);
  const routes = await openRoutes(deps);
  try {
    const recalled = await recallFromOperator(
      {
        ...(await inTransferCell(deps, id)),
        connectorOf: (route) => routes.named(route)?.connector,
        wait: (ms) => wait(ms),
        onWait: (cause) => deps.showProgress(`Waiting: ${harmless(cause)}`),
      },
      { actor, id },
    );
    deps.showProgress('');
    return describeRecalled(recalled);
  } finally {
    routes.close();
  }
}

function describeRecalled({ transfer, reply }: Recalled): Answer {
  const { wire, outcome } = reply;
  const httpStatus = wire?.httpStatus ?? null;
  const cause = 'cause' in outcome ? harmless(outcome.cause) : null;
  const answered = httpStatus === null ? 'no answer' : `HTTP ${httpStatus}`;
  const title = wire === null ? 'The operator could not be asked' : 'The operator was asked';
  const why = cause === null ? '' : ` (${cause})`;
  const next = `${CALL} transfers show ${transfer.id} tells what follows.`;
  return {
    json: {
      transferId: transfer.id,
      asked: wire !== null,
      outcome: outcome.kind,
      cause,
      httpStatus,
    },
    text: `${title}: ${answered}, which means ${outcome.kind}${why}.\nThe transfer is ${transfer.state} as before. ${next}`,
    failed: wire === null,
  };
}
