import type { Static } from 'typebox';
import { currencyOf } from '../../domain/operator.ts';
import type { Connector, ConnectorReply } from '../contract/connector.ts';
import type { ConnectorDeps, ConnectorKind } from '../contract/connector-kind.ts';
import { unanswered } from '../wire/no-answer.ts';
import { createOperatorWire } from '../wire/operator-wire.ts';
import { readBalance } from './balance.ts';
import { readCallback } from './callback.ts';
import { createTokenSource } from './credentials.ts';
import type { ApiVersion, DisbursementShape } from './disbursement-shape.ts';
import { DISBURSEMENT_V1 } from './disbursement-v1.ts';
import { DISBURSEMENT_V2 } from './disbursement-v2.ts';
import { DISBURSEMENT_V3 } from './disbursement-v3.ts';
import { inquireAboutPayout } from './inquire.ts';
import { resolveName } from './names.ts';
import { outcomeOf } from './outcome-of.ts';
import type { AirtelParts } from './parts.ts';
import { createFetchedKey, createGivenKey, readPublicKey } from './public-key.ts';
import { AirtelSettings, checkAirtelSettings, fillSettings } from './settings.ts';
import { submitPayout } from './submit.ts';

/** Token and public key have their own connections, so that slow payouts cannot block them. */
const ACCESS_CONNECTIONS_MAX = 2;

const SHAPES: Readonly<Record<ApiVersion, DisbursementShape>> = {
  v1: DISBURSEMENT_V1,
  v2: DISBURSEMENT_V2,
  v3: DISBURSEMENT_V3,
};

/** Airtel Money over Airtel Africa's Open API. */
export const AIRTEL: ConnectorKind<typeof AirtelSettings> = {
  name: 'airtel',
  settings: AirtelSettings,
  pairs: [
    { operator: 'airtel', country: 'zm' },
    { operator: 'airtel', country: 'ng' },
  ],
  // Airtel publishes no limit; a route with a higher agreed limit sets it.
  operatorLimits: {
    concurrency: 10,
    submitsPerSecond: 10,
    inquiriesPerSecond: 10,
    namesPerSecond: 5,
  },
  checkSettings: checkAirtelSettings,
  accountOf: ({ baseUrl, clientId }) => [baseUrl, clientId],
  create: createAirtelConnector,
};

function createAirtelConnector(
  given: Static<typeof AirtelSettings>,
  deps: ConnectorDeps,
): Connector {
  const { parts, close } = createParts(given, deps);
  const { settings } = parts;
  return {
    abilities: {
      deduplicates: true,
      referenceMemoryMs: deps.referenceMemoryMs,
      inquires: true,
      notFoundIsFinal: settings.notFoundIsFinal,
      unconfirmedSuccessWaitMs: settings.unconfirmedSuccessWaitMs,
      resolvesNames: true,
      reportsBalance: true,
      signedCallbacksAreFinal: false,
    },
    submit: (payout) => submitPayout(parts, payout).catch(unexpected),
    async inquire(payout) {
      const { inquireMs: timeoutMs } = parts.timeouts;
      const asked = inquireAboutPayout(parts, payout, { timeoutMs });
      const toReply = ({ verdict, wire }: Awaited<typeof asked>): ConnectorReply => ({
        outcome: outcomeOf(verdict, payout, parts.now()),
        wire,
      });
      return asked.then(toReply).catch(notAsked);
    },
    resolveName: (account) => resolveName(parts, account).catch(unreachable),
    balance: () => readBalance(parts).catch(unreachable),
    readCallback: (callback) => readCallback(callback, { ...settings, country: deps.country }),
    close,
  };
}

function createParts(
  given: Static<typeof AirtelSettings>,
  deps: ConnectorDeps,
): Readonly<{ parts: AirtelParts; close: () => void }> {
  const settings = fillSettings(given);
  const { baseUrl, clientId, clientSecret, pin, callbackSecret = '', publicKey } = settings;
  const { country, monotonicMs, now, timeouts } = deps;
  const secretsUnderWay = new Set<string>();
  const secrets = (): string[] => [
    clientSecret,
    pin,
    callbackSecret,
    ...token.secrets(),
    ...secretsUnderWay,
  ];
  const line = { baseUrl, secrets, monotonicMs };
  const access = createOperatorWire({ ...line, connectionsMax: ACCESS_CONNECTIONS_MAX });
  const wire = createOperatorWire({ ...line, connectionsMax: deps.connectionsMax });
  const timeoutMs = timeouts.tokenMs;
  const { credentials, newUuid } = deps;
  const kept = { credentials, monotonicMs, newUuid };
  const token = createTokenSource({ ...kept, wire: access, clientId, clientSecret, timeoutMs });
  const calls = { token, country, currency: currencyOf(country), monotonicMs };
  const givenKey = publicKey === undefined ? undefined : readPublicKey(publicKey);
  const parts: AirtelParts = {
    ...calls,
    wire,
    settings,
    shape: SHAPES[settings.apiVersion],
    publicKey:
      givenKey === undefined
        ? createFetchedKey({ ...calls, wire: access, timeoutMs, now, newUuid })
        : createGivenKey(givenKey),
    secretsUnderWay,
    timeouts,
    now,
  };
  return { parts, close: () => [access, wire].forEach((each) => each.close()) };
}

/** An error in our own code is no evidence either way. */
function unexpected(error: unknown): ConnectorReply {
  return { outcome: { kind: 'unknown', cause: faultOf(error) }, wire: null };
}

function notAsked(error: unknown): ConnectorReply {
  return { outcome: unanswered(faultOf(error)), wire: null };
}

function unreachable(error: unknown): Readonly<{ kind: 'unreachable'; cause: string }> {
  return { kind: 'unreachable', cause: faultOf(error) };
}

/** Never the message of an error: it could contain what was being sent. */
function faultOf(error: unknown): string {
  return `the connector failed: ${error instanceof Error ? error.name : 'unknown'}`;
}
