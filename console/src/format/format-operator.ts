const OPERATORS: Readonly<Record<string, string>> = {
  mtn: 'MTN',
  airtel: 'Airtel',
  zamtel: 'Zamtel',
  vodacom: 'Vodacom',
};

const COUNTRIES = new Intl.DisplayNames('en', { type: 'region' });

export function formatOperator(operator: string): string {
  return OPERATORS[operator.toLowerCase()] ?? operator;
}

/** `Zambia` for `ZM` or `zm`. */
export function formatCountry(country: string): string {
  return /^[A-Za-z]{2}$/.test(country) ? (COUNTRIES.of(country.toUpperCase()) ?? country) : country;
}
