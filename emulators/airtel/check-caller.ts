import type { OperatorRequest } from '../kernel/answer.ts';
import { AirtelRefusal, answerAsGateway, GatewayRefusal, TOKEN_REFUSED } from './airtel-answers.ts';
import type { AirtelSettings, AirtelState } from './airtel-state.ts';

export type Market = Readonly<{
  country: 'ZM' | 'NG';
  currency: string;
  callingCode: string;
  nationalDigits: number;
}>;

const MARKETS: readonly Market[] = [
  { country: 'ZM', currency: 'ZMW', callingCode: '260', nationalDigits: 9 },
  { country: 'NG', currency: 'NGN', callingCode: '234', nationalDigits: 10 },
];

const COUNTRY = /^[A-Z]{2}$/;

/** Checks what every business call needs, in this order: a valid token, a country, its currency. */
export function checkCaller(
  { settings, tokens }: AirtelState,
  request: OperatorRequest,
  product: keyof AirtelSettings['products'],
): Market {
  const [, token = ''] = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '') ?? [];
  if (!tokens.isLive(token)) throw new GatewayRefusal(TOKEN_REFUSED);
  const market = marketOf(settings, request.headers['x-country']);
  const currency = request.headers['x-currency'];
  if (currency === undefined) throw new AirtelRefusal('ROUTER119');
  if (currency !== market.currency) throw new AirtelRefusal('ROUTER112');
  if (!settings.products[product]) {
    const message = `The product ${product} is not enabled for this application`;
    throw new GatewayRefusal(answerAsGateway(403, { error: 'access_denied', message }));
  }
  return market;
}

function marketOf(
  { countries }: AirtelSettings,
  country: string | readonly string[] | undefined,
): Market {
  if (country === undefined) throw new AirtelRefusal('ROUTER003', { why: 'no X-Country' });
  if (typeof country !== 'string' || !COUNTRY.test(country)) throw new AirtelRefusal('ROUTER006');
  const market = MARKETS.find((known) => known.country === country);
  if (market === undefined) throw new AirtelRefusal('ROUTER005');
  if (!countries.includes(market.country)) throw new AirtelRefusal('ROUTER007');
  return market;
}

/** Adds the country code to a number in the operator's form, which has neither country code nor leading 0. */
export function internationalNumber(market: Market, national: string, code: string): string {
  if (!/^\d*$/.test(national)) throw new AirtelRefusal(code, { resultCode: 'ESB000008' });
  if (national.length < market.nationalDigits) {
    throw new AirtelRefusal(code, { resultCode: 'ESB000033' });
  }
  if (national.length > market.nationalDigits) {
    throw new AirtelRefusal(code, { resultCode: 'ESB000036' });
  }
  if (national.startsWith('0')) throw new AirtelRefusal(code, { resultCode: 'ESB000008' });
  return `${market.callingCode}${national}`;
}

export function nationalNumber(msisdn: string): string {
  const market = MARKETS.find(({ callingCode }) => msisdn.startsWith(callingCode));
  return market === undefined ? msisdn : msisdn.slice(market.callingCode.length);
}
