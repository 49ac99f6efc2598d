import type { Country, Operator } from '../../domain/operator.ts';

type Pair = Readonly<{ operator: Operator; country: Country }>;

/** pawaPay's names for the wallets that it reaches in our countries. */
const PROVIDERS: readonly Readonly<Pair & { provider: string }>[] = [
  { operator: 'airtel', country: 'zm', provider: 'AIRTEL_OAPI_ZMB' },
  { operator: 'mtn', country: 'zm', provider: 'MTN_MOMO_ZMB' },
  { operator: 'zamtel', country: 'zm', provider: 'ZAMTEL_ZMB' },
  { operator: 'airtel', country: 'ng', provider: 'AIRTEL_NGA' },
  { operator: 'mtn', country: 'ng', provider: 'MTN_MOMO_NGA' },
];

export const PAWAPAY_PAIRS: readonly Pair[] = PROVIDERS.map(({ operator, country }) => ({
  operator,
  country,
}));

const COUNTRY_CODES: Readonly<Record<Country, string>> = { zm: 'ZMB', ng: 'NGA' };

export function pawapayCountry(country: Country): string {
  return COUNTRY_CODES[country];
}

export function providerOf({ operator, country }: Pair): string | undefined {
  return PROVIDERS.find((row) => row.operator === operator && row.country === country)?.provider;
}

/** Our name for a provider; pawaPay's own if we have none. */
export function operatorOf(provider: string): string {
  return PROVIDERS.find((row) => row.provider === provider)?.operator ?? provider;
}
