import type { ApprovalSource } from '../../approvals/approval-source.ts';
import { refuse } from '../../domain/refusal.ts';
import { DecisionResults, DecisionsBody } from '../schemas/approval-list-schema.ts';
import type { PeopleOperation } from '../server/api-operation.ts';
import { expectedRefusal } from '../server/error-response.ts';
import type { PersonInBook } from '../server/session-guard.ts';
import { type OneOfMany, readDecisionsBody } from './read-decision-body.ts';

/** A hundred decisions with reasons of 500 characters. */
const BODY_BYTES_MAX = 256 * 1024;

export function decideApprovalsOperation({
  sources,
}: Readonly<{ sources: readonly ApprovalSource[] }>): PeopleOperation {
  return {
    method: 'POST',
    path: '/approvals/decide',
    operationId: 'decideApprovals',
    tag: 'Approvals',
    permission: 'payouts:approve',
    stepUp: true,
    bodyBytesMax: BODY_BYTES_MAX,
    summary: 'Approve or reject up to 100 at once',
    description:
      'Each is decided alone, in order, as if it had been sent by itself. 200 says only that all were looked at: each result says whether its decision was recorded.',
    schema: { body: DecisionsBody, data: { 200: DecisionResults } },
    async handle({ caller, body = new Map() }) {
      const results = [];
      for (const one of readDecisionsBody(body)) results.push(await decide(sources, caller, one));
      return { status: 200, message: 'Approvals decided', data: { results } };
    },
  };
}

type Result = Readonly<{ id: string; ok: boolean; code?: string; message?: string }>;

async function decide(
  sources: readonly ApprovalSource[],
  { book, actor }: PersonInBook,
  { kind, id, ...given }: OneOfMany,
): Promise<Result> {
  try {
    const source = sources.find((one) => one.kind === kind);
    if (source === undefined) throw refuse('NOT_FOUND');
    await source.decide({ book, id }, { actor, ...given });
    return { id, ok: true };
  } catch (error) {
    const refusal = expectedRefusal(error);
    // What is not expected ends the call: what was decided before it stays decided, and the list shows it.
    if (refusal === undefined) throw error;
    return { id, ok: false, code: refusal.code, message: refusal.message };
  }
}
