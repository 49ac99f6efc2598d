type MtnCredentials = Readonly<{
  subscriptionKey: string;
  secondarySubscriptionKey: string;
  /** A UUID. */
  apiUser: string;
  apiKey: string;
  providerCallbackHost: string;
}>;

/** Whatever differs between markets, or between the operator's own documents. */
export type MtnSettings = Readonly<{
  credentials: MtnCredentials;
  /** `sandbox` also has the provisioning API and the numbers that steer. */
  targetEnvironment: string;
  currency: string;
  /** Of the market's amounts. */
  decimalsMax: number;
  /** `https` in production, `http` in the sandbox; `any` to be lenient. */
  callbackScheme: 'https' | 'http' | 'any';
  callbackMethod: 'PUT' | 'POST';
  /** Whether callbacks have `referenceId`; the real ones do sometimes. */
  callbackCarriesReference: boolean;
  reasonAs: 'object' | 'text';
  /** Amounts, numeric references and phone numbers as JSON numbers, as some markets do. */
  numbersUnquoted: boolean;
  /** `onSubmit`: what is refused without pending is refused at once and does not exist then. */
  refusals: 'onStatus' | 'onSubmit';
  /** How a currency of another market is refused: both are documented. */
  wrongCurrency: 'INVALID_CURRENCY' | 'VALIDATION_ERROR';
  noteCharactersMax: number;
  /** Every payout is pending at least so long, times the pace. */
  pendingMs: number;
  /** Real seconds, whatever the pace, because the token says them. */
  tokenLifetimeS: number;
  statusCallsPerSecondMax: number;
  /** Source addresses that may call; null: all. */
  addressesAllowed: readonly string[] | null;
}>;

export type MtnChoices = Partial<Omit<MtnSettings, 'credentials'>> &
  Readonly<{ credentials?: Partial<MtnCredentials> }>;

export const SANDBOX = 'sandbox';

/** Known to everybody, because nothing here is worth protecting. */
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
  if (currency === undefined) throw new Error(`${targetEnvironment}: say its currency`);
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
