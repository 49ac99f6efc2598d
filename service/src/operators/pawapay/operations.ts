import type { Outcome } from '../../domain/outcome.ts';
import type {
  BalanceAnswer,
  ConnectorReply,
  OperatorConditions,
  Payout,
  Prediction,
} from '../contract/connector.ts';
import type { ConnectorDeps } from '../contract/connector-kind.ts';
import { unanswered } from '../wire/no-answer.ts';
import type { OperatorWire, WireAnswer, WireRequest } from '../wire/operator-wire.ts';
import { windowOf } from '../wire/send-window.ts';
import {
  readBalance,
  readCancellation,
  readInitiation,
  readPrediction,
  readStatus,
} from './answers.ts';
import { readConditions } from './conditions.ts';
import { payoutBody, toPhoneNumber } from './shapes.ts';
import { type RequestSigner, signRequest } from './sign-request.ts';

const NOT_SENT_RETRY_MS = 5_000;
const CONTENT_TYPE = 'application/json; charset=UTF-8';
const PAYOUTS_PATH = '/v2/payouts';

export type PawapayClient = Readonly<{
  deps: ConnectorDeps;
  wire: OperatorWire;
  base: URL;
  apiToken: string;
  country: string;
  currency: string;
  provider: string;
  signer: RequestSigner | undefined;
}>;

export async function submitPayout(line: PawapayClient, payout: Payout): Promise<ConnectorReply> {
  const { deps, wire, provider } = line;
  const body = payoutBody(payout, provider);
  const answer = await wire.send({
    method: 'POST',
    path: PAYOUTS_PATH,
    headers: { ...postHeaders(line), ...signatureHeaders(line, body) },
    body,
    timeoutMs: deps.timeouts.submitMs,
    ...windowOf(payout),
  });
  if (answer.kind === 'notSent') {
    const { cause, record } = answer;
    return { outcome: { kind: 'notSent', cause, retryInMs: NOT_SENT_RETRY_MS }, wire: record };
  }
  const asked = { payout, ageMs: ageOf(line, payout) };
  return toReply(answer, (answered) => readInitiation(answered, asked));
}

export async function inquirePayout(line: PawapayClient, payout: Payout): Promise<ConnectorReply> {
  const path = `${PAYOUTS_PATH}/${encodeURIComponent(payout.operatorReference)}`;
  const answer = await get(line, path, line.deps.timeouts.inquireMs);
  if (answer.kind !== 'answered') {
    return { outcome: unanswered(answer.cause), wire: answer.record };
  }
  const asked = { payout, ageMs: ageOf(line, payout) };
  return toReply(answer, (answered) => readStatus(answered, asked));
}

/** Only a payout that still waits for its provider can be cancelled. */
export async function cancelEnqueued(line: PawapayClient, payout: Payout): Promise<ConnectorReply> {
  const answer = await line.wire.send({
    method: 'POST',
    path: `${PAYOUTS_PATH}/fail-enqueued/${encodeURIComponent(payout.operatorReference)}`,
    headers: bearer(line),
    body: null,
    timeoutMs: line.deps.timeouts.submitMs,
  });
  return toReply(answer, (answered) => readCancellation(answered, payout));
}

export async function fetchBalance(line: PawapayClient): Promise<BalanceAnswer> {
  const path = `/v2/wallet-balances?country=${line.country}`;
  const answer = await get(line, path, line.deps.timeouts.balanceMs);
  return answer.kind === 'answered'
    ? readBalance(answer, line)
    : { kind: 'unreachable', cause: answer.cause };
}

export async function fetchConditions(line: PawapayClient): Promise<OperatorConditions> {
  const { country, currency, provider, signer } = line;
  const timeoutMs = line.deps.timeouts.inquireMs;
  const [configuration, availability] = await Promise.all([
    get(line, `/v2/active-conf?country=${country}&operationType=PAYOUT`, timeoutMs),
    get(line, `/v2/availability?country=${country}`, timeoutMs),
  ]);
  const asked = { country, currency, provider, signs: signer !== undefined };
  return readConditions({ configuration, availability }, asked);
}

export async function fetchPrediction(line: PawapayClient, phone: string): Promise<Prediction> {
  const answer = await line.wire.send({
    method: 'POST',
    path: '/v2/predict-provider',
    headers: postHeaders(line),
    body: JSON.stringify({ phoneNumber: toPhoneNumber(phone) }),
    timeoutMs: line.deps.timeouts.nameMs,
  });
  return answer.kind === 'answered'
    ? readPrediction(answer)
    : { kind: 'unreachable', cause: answer.cause };
}

function get({ wire, apiToken }: PawapayClient, path: string, timeoutMs: number) {
  const request: WireRequest = {
    method: 'GET',
    path,
    headers: bearer({ apiToken }),
    body: null,
    timeoutMs,
  };
  return wire.send(request);
}

/**
 * Without an answer the outcome is unknown. Only a submission may be `notSent`: for an inquiry it would be read as "the
 * payout was not sent".
 */
function toReply(
  answer: WireAnswer,
  read: (answer: WireAnswer & { kind: 'answered' }) => Outcome,
): ConnectorReply {
  const outcome: Outcome =
    answer.kind === 'answered' ? read(answer) : { kind: 'unknown', cause: answer.cause };
  return { outcome, wire: answer.record };
}

function signatureHeaders(
  { signer, base, deps }: PawapayClient,
  body: string,
): Record<string, string> {
  if (signer === undefined) return {};
  return signRequest(signer, {
    method: 'POST',
    authority: base.host,
    path: base.pathname.replace(/\/$/, '') + PAYOUTS_PATH,
    contentType: CONTENT_TYPE,
    body,
    now: deps.now(),
  });
}

function postHeaders(line: PawapayClient): Record<string, string> {
  return { ...bearer(line), 'content-type': CONTENT_TYPE };
}

export function bearer({ apiToken }: Pick<PawapayClient, 'apiToken'>): Record<string, string> {
  return { authorization: `Bearer ${apiToken}`, accept: 'application/json' };
}

function ageOf({ deps }: PawapayClient, payout: Payout): number {
  return deps.now().getTime() - payout.createdAt.getTime();
}
