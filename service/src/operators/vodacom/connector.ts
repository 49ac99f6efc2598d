import { currencyOf } from '../../domain/operator.ts';
import type { Connector, OperatorConditions } from '../contract/connector.ts';
import type { ConnectorDeps, ConnectorKind } from '../contract/connector-kind.ts';
import type { CredentialCache } from '../credentials/credential-cache.ts';
import { createOperatorWire } from '../wire/operator-wire.ts';
import { type CallDeps, NOT_LIVE_YET, vodacomHeaders } from './call.ts';
import { readVodacomCallback } from './callback.ts';
import { createVodacomSession } from './credentials.ts';
import { fetchName, inquirePayout, reversePayout, submitPayout } from './operations.ts';
import { createPortalCipher } from './portal-cipher.ts';
import {
  checkVodacomSettings,
  fillVodacomSettings,
  readPortalKey,
  type VodacomOptions,
  VodacomSettings,
} from './settings.ts';
import { vodacomPath } from './shapes.ts';

/** M-Pesa's OpenAPI. */
export const VODACOM: ConnectorKind<typeof VodacomSettings> = {
  name: 'vodacom',
  settings: VodacomSettings,
  pairs: [
    { operator: 'vodacom', country: 'zm' },
    { operator: 'vodacom', country: 'ng' },
  ],
  // Vodacom publishes no limits; these are conservative.
  operatorLimits: {
    concurrency: 10,
    submitsPerSecond: 10,
    inquiriesPerSecond: 5,
    namesPerSecond: 2,
  },
  checkSettings: checkVodacomSettings,
  accountOf: (settings) => {
    const { baseUrl, environment, market, serviceProviderCode } = fillVodacomSettings(settings);
    return [baseUrl, environment, market, serviceProviderCode];
  },
  checkPair: ({ currency }, { country }) =>
    currency === currencyOf(country)
      ? []
      : [`currency: must be ${currencyOf(country)}, which is what the route pays in`],
  create: (settings, deps) => {
    const options = fillVodacomSettings(settings);
    const sessionActivationMs = options.sessionActivationMs * deps.timeScale;
    return createVodacomConnector({ ...options, sessionActivationMs }, deps);
  },
};

function createVodacomConnector(options: VodacomOptions, deps: ConnectorDeps): Connector {
  const currency = currencyOf(deps.country);
  if (options.currency !== currency) {
    // An amount in one currency must never be paid as the same amount in another.
    throw new Error(`vodacom: currency is ${options.currency}, but the route pays ${currency}`);
  }
  const calls = openCalls(options, deps);
  const line = { options, deps, calls };
  return {
    abilities: {
      deduplicates: true,
      referenceMemoryMs: deps.referenceMemoryMs,
      inquires: true,
      notFoundIsFinal: options.notFoundIsFinal,
      unconfirmedSuccessWaitMs: null,
      resolvesNames: options.resolvesNames,
      reportsBalance: false,
      signedCallbacksAreFinal: false,
    },
    submit: (payout) => submitPayout(line, payout),
    inquire: (payout) => inquirePayout(line, payout),
    resolveName: (account) => fetchName(line, account),
    recall: (payout, known) =>
      reversePayout(line, { payout, transactionId: known.operatorTransactionId }),
    readConditions: () => keepSession(calls.session),
    readCallback: readVodacomCallback,
    close: () => calls.wire.close(),
  };
}

function openCalls(options: VodacomOptions, deps: ConnectorDeps): CallDeps {
  const { monotonicMs, wait, timeouts, connectionsMax, credentials, newUuid } = deps;
  const key = readPortalKey(options.publicKey);
  if (key === undefined) throw new Error('vodacom: publicKey is not an RSA key');
  const cipher = createPortalCipher(key);
  const bearers = new Set<string>();
  const wire = createOperatorWire({
    baseUrl: options.baseUrl,
    connectionsMax,
    secrets: () => [options.apiKey, ...session.secrets(), ...bearers],
    monotonicMs,
  });
  const session = createVodacomSession({
    options,
    fetch: () =>
      wire.send({
        method: 'GET',
        path: vodacomPath(options, 'getSession/'),
        headers: vodacomHeaders(cipher.encrypt(options.apiKey) ?? '', options.origin),
        body: null,
        timeoutMs: timeouts.tokenMs,
      }),
    credentials,
    monotonicMs,
    newUuid,
  });
  const { origin } = options;
  const { tokenMs } = timeouts;
  const { timeScale } = deps;
  return { wire, session, cipher, origin, bearers, tokenMs, timeScale, monotonicMs, wait };
}

/**
 * M-Pesa reports no conditions. Reading them every minute anyway keeps a session live, so that the first payout of the
 * day need not wait for one to warm up.
 */
async function keepSession(session: CredentialCache): Promise<OperatorConditions> {
  const taken = await session.take();
  if (taken.kind === 'ready') return { kind: 'known', open: true, bounds: null };
  const cause = taken.kind === 'failed' ? taken.cause : NOT_LIVE_YET;
  return { kind: 'unreachable', cause };
}
