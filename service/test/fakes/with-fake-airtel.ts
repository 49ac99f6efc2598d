/** For tests: a connector and a scripted gateway, closed together. */
import { generateKeyPairSync } from 'node:crypto';
import { toAirtelId } from '../../src/operators/airtel/formats.ts';
import type { Connector, Payout } from '../../src/operators/contract/connector.ts';
import {
  connectTo,
  type FakeGateway,
  payoutAnswer,
  type Script,
  startFakeGateway,
} from './fake-airtel.ts';

export const PAIR = generateKeyPairSync('rsa', { modulusLength: 2_048 });
export const SPKI = PAIR.publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
export const TOKENS = '/auth/oauth2/token';
export const SUBMIT = '/standard/v3/disbursements';
export const INQUIRE = '/standard/v3/disbursements/';
export const KEYS = '/v1/rsa/encryption-keys';

type Wanted = NonNullable<Parameters<typeof connectTo>[1]>;
export type Stage = Readonly<{ connector: Connector; gateway: FakeGateway }>;

/** The public key is in the settings unless its request is scripted. */
export async function withGateway(
  scripts: Readonly<Record<string, Script>>,
  test: (stage: Stage) => Promise<void>,
  wanted: Wanted = {},
): Promise<void> {
  const gateway = await startFakeGateway(scripts);
  const given = KEYS in scripts ? {} : { publicKey: SPKI };
  const settings = { ...given, ...wanted.settings };
  const connector = connectTo(gateway.baseUrl, { ...wanted, settings });
  try {
    await test({ connector, gateway });
  } finally {
    connector.close?.();
    await gateway.close();
  }
}

/** A connector to an address without a listener. */
export async function connectToClosedPort(): Promise<Connector> {
  const gateway = await startFakeGateway({});
  await gateway.close();
  return connectTo(gateway.baseUrl, { settings: { publicKey: SPKI } });
}

export function idOf(payout: Payout): string {
  return toAirtelId(payout.operatorReference);
}

/** The inquiry is listed first, because its path begins with that of the submission. */
export function both(inquire: Script, submit: Script): Readonly<Record<string, Script>> {
  return { [INQUIRE]: inquire, [SUBMIT]: submit };
}

/** TS with our id and the success code; only the text may report more. */
export function succeeds(payout: Payout, message: string = 'SUCCESS'): Script {
  return () => payoutAnswer({ id: idOf(payout), status: 'TS', message });
}

/** TF with the id of the submitted payout. */
export const REFUSES: Script = ({ body }) => {
  const id: string = JSON.parse(body).reference;
  return payoutAnswer({ id, status: 'TF', code: 'DP00900001003', success: false });
};

export const NEVER: Script = () => {
  throw new Error('not to be asked');
};
