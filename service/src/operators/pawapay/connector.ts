import { currencyOf } from '../../domain/operator.ts';
import type { Connector } from '../contract/connector.ts';
import type { ConnectorDeps, ConnectorKind } from '../contract/connector-kind.ts';
import { createOperatorWire } from '../wire/operator-wire.ts';
import { readPawapayAnswer, readPawapayCallback } from './callback.ts';
import { type CallbackKeys, createConfiguredKeys, createFetchedKeys } from './callback-keys.ts';
import { readPrivateKey } from './http-signature.ts';
import {
  bearer,
  cancelEnqueued,
  fetchBalance,
  fetchConditions,
  fetchPrediction,
  inquirePayout,
  type PawapayClient,
  submitPayout,
} from './operations.ts';
import { PAWAPAY_PAIRS, pawapayCountry, providerOf } from './providers.ts';
import {
  checkPawapaySettings,
  fillPawapaySettings,
  type PawapayOptions,
  PawapaySettings,
} from './settings.ts';
import type { RequestSigner } from './sign-request.ts';

/** pawaPay's merchant API, version 2: one account for many operators. */
export const PAWAPAY: ConnectorKind<typeof PawapaySettings> = {
  name: 'pawapay',
  settings: PawapaySettings,
  pairs: PAWAPAY_PAIRS,
  // pawaPay publishes no limits; these are conservative.
  operatorLimits: {
    concurrency: 20,
    submitsPerSecond: 20,
    inquiriesPerSecond: 10,
    namesPerSecond: 5,
  },
  checkSettings: checkPawapaySettings,
  // Only the token identifies the account, and the tokens of one account change: another account needs a route with
  // another name.
  accountOf: ({ baseUrl }) => [baseUrl],
  create: (settings, deps) => createPawapayConnector(fillPawapaySettings(settings), deps),
};

function createPawapayConnector(options: PawapayOptions, deps: ConnectorDeps): Connector {
  const secrets = secretsOf(options);
  const line = openLine(options, deps);
  const keys = openKeys(options, line);
  const required = options.callbackSignatures === 'required';
  const authority = URL.parse(deps.callbackUrl ?? '')?.host ?? null;
  return {
    abilities: {
      deduplicates: true,
      referenceMemoryMs: deps.referenceMemoryMs,
      inquires: true,
      notFoundIsFinal: options.notFoundIsFinal,
      unconfirmedSuccessWaitMs: null,
      resolvesNames: false,
      reportsBalance: true,
      signedCallbacksAreFinal: options.signedCallbacksAreFinal,
    },
    submit(payout) {
      // A callback follows every payout, and fetching the keys takes a moment.
      if (required) void keys.refresh('in time');
      return submitPayout(line, payout);
    },
    inquire: (payout) => inquirePayout(line, payout),
    async resolveName() {
      return { kind: 'unreachable', cause: 'pawaPay has no name lookup' };
    },
    balance: () => fetchBalance(line),
    async readConditions() {
      if (required) void keys.refresh('in time');
      return fetchConditions(line);
    },
    predictOperator: (phone) => fetchPrediction(line, phone),
    recall: (payout) => cancelEnqueued(line, payout),
    readCallback: (callback) =>
      readPawapayCallback({ keys, required, authority, now: deps.now }, callback),
    readAnswer: (callback, payout) => readPawapayAnswer(callback, { payout, secrets }),
    close: () => line.wire.close(),
  };
}

function openLine(options: PawapayOptions, deps: ConnectorDeps): PawapayClient {
  const { operator, country, connectionsMax, monotonicMs } = deps;
  const provider = options.provider ?? providerOf({ operator, country });
  if (provider === undefined) {
    throw new Error(`pawapay: provider must be set for ${operator} in ${country}`);
  }
  const { baseUrl, apiToken } = options;
  const secrets = secretsOf(options);
  return {
    deps,
    wire: createOperatorWire({ baseUrl, connectionsMax, secrets: () => secrets, monotonicMs }),
    base: new URL(baseUrl),
    apiToken,
    country: pawapayCountry(country),
    currency: currencyOf(country),
    provider,
    signer: openSigner(options),
  };
}

function secretsOf({ apiToken, signingPrivateKey }: PawapayOptions): readonly string[] {
  return [apiToken, ...(signingPrivateKey === undefined ? [] : [signingPrivateKey])];
}

function openSigner(options: PawapayOptions): RequestSigner | undefined {
  const { signingPrivateKey, signingKeyId: keyId } = options;
  if (signingPrivateKey === undefined || keyId === undefined) return undefined;
  const key = readPrivateKey(signingPrivateKey);
  if (key === undefined) throw new Error('pawapay: signingPrivateKey is not a private key');
  return { key, keyId, algorithm: options.signingAlgorithm, digest: options.signingDigest };
}

function openKeys({ callbackKeys }: PawapayOptions, line: PawapayClient): CallbackKeys {
  if (callbackKeys !== undefined) return createConfiguredKeys(callbackKeys);
  const { wire, deps } = line;
  const { monotonicMs, timeScale, timeouts } = deps;
  return createFetchedKeys({
    wire,
    headers: bearer(line),
    timeoutMs: timeouts.tokenMs,
    timeScale,
    monotonicMs,
  });
}
