export type CountryCode = 'ZMB' | 'NGA';
export type AvailabilityStatus = 'OPERATIONAL' | 'DELAYED' | 'CLOSED';

/** By the provider's code. */
export type Availability = Readonly<Record<string, AvailabilityStatus>>;

export const AVAILABILITY_STATUSES: readonly AvailabilityStatus[] = [
  'OPERATIONAL',
  'DELAYED',
  'CLOSED',
];

export type Country = Readonly<{
  country: CountryCode;
  displayName: string;
  /** The calling code. */
  prefix: string;
  currency: string;
  currencyName: string;
  /** Mobile numbers after the calling code. */
  mobileNumber: RegExp;
}>;

export const COUNTRIES: Readonly<Record<CountryCode, Country>> = {
  ZMB: {
    country: 'ZMB',
    displayName: 'Zambia',
    prefix: '260',
    currency: 'ZMW',
    currencyName: 'Zambian kwacha',
    mobileNumber: /^(?:[59][5-8]|7[5-9])\d{7}$/,
  },
  NGA: {
    country: 'NGA',
    displayName: 'Nigeria',
    prefix: '234',
    currency: 'NGN',
    currencyName: 'Nigerian naira',
    mobileNumber:
      /^(?:(?:702[0-24-9]|819[01])\d{6}|(?:7(?:0[13-9]|[12]\d)|8(?:0[1-9]|1[0-8])|9(?:0[1-9]|1[1-6]))\d{7})$/,
  },
};

export type Provider = Readonly<{
  provider: string;
  country: CountryCode;
  displayName: string;
  minAmountMinor: bigint;
  maxAmountMinor: bigint;
  decimalsInAmount: 'NONE' | 'TWO_PLACES';
  /** The prefixes of national numbers. Only predictions use them, because numbers can be ported. */
  numberPrefixes: readonly string[];
}>;

/** The documented sample has these limits for Zambia; those for Nigeria are not documented. */
const LIMITS = {
  ZMB: { minAmountMinor: 1_00n, maxAmountMinor: 10_000_00n },
  NGA: { minAmountMinor: 1_00n, maxAmountMinor: 1_000_000_00n },
} as const;

function provider(
  code: string,
  country: CountryCode,
  displayName: string,
  numberPrefixes: string,
): Provider {
  return {
    provider: code,
    country,
    displayName,
    ...LIMITS[country],
    decimalsInAmount: 'TWO_PLACES',
    numberPrefixes: numberPrefixes.split(' '),
  };
}

export const DEFAULT_PROVIDERS: readonly Provider[] = [
  provider('AIRTEL_OAPI_ZMB', 'ZMB', 'Airtel', '97 77 57'),
  provider('MTN_MOMO_ZMB', 'ZMB', 'MTN', '96 76 56'),
  provider('ZAMTEL_ZMB', 'ZMB', 'Zamtel', '95 75 55'),
  provider('AIRTEL_NGA', 'NGA', 'Airtel', '701 708 802 808 812 901 902 904 907 911 912'),
  provider(
    'MTN_MOMO_NGA',
    'NGA',
    'MTN',
    '703 704 706 707 803 806 810 813 814 816 903 906 913 916 7025 7026',
  ),
];

/** True when the digits with calling code can be a mobile number of that country, with any provider. */
export function isMobileNumber(digits: string, country: CountryCode): boolean {
  const { prefix, mobileNumber } = COUNTRIES[country];
  return digits.startsWith(prefix) && mobileNumber.test(digits.slice(prefix.length));
}
