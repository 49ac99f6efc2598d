import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { startAirtelEmulator } from './airtel/airtel-emulator.ts';
import { startMtnEmulator } from './mtn/mtn-emulator.ts';
import { startPawapayEmulator } from './pawapay/pawapay-emulator.ts';
import type { RouteEntry, StartedEmulator, StartOptions } from './route-entry.ts';
import { startVodacomEmulator } from './vodacom/vodacom-emulator.ts';
import { startZamtelEmulator } from './zamtel/zamtel-emulator.ts';

/** Part of callback paths. Public, because nothing here is worth protecting. */
const CALLBACK_TOKEN = 'emulated-callback-token-0001';
/** Short, so that people do not wait for the activation of an M-Pesa session. */
const SESSION_ACTIVATION_MS = 200;
/** The first inquiry comes so long after a submission, times the time scale of the route. */
const FIRST_CHECK_MS = 500;

type Start = (options: StartOptions) => Promise<StartedEmulator>;

/** All emulators by name. */
export const OPERATORS = {
  mtn: startMtn,
  airtel: startAirtel,
  vodacom: startVodacom,
  zamtel: startZamtel,
  pawapay: startPawapay,
} as const satisfies Record<string, Start>;

export type OperatorName = keyof typeof OPERATORS;

export async function startOperator(
  name: OperatorName,
  options: StartOptions,
): Promise<StartedEmulator> {
  await mkdir(options.folder, { recursive: true });
  return OPERATORS[name](options);
}

function kernelOptions(name: string, { port, folder, timeScale }: StartOptions) {
  return { port, timeScale, journalPath: join(folder, `${name}.book`) };
}

/** Adds the settings that all routes to emulators share. */
function routeTo(
  options: StartOptions,
  route: Pick<RouteEntry, 'name' | 'connector' | 'operator' | 'country' | 'settings'>,
): RouteEntry {
  const { timeScale, callbackBaseUrl, callsPerSecond } = options;
  return {
    ...route,
    ...(callbackBaseUrl === null ? {} : { callbackToken: CALLBACK_TOKEN }),
    ...(timeScale === 1 ? {} : { timeScale }),
    ...(callsPerSecond === null
      ? {}
      : {
          limits: {
            concurrency: 500,
            submitsPerSecond: callsPerSecond,
            inquiriesPerSecond: callsPerSecond,
          },
        }),
  };
}

function callbackUrl({ callbackBaseUrl }: StartOptions, route: string): string | null {
  return callbackBaseUrl === null
    ? null
    : `${callbackBaseUrl}/callbacks/${route}/${CALLBACK_TOKEN}`;
}

async function startMtn(options: StartOptions): Promise<StartedEmulator> {
  const { callbackBaseUrl, callsPerSecond } = options;
  const host = callbackBaseUrl === null ? 'localhost' : new URL(callbackBaseUrl).hostname;
  const emulator = await startMtnEmulator({
    ...kernelOptions('mtn', options),
    callbackScheme: 'any',
    credentials: { providerCallbackHost: host },
    ...(callsPerSecond === null ? {} : { statusCallsPerSecondMax: callsPerSecond }),
  });
  const { subscriptionKey, apiUser, apiKey } = emulator.settings.credentials;
  const firstCheckMs = FIRST_CHECK_MS;
  const settings = { baseUrl: emulator.url, subscriptionKey, apiUser, apiKey, firstCheckMs };
  const route = { name: 'mtn-zm', connector: 'mtn', operator: 'mtn', country: 'zm' } as const;
  return { ...emulator, routes: [routeTo(options, { ...route, settings })] };
}

async function startAirtel(options: StartOptions): Promise<StartedEmulator> {
  const emulator = await startAirtelEmulator({
    ...kernelOptions('airtel', options),
    callbackUrl: callbackUrl(options, 'airtel-zm'),
    settings: { signing: true },
  });
  const { clientId, clientSecret, pin, callbackPrivateKey } = emulator.credentials;
  const settings = {
    baseUrl: emulator.url,
    clientId,
    clientSecret,
    pin,
    signRequests: true,
    callbackSecret: callbackPrivateKey,
  };
  const route = { connector: 'airtel', operator: 'airtel', country: 'zm' } as const;
  return { ...emulator, routes: [routeTo(options, { ...route, name: 'airtel-zm', settings })] };
}

async function startVodacom(options: StartOptions): Promise<StartedEmulator> {
  const { sessionActivationMs = SESSION_ACTIVATION_MS } = options;
  const emulator = await startVodacomEmulator({
    ...kernelOptions('vodacom', options),
    responseUrl: callbackUrl(options, 'vodacom-zm'),
    // The real key has 4096 bits, which would cost every call a tenth of a second here.
    keyBits: 2_048,
    settings: { sessionActivationMs },
  });
  const { market, context } = emulator.settings;
  const { apiKey, serviceProviderCode, publicKey } = emulator.credentials;
  const settings = {
    baseUrl: emulator.url,
    environment: context,
    market: market.name,
    country: market.country,
    currency: market.currency,
    serviceProviderCode,
    apiKey,
    publicKey,
    sessionActivationMs,
  };
  const route = { connector: 'vodacom', operator: 'vodacom', country: 'zm' } as const;
  return { ...emulator, routes: [routeTo(options, { ...route, name: 'vodacom-zm', settings })] };
}

async function startZamtel(options: StartOptions): Promise<StartedEmulator> {
  const emulator = await startZamtelEmulator(kernelOptions('zamtel', options));
  const { basePath, credentials } = emulator.settings;
  const settings = { baseUrl: `${emulator.url}${basePath}`, ...credentials };
  const route = { connector: 'zamtel', operator: 'zamtel', country: 'zm' } as const;
  return { ...emulator, routes: [routeTo(options, { ...route, name: 'zamtel-zm', settings })] };
}

/** pawaPay serves many pairs of operator and country. Here it is used only for pairs without a direct route. */
async function startPawapay(options: StartOptions): Promise<StartedEmulator> {
  const callback = callbackUrl(options, 'pawapay-mtn-ng');
  const emulator = await startPawapayEmulator({
    ...kernelOptions('pawapay', options),
    signedCallbacks: true,
    signedRequestsOnly: true,
    ...(callback === null ? {} : { callbackUrl: callback }),
  });
  const { apiToken, requestKey } = emulator.credentials;
  const settings = {
    baseUrl: emulator.url,
    apiToken,
    signingKeyId: requestKey.keyId,
    signingPrivateKey: requestKey.privateKeyPem,
    callbackSignatures: 'required',
  };
  const connector = 'pawapay';
  const routes = (['mtn', 'airtel'] as const).map((operator) =>
    routeTo(options, {
      name: `pawapay-${operator}-ng`,
      connector,
      operator,
      country: 'ng',
      settings,
    }),
  );
  return { ...emulator, routes };
}
