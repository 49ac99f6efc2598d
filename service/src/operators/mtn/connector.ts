import type { Static } from 'typebox';
import { currencyOf } from '../../domain/operator.ts';
import type { Connector, ConnectorReply, Payout } from '../contract/connector.ts';
import type { ConnectorDeps, ConnectorKind } from '../contract/connector-kind.ts';
import { replyToPayout } from '../contract/sent-again.ts';
import type { WireRecord } from '../wire/wire-record.ts';
import { balanceAnswer, inquiryOutcome, submissionOutcome } from './answers.ts';
import { createMtnClient, type MtnAnswer } from './call.ts';
import { readMtnCallback } from './callback.ts';
import { resolveMtnName } from './names.ts';
import { balanceRequest, statusRequest, transferRequest } from './requests.ts';
import { checkMtnSettings, MtnSettings, mtnTerms, PRODUCTION_BASE_URL } from './settings.ts';

/** The next inquiry about a pending payout follows after this share of its age: often at first, then less. */
const ASK_AGAIN_AGE_PART = 0.25;
const ASK_AGAIN_MAX_MS = 120_000;

/** MTN MoMo's Disbursement product, in Zambia and Nigeria. */
export const MTN: ConnectorKind<typeof MtnSettings> = {
  name: 'mtn',
  settings: MtnSettings,
  pairs: [
    { operator: 'mtn', country: 'zm' },
    { operator: 'mtn', country: 'ng' },
  ],
  // MTN limits inquiries to ten a second, and every payout needs at least one: submitting faster would only lengthen
  // the queue of payouts without a known result.
  operatorLimits: {
    concurrency: 20,
    submitsPerSecond: 10,
    inquiriesPerSecond: 10,
    namesPerSecond: 5,
  },
  checkSettings: checkMtnSettings,
  accountOf: ({ baseUrl, targetEnvironment, apiUser }) => [
    baseUrl ?? PRODUCTION_BASE_URL,
    targetEnvironment ?? '',
    apiUser,
  ],
  create: createMtnConnector,
};

function createMtnConnector(settings: Static<typeof MtnSettings>, deps: ConnectorDeps): Connector {
  const terms = mtnTerms(settings, deps);
  const line = createMtnClient(terms, deps);
  const { submitMs, inquireMs, nameMs, balanceMs } = deps.timeouts;

  function inquireAgainInMs({ createdAt }: Payout): number {
    const ageMs = deps.now().getTime() - createdAt.getTime();
    const waitMs = Math.min(ASK_AGAIN_MAX_MS, ageMs * ASK_AGAIN_AGE_PART);
    return Math.max(terms.firstCheckMs, Math.round(waitMs));
  }

  return {
    abilities: {
      deduplicates: true,
      referenceMemoryMs: deps.referenceMemoryMs,
      inquires: true,
      notFoundIsFinal: terms.notFoundIsFinal,
      unconfirmedSuccessWaitMs: null,
      resolvesNames: true,
      reportsBalance: true,
      signedCallbacksAreFinal: false,
    },
    async submit(payout) {
      const request = transferRequest(payout, terms, deps.callbackUrl);
      if (request === undefined) return UNWRITABLE;
      const answer = await line.call(request, submitMs);
      const outcome = submissionOutcome(answer, terms.firstCheckMs);
      return replyToPayout({ outcome, wire: recordOf(answer) }, earlierOf(answer));
    },
    async inquire(payout) {
      const answer = await line.call(statusRequest(payout), inquireMs);
      const currency = terms.currency ?? payout.currency;
      const wanted = { payout, currency, inquireAgainInMs: inquireAgainInMs(payout) };
      return { outcome: inquiryOutcome(answer, wanted), wire: recordOf(answer) };
    },
    resolveName({ phone }) {
      const endsAtMs = deps.monotonicMs() + nameMs;
      return resolveMtnName(phone, (request) =>
        line.call(request, Math.max(1, Math.floor(endsAtMs - deps.monotonicMs()))),
      );
    },
    async balance() {
      const answer = await line.call(balanceRequest(), balanceMs);
      return balanceAnswer(answer, terms.currency ?? currencyOf(deps.country));
    },
    readCallback: (callback) => readMtnCallback(callback, { currency: terms.currency ?? null }),
    close: () => line.close(),
  };
}

/** It is never sent, so it is certain that no money moved. */
const UNWRITABLE: ConnectorReply = {
  outcome: {
    kind: 'rejected',
    failure: 'AMOUNT_REFUSED',
    cause: 'the amount has more decimals than MTN takes here',
  },
  wire: null,
};

function earlierOf(answer: MtnAnswer): readonly WireRecord[] {
  return answer.kind === 'noToken' || answer.earlier === undefined ? [] : [answer.earlier];
}

/** The record of a call; the exchange for a token is never recorded. */
function recordOf(answer: MtnAnswer): ConnectorReply['wire'] {
  return answer.kind === 'noToken' ? null : answer.record;
}
