import { writeAmount, writeLimit } from './amounts.ts';
import { Rejection } from './failure-codes.ts';
import {
  type AvailabilityStatus,
  COUNTRIES,
  type Country,
  type CountryCode,
  type Provider,
} from './providers.ts';

const OPERATION_TYPES = [
  'DEPOSIT',
  'PAYOUT',
  'REFUND',
  'REMITTANCE',
  'PUSH_DEPOSIT',
  'NAME_LOOKUP',
];

/** What a toolkit call selects. */
type Selection = Readonly<{ countries: readonly Country[]; showsPayouts: boolean }>;

const COUNTRY = /^[A-Z]{3}$/;

/** An operation type that the account does not have gives an empty list, not an error. */
export function readSelection(query: URLSearchParams): Selection {
  const country = query.get('country');
  const operationType = query.get('operationType');
  if (country !== null && !COUNTRY.test(country)) {
    throw new Rejection('INVALID_PARAMETER', "The parameter 'country' is not valid.");
  }
  if (operationType !== null && !OPERATION_TYPES.includes(operationType)) {
    throw new Rejection('INVALID_PARAMETER', "The parameter 'operationType' is not valid.");
  }
  return {
    countries: Object.values(COUNTRIES).filter(
      (known) => country === null || known.country === country,
    ),
    showsPayouts: operationType === null || operationType === 'PAYOUT',
  };
}

export type Account = Readonly<{
  companyName: string;
  providers: readonly Provider[];
  statusOf: (provider: Provider) => AvailabilityStatus;
  callbackUrl: () => string | null;
  signedRequestsOnly: boolean;
  signedCallbacks: boolean;
}>;

function eachCountry<Shown>(
  account: Account,
  { countries, showsPayouts }: Selection,
  show: (country: Country, providers: readonly Provider[]) => Shown,
): readonly Shown[] {
  if (!showsPayouts) return [];
  return countries.flatMap((country) => {
    const here = account.providers.filter((provider) => provider.country === country.country);
    return here.length === 0 ? [] : [show(country, here)];
  });
}

/** `GET /v2/active-conf`: what the account may do, and the format of amounts. */
export function activeConf(account: Account, selection: Selection) {
  const { companyName, signedRequestsOnly, signedCallbacks } = account;
  return {
    companyName,
    signatureConfiguration: { signedRequestsOnly, signedCallbacks },
    countries: eachCountry(account, selection, (country, providers) => ({
      country: country.country,
      displayName: country.displayName,
      prefix: country.prefix,
      flag: `https://static.example/flags/${country.country.toLowerCase()}.svg`,
      providers: providers.map((provider) => describeProvider(account, country, provider)),
    })),
  };
}

function describeProvider(account: Account, country: Country, provider: Provider) {
  const callbackUrl = account.callbackUrl();
  return {
    provider: provider.provider,
    displayName: provider.displayName,
    logo: `https://static.example/logos/${provider.provider.toLowerCase()}.png`,
    nameDisplayedToCustomer: account.companyName,
    currencies: [
      {
        currency: country.currency,
        displayName: country.currencyName,
        operationTypes: {
          PAYOUT: {
            minAmount: writeLimit(provider.minAmountMinor),
            maxAmount: writeLimit(provider.maxAmountMinor),
            decimalsInAmount: provider.decimalsInAmount,
            status: account.statusOf(provider),
            ...(callbackUrl === null ? {} : { callbackUrl }),
          },
        },
      },
    ],
  };
}

/** `GET /v2/availability`: the current availability of each provider. */
export function availability(account: Account, selection: Selection) {
  return eachCountry(account, selection, ({ country }, providers) => ({
    country,
    providers: providers.map((provider) => ({
      provider: provider.provider,
      operationTypes: [{ operationType: 'PAYOUT', status: account.statusOf(provider) }],
    })),
  }));
}

/** `GET /v2/wallet-balances`: one wallet per country, not bound to a provider. */
export function walletBalances(
  balanceMinorOf: (country: CountryCode) => bigint,
  { countries }: Selection,
) {
  const balances = countries.map(({ country, currency }) => ({
    country,
    balance: writeAmount(balanceMinorOf(country)),
    currency,
    provider: '',
  }));
  return { balances };
}
