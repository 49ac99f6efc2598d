/** Digits of a mobile number after the country's code, or after its leading 0. */
const COUNTRIES: Readonly<Record<string, Readonly<{ code: string; digits: number }>>> = {
  ZMW: { code: '260', digits: 9 },
  NGN: { code: '234', digits: 10 },
};
/** A text that is further off is no number with a slip in it. */
const SLIP_MAX = 3;

/** How many digits a number lacks, or has too many as a negative count; undefined where their count says nothing. */
export function countMissingDigits(text: string, currency: string): number | undefined {
  const country = COUNTRIES[currency];
  if (country === undefined || /[^\d\s+().-]/.test(text)) return undefined;
  const typed = text.replaceAll(/\D/g, '').replace(/^00/, '');
  const rest = typed.startsWith(country.code)
    ? typed.slice(country.code.length)
    : typed.replace(/^0/, '');
  const missing = country.digits - rest.length;
  return missing === 0 || Math.abs(missing) > SLIP_MAX ? undefined : missing;
}
