import type { Outcome } from '../../domain/outcome.ts';
import type { Account, ConnectorReply, NameAnswer, Payout } from '../contract/connector.ts';
import type { ConnectorDeps } from '../contract/connector-kind.ts';
import { replyToPayout } from '../contract/sent-again.ts';
import { unanswered } from '../wire/no-answer.ts';
import type { WireAnswer } from '../wire/operator-wire.ts';
import { windowOf } from '../wire/send-window.ts';
import { readNameAnswer, readReversal, readStatus, readSubmission } from './answers.ts';
import { type CallDeps, type CallResult, callVodacom, type VodacomCall } from './call.ts';
import { toConversationId } from './references.ts';
import type { VodacomOptions } from './settings.ts';
import {
  nameParameters,
  payoutBody,
  reversalBody,
  reversalConversationId,
  statusParameters,
  vodacomPath,
} from './shapes.ts';

const NOT_SENT_RETRY_MS = 5_000;

export type VodacomClient = Readonly<{
  options: VodacomOptions;
  deps: ConnectorDeps;
  calls: CallDeps;
}>;

export async function submitPayout(line: VodacomClient, payout: Payout): Promise<ConnectorReply> {
  const { options, deps, calls } = line;
  const sent = await callVodacom(calls, {
    method: 'POST',
    path: vodacomPath(options, options.payoutPath),
    body: payoutBody(options, payout),
    timeoutMs: deps.timeouts.submitMs,
    isInquiry: false,
    // An inquiry about this payout itself: the operator cannot know it yet, and answers with a code.
    tryWith: {
      ...statusCall(line, payout, newConversationId(line)),
      timeoutMs: deps.timeouts.tokenMs,
    },
    ...windowOf(payout),
  });
  if (sent.kind === 'noSession') {
    // The route scales this time again, but a session becomes live in real time.
    const retryInMs = sent.retryInMs / deps.timeScale;
    return { outcome: { kind: 'notSent', cause: sent.cause, retryInMs }, wire: null };
  }
  // A call under a session that was refused was still sent.
  if (sent.answer.kind === 'notSent' && sent.earlier.length === 0) {
    const { cause, record } = sent.answer;
    return { outcome: { kind: 'notSent', cause, retryInMs: NOT_SENT_RETRY_MS }, wire: record };
  }
  const { earlier } = sent;
  const { flow, trustsDuplicates } = options;
  const again = earlier.length > 0;
  const asked = { payout, flow, ageMs: ageOf(line, payout), again, trustsDuplicates };
  const reply = toReply(sent, (answer) => readSubmission(answer, asked));
  return replyToPayout(reply, earlier);
}

export async function inquirePayout(line: VodacomClient, payout: Payout): Promise<ConnectorReply> {
  const { calls } = line;
  const conversationId = newConversationId(line);
  const asked = { payout, conversationId, ageMs: ageOf(line, payout) };
  const sent = await callVodacom(calls, statusCall(line, payout, conversationId));
  if (sent.kind === 'noSession') {
    // Until the session is live no inquiry can succeed.
    return { outcome: unanswered(sent.cause, sent), wire: null };
  }
  if (sent.answer.kind !== 'answered') {
    return { outcome: unanswered(sent.answer.cause), wire: sent.answer.record };
  }
  return toReply(sent, (answer) => readStatus(answer, asked));
}

export async function fetchName(line: VodacomClient, account: Account): Promise<NameAnswer> {
  const { options, deps, calls } = line;
  const conversationId = newConversationId(line);
  const path = vodacomPath(options, 'queryBeneficiaryName/');
  const parameters = nameParameters(options, { account, conversationId });
  const sent = await callVodacom(calls, getCall(path, parameters, deps.timeouts.nameMs));
  if (sent.kind === 'noSession') return { kind: 'unreachable', cause: sent.cause };
  const { answer } = sent;
  return answer.kind === 'answered'
    ? readNameAnswer(answer, conversationId)
    : { kind: 'unreachable', cause: answer.cause };
}

export async function reversePayout(
  line: VodacomClient,
  asked: Readonly<{ payout: Payout; transactionId: string | null }>,
): Promise<ConnectorReply> {
  const { options, deps, calls } = line;
  const { payout, transactionId } = asked;
  if (transactionId === null) {
    const cause = 'a reversal needs the id that the operator gave the payout';
    return { outcome: { kind: 'unknown', cause }, wire: null };
  }
  const conversationId = reversalConversationId(payout.operatorReference);
  const sent = await callVodacom(calls, {
    method: 'PUT',
    path: vodacomPath(options, 'reversal/'),
    body: reversalBody(options, { transactionId, conversationId }),
    timeoutMs: deps.timeouts.submitMs,
    isInquiry: false,
  });
  return toReply(sent, readReversal);
}

/**
 * Without an answer the outcome is unknown. Only a submission may be `notSent`: for an inquiry it would be read as "the
 * payout was not sent".
 */
function toReply(
  sent: CallResult,
  read: (answer: WireAnswer & { kind: 'answered' }) => Outcome,
): ConnectorReply {
  if (sent.kind === 'noSession') {
    return { outcome: { kind: 'unknown', cause: sent.cause }, wire: null };
  }
  const { answer } = sent;
  const outcome: Outcome =
    answer.kind === 'answered' ? read(answer) : { kind: 'unknown', cause: answer.cause };
  return { outcome, wire: answer.record };
}

function statusCall(
  { options, deps }: VodacomClient,
  payout: Payout,
  conversationId: string,
): VodacomCall {
  const path = vodacomPath(options, 'queryTransactionStatus/');
  const parameters = statusParameters(options, { payout, conversationId });
  const timeoutMs = deps.timeouts.inquireMs;
  // The documentation uses GET with a query; some integrations POST the same fields.
  return options.statusMethod === 'POST'
    ? { method: 'POST', path, body: JSON.stringify(parameters), timeoutMs, isInquiry: true }
    : getCall(path, parameters, timeoutMs);
}

function getCall(path: string, parameters: Record<string, string>, timeoutMs: number): VodacomCall {
  const query = new URLSearchParams(parameters).toString();
  return { method: 'GET', path: `${path}?${query}`, body: null, timeoutMs, isInquiry: true };
}

function ageOf({ deps }: VodacomClient, payout: Payout): number {
  return deps.now().getTime() - payout.createdAt.getTime();
}

function newConversationId({ deps }: VodacomClient): string {
  return toConversationId(deps.newUuid());
}
