import { MINOR_DIGITS } from '../../domain/money.ts';
import type { AmountBounds, OperatorConditions } from '../contract/connector.ts';
import { readAmountText } from '../wire/amount-text.ts';
import { at, type ExactJson, textAt } from '../wire/exact-json.ts';
import type { WireAnswer } from '../wire/operator-wire.ts';

export type ConditionsRequest = Readonly<{
  country: string;
  currency: string;
  provider: string;
  /** Whether our requests are signed. */
  signs: boolean;
}>;

/** A delayed provider is open: pawaPay accepts the payout and executes it later. */
const OPEN_BY_STATUS: ReadonlyMap<string, boolean> = new Map([
  ['OPERATIONAL', true],
  ['DELAYED', true],
  ['CLOSED', false],
]);

/**
 * Reads what pawaPay reports about a provider. The configuration of our account has the bounds; the availability is
 * fresher, but has nothing else, and may be missing.
 */
export function readConditions(
  {
    configuration,
    availability,
  }: Readonly<{ configuration: WireAnswer; availability: WireAnswer }>,
  asked: ConditionsRequest,
): OperatorConditions {
  if (configuration.kind !== 'answered') {
    return { kind: 'unreachable', cause: configuration.cause };
  }
  const { status, json } = configuration;
  if (status !== 200 || !Array.isArray(at(json, 'countries'))) {
    return { kind: 'unreachable', cause: `HTTP ${status} for the configuration` };
  }
  const payouts = findPayouts(json, asked);
  // An account without this provider cannot pay there, even if the provider is open.
  if (payouts === undefined) return { kind: 'known', open: false, bounds: null };
  const bounds = readBounds(payouts);
  if (!asked.signs && at(json, 'signatureConfiguration', 'signedRequestsOnly') === true) {
    return { kind: 'known', open: false, bounds };
  }
  const said = [textAt(payouts, 'status'), findAvailability(availability, asked)]
    .map((word) => OPEN_BY_STATUS.get(word ?? ''))
    .filter((open) => open !== undefined);
  return said.length === 0
    ? { kind: 'unreachable', cause: 'no status that is documented' }
    : { kind: 'known', open: !said.includes(false), bounds };
}

function findPayouts(
  json: ExactJson | undefined,
  { country, currency, provider }: ConditionsRequest,
): ExactJson | undefined {
  const inCountry = rowsAt(json, 'countries').filter((row) => textAt(row, 'country') === country);
  const providers = inCountry.flatMap((row) => rowsAt(row, 'providers'));
  const ours = providers.find((row) => textAt(row, 'provider') === provider);
  const currencies = rowsAt(ours, 'currencies');
  const inCurrency = currencies.find((row) => textAt(row, 'currency') === currency);
  return at(inCurrency, 'operationTypes', 'PAYOUT');
}

function findAvailability(
  answer: WireAnswer,
  { country, provider }: ConditionsRequest,
): string | undefined {
  if (answer.kind !== 'answered' || answer.status !== 200) return undefined;
  const countries = Array.isArray(answer.json) ? answer.json : [];
  const providers = countries
    .filter((row) => textAt(row, 'country') === country)
    .flatMap((row) => rowsAt(row, 'providers'));
  const ours = providers.find((row) => textAt(row, 'provider') === provider);
  const types = rowsAt(ours, 'operationTypes');
  return textAt(
    types.find((row) => textAt(row, 'operationType') === 'PAYOUT'),
    'status',
  );
}

/** Null unless all three are present and consistent: partial bounds are not used. */
function readBounds(payouts: ExactJson): AmountBounds | null {
  const minMinor = readAmountText(textAt(payouts, 'minAmount') ?? '');
  const maxMinor = readAmountText(textAt(payouts, 'maxAmount') ?? '');
  const decimals = DECIMALS.get(textAt(payouts, 'decimalsInAmount') ?? '');
  if (minMinor === undefined || maxMinor === undefined || decimals === undefined) return null;
  return minMinor <= maxMinor ? { minMinor, maxMinor, decimals } : null;
}

const DECIMALS: ReadonlyMap<string, number> = new Map([
  ['NONE', 0],
  ['TWO_PLACES', MINOR_DIGITS],
]);

function rowsAt(json: ExactJson | undefined, name: string): readonly ExactJson[] {
  const rows = at(json, name);
  return Array.isArray(rows) ? rows : [];
}
