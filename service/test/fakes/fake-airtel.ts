/** For tests: a server that answers as Airtel's documentation says, except where a test scripts it. */

import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Static } from 'typebox';
import { AIRTEL } from '../../src/operators/airtel/connector.ts';
import type { AirtelSettings } from '../../src/operators/airtel/settings.ts';
import type { Connector, Payout } from '../../src/operators/contract/connector.ts';
import type { Timeouts } from '../../src/operators/contract/connector-kind.ts';
import { NOTHING_KEPT } from '../../src/operators/credentials/credential-store.ts';
import {
  type FakeAnswer,
  type FakeRequest,
  type FakeServer,
  startFakeServer,
} from './fake-server.ts';

/** `count` is the number of this script's requests, from 1. */
export type Script = (asked: FakeRequest, count: number) => FakeAnswer;
export type Bytes = Exclude<FakeAnswer, string>;

export type FakeGateway = Omit<FakeServer, 'connections'> &
  Readonly<{
    /** The number of requests whose path begins so. */
    count(path: string): number;
  }>;

export const CONNECTIONS_MAX = 50;
export const TOKEN = 'scripted-token-0123456789abcdef';

/** The first entry whose path is a prefix of the requested one answers. */
export async function startFakeGateway(
  scripts: Readonly<Record<string, Script>>,
): Promise<FakeGateway> {
  const usual: Readonly<Record<string, Script>> = { '/auth/oauth2/token': () => tokenAnswer() };
  const all = Object.entries({ ...usual, ...scripts });
  const count = (path: string): number =>
    server.requests.filter((each) => each.path.startsWith(path)).length;
  const server = await startFakeServer((request) => {
    const entry = all.find(([path]) => request.path.startsWith(path));
    return entry?.[1](request, count(entry[0])) ?? { status: 404, body: 'not scripted' };
  });
  return { ...server, count };
}

export function tokenAnswer(token: string = TOKEN, expiresIn: string = '"180"'): Bytes {
  const body = `{"access_token":"${token}","expires_in":${expiresIn},"token_type":"bearer"}`;
  return { status: 200, body };
}

export function keyAnswer(spki: string, validUpTo: string = '2099-01-01 00:00:00'): Bytes {
  const data = { key_id: 'k1', key: spki, valid_upto: validUpTo };
  const status = { response_code: 'DP02010001001', code: '200', success: true, message: 'SUCCESS' };
  return { status: 200, body: JSON.stringify({ data, status }) };
}

type Said = Readonly<{
  id?: string;
  status?: string;
  code?: string;
  success?: boolean;
  message?: string;
  more?: Readonly<Record<string, unknown>>;
}>;

/** The documented form of an answer about a payout. */
export function payoutAnswer(said: Said, httpStatus: number = 200): Bytes {
  const { id, status, code = 'DP00900001001', success = true, message = 'SUCCESS', more } = said;
  const data = { transaction: { id, status, airtel_money_id: 'CI240101.1234.A00001', ...more } };
  const outer = { response_code: code, code: '200', success, result_code: 'ESB000010', message };
  return { status: httpStatus, body: JSON.stringify({ data, status: outer }) };
}

const TIMEOUTS: Timeouts = {
  tokenMs: 5_000,
  submitMs: 5_000,
  inquireMs: 5_000,
  nameMs: 5_000,
  balanceMs: 5_000,
};

/** A connector to a scripted gateway, with the test's own settings. */
export function connectTo(
  baseUrl: string,
  wanted: Readonly<{
    settings?: Partial<Static<typeof AirtelSettings>>;
    timeouts?: Partial<Timeouts>;
    monotonicMs?: () => number;
    country?: 'zm' | 'ng';
  }> = {},
): Connector {
  const secrets = { clientId: 'client', clientSecret: 'client-secret-77', pin: '4829' };
  return AIRTEL.create(
    { baseUrl, ...secrets, ...wanted.settings },
    {
      operator: 'airtel',
      country: wanted.country ?? 'zm',
      timeouts: { ...TIMEOUTS, ...wanted.timeouts },
      connectionsMax: CONNECTIONS_MAX,
      callbackUrl: null,
      referenceMemoryMs: 12 * 60 * 60_000,
      timeScale: 1,
      now: () => new Date(),
      monotonicMs: wanted.monotonicMs ?? (() => performance.now()),
      wait: (ms) => wait(ms),
      newUuid: () => randomUUID(),
      credentials: NOTHING_KEPT,
    },
  );
}

export function somePayout(wanted: Partial<Payout> = {}): Payout {
  return {
    operatorReference: randomUUID(),
    phone: '+260977123456',
    operator: 'airtel',
    country: 'zm',
    currency: 'ZMW',
    amountMinor: 15_050n,
    narration: null,
    createdAt: new Date(),
    ...wanted,
  };
}
