type MtnCredentials = Readonly<{
  subscriptionKey: string;
  secondarySubscriptionKey: string;
  /** A UUID. */
  apiUser: string;
  apiKey: string;
  providerCallbackHost: string;
}>;

/** Settings that differ between markets, or between the operator's own documents. */
export type MtnSettings = Readonly<{
  credentials: MtnCredentials;
  /** `sandbox` also has the provisioning API and the special numbers. */
  targetEnvironment: string;
  currency: string;
  /** The maximum number of decimals of amounts in the market. */
  decimalsMax: number;
  /** `https` in production, `http` in the sandbox; `any` allows both. */
  callbackScheme: 'https' | 'http' | 'any';
  callbackMethod: 'PUT' | 'POST';
  /** Whether callbacks have `referenceId`; real ones sometimes do. */
  callbackCarriesReference: boolean;
  reasonAs: 'object' | 'text';
  /** Amounts, numeric references and phone numbers as JSON numbers, as some markets do. */
  numbersUnquoted: boolean;
  /** `onSubmit`: a payout that fails without being pending is refused in its submission's answer and not stored. */
  refusals: 'onStatus' | 'onSubmit';
  /** The code for a currency of another market: both are documented. */
  wrongCurrency: 'INVALID_CURRENCY' | 'VALIDATION_ERROR';
  noteCharactersMax: number;
  /** Every payout is pending at least so long, multiplied by the time scale. */
  pendingMs: number;
  /** In real seconds, not multiplied by the time scale, because the token's answer contains it. */
  tokenLifetimeS: number;
  statusCallsPerSecondMax: number;
  /** Source addresses that may call; null allows all. */
  addressesAllowed: readonly string[] | null;
}>;

export type MtnChoices = Partial<Omit<MtnSettings, 'credentials'>> &
  Readonly<{ credentials?: Partial<MtnCredentials> }>;

export const SANDBOX = 'sandbox';

/** Public, because nothing here is worth protecting. */
const CREDENTIALS: MtnCredentials = {
  subscriptionKey: 'emulated0subscription0key0mtn001',
  secondarySubscriptionKey: 'emulated0subscription0key0mtn002',
  apiUser: '5f0b8f4e-6c1d-4a53-9d1e-2b7f6a9c3e10',
  apiKey: 'emulated0api0key0of0mtn000000001',
  providerCallbackHost: 'localhost',
};
const CURRENCIES: Readonly<Record<string, string>> = {
  sandbox: 'EUR',
  mtnzambia: 'ZMW',
  mtnnigeria: 'NGN',
};

export function chooseMtnSettings(choices: MtnChoices): MtnSettings {
  const { targetEnvironment = 'mtnzambia', credentials = {}, ...others } = choices;
  const currency = choices.currency ?? CURRENCIES[targetEnvironment];
  if (currency === undefined) throw new Error(`${targetEnvironment}: currency is required`);
  return {
    decimalsMax: 2,
    callbackScheme: targetEnvironment === SANDBOX ? 'http' : 'https',
    callbackMethod: 'PUT',
    callbackCarriesReference: false,
    reasonAs: 'object',
    numbersUnquoted: false,
    refusals: 'onStatus',
    wrongCurrency: 'INVALID_CURRENCY',
    noteCharactersMax: 128,
    pendingMs: 1_000,
    tokenLifetimeS: 3_600,
    statusCallsPerSecondMax: 10,
    addressesAllowed: null,
    ...others,
    currency,
    targetEnvironment,
    credentials: { ...CREDENTIALS, ...credentials },
  };
}
