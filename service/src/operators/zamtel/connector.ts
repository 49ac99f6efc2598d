import type { Static } from 'typebox';
import type { Connector, ConnectorReply } from '../contract/connector.ts';
import type { ConnectorDeps, ConnectorKind } from '../contract/connector-kind.ts';
import { createOperatorWire } from '../wire/operator-wire.ts';
import { windowOf } from '../wire/send-window.ts';
import { payoutOutcome } from './answers.ts';
import { payoutRequest } from './requests.ts';
import { checkZamtelSettings, ZamtelSettings, zamtelTerms } from './settings.ts';

/** Zamtel Money in Zambia, over the ZampayRest facade. */
export const ZAMTEL: ConnectorKind<typeof ZamtelSettings> = {
  name: 'zamtel',
  settings: ZamtelSettings,
  pairs: [{ operator: 'zamtel', country: 'zm' }],
  // Zamtel publishes no limits, and what it drops becomes a doubt that only a person can resolve, so the limits are
  // low. There are no inquiries and no name lookups.
  operatorLimits: { concurrency: 4, submitsPerSecond: 5, inquiriesPerSecond: 1, namesPerSecond: 1 },
  checkSettings: checkZamtelSettings,
  accountOf: (settings) => {
    const { baseUrl, thirdPartyId, shortcode } = zamtelTerms(settings);
    return [baseUrl, thirdPartyId, shortcode];
  },
  create: createZamtelConnector,
};

/**
 * Sends each payout once. The facade neither deduplicates nor has an inquiry, so everything but a clear yes or no stays
 * in doubt.
 */
function createZamtelConnector(
  settings: Static<typeof ZamtelSettings>,
  deps: ConnectorDeps,
): Connector {
  const terms = zamtelTerms(settings);
  const wire = createOperatorWire({
    baseUrl: terms.baseUrl,
    connectionsMax: deps.connectionsMax,
    secrets: () => [terms.password, terms.credential],
    monotonicMs: deps.monotonicMs,
    // A kept connection may be closed already, and no inquiry could find a payout that is lost on it.
    keepsConnections: false,
  });
  return {
    abilities: {
      deduplicates: false,
      referenceMemoryMs: 0,
      inquires: false,
      notFoundIsFinal: false,
      unconfirmedSuccessWaitMs: null,
      resolvesNames: false,
      reportsBalance: false,
      signedCallbacksAreFinal: false,
    },
    async submit(payout) {
      const request = payoutRequest(payout, terms, deps.timeouts.submitMs);
      if (request === undefined) return UNWRITABLE;
      const answer = await wire.send({ ...request, ...windowOf(payout) });
      return { outcome: payoutOutcome(answer, payout, terms), wire: answer.record };
    },
    async inquire() {
      return UNASKABLE;
    },
    async resolveName() {
      return { kind: 'unreachable', cause: 'Zamtel has no name lookup' };
    },
    close: () => wire.close(),
  };
}

const UNASKABLE: ConnectorReply = {
  outcome: { kind: 'unknown', cause: 'Zamtel has no inquiry' },
  wire: null,
};

/** It is never sent, so it is certain that no money moved. */
const UNWRITABLE: ConnectorReply = {
  outcome: {
    kind: 'rejected',
    failure: 'AMOUNT_REFUSED',
    cause: 'the amount has more decimals than Zamtel takes',
  },
  wire: null,
};
