import { type Static, Type } from 'typebox';
import type { Country } from '../../domain/operator.ts';
import { baseUrlProblems } from '../wire/base-url.ts';

export const PRODUCTION_BASE_URL = 'https://proxy.momoapi.mtn.com';
/** The one target environment with another currency than its country's. */
const SANDBOX_ENVIRONMENT = 'sandbox';
const ENVIRONMENTS: Readonly<Record<Country, string>> = { zm: 'mtnzambia', ng: 'mtnnigeria' };

const AMOUNT_DECIMALS = 2;
const FIRST_CHECK_MS = 2_000;
/** A callback brings the first inquiry forward, so it need not be scheduled early. */
const FIRST_CHECK_WITH_CALLBACKS_MS = 5_000;

/** What fits a header: printable ASCII without spaces. */
const HEADER_TEXT = '^[!-~]{1,512}$';

export const MtnSettings = Type.Object(
  {
    baseUrl: Type.Optional(
      Type.String({
        default: PRODUCTION_BASE_URL,
        description: 'Scheme and host of the API, as the contract with MTN names it.',
      }),
    ),
    targetEnvironment: Type.Optional(
      Type.String({
        pattern: '^[a-z]{1,40}$',
        description: 'X-Target-Environment; by default the country decides.',
      }),
    ),
    subscriptionKey: Type.String({
      secret: true,
      pattern: HEADER_TEXT,
      description: 'The key of the Disbursement product.',
    }),
    apiUser: Type.String({
      pattern: '^[!-9;-~]{1,100}$',
      description: 'The id of the API user, a UUID.',
    }),
    apiKey: Type.String({
      secret: true,
      pattern: HEADER_TEXT,
      description: 'The key of the API user.',
    }),
    currency: Type.Optional(
      Type.String({
        pattern: '^[A-Z]{3}$',
        description: "What MTN's own sandbox takes instead of the country's currency: EUR.",
      }),
    ),
    amountDecimals: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 2,
        default: AMOUNT_DECIMALS,
        description: 'How many decimals the market accepts.',
      }),
    ),
    notFoundIsFinal: Type.Optional(
      Type.Boolean({
        default: true,
        description: 'Whether "no such reference", repeated, proves that no money moved.',
      }),
    ),
    firstCheckMs: Type.Optional(
      Type.Integer({
        minimum: 100,
        maximum: 600_000,
        description:
          'The delay of the first inquiry after a submission: 2000, or 5000 with callbacks.',
      }),
    ),
  },
  { additionalProperties: false },
);

/** The settings with all defaults filled in. */
export type MtnTerms = Readonly<{
  baseUrl: string;
  targetEnvironment: string;
  subscriptionKey: string;
  apiUser: string;
  apiKey: string;
  /** Null means the country's own. */
  currency: string | null;
  amountDecimals: number;
  notFoundIsFinal: boolean;
  firstCheckMs: number;
}>;

export function mtnTerms(
  settings: Static<typeof MtnSettings>,
  route: Readonly<{ country: Country; callbackUrl: string | null }>,
): MtnTerms {
  const usualCheckMs = route.callbackUrl === null ? FIRST_CHECK_MS : FIRST_CHECK_WITH_CALLBACKS_MS;
  return {
    baseUrl: settings.baseUrl ?? PRODUCTION_BASE_URL,
    targetEnvironment: settings.targetEnvironment ?? ENVIRONMENTS[route.country],
    subscriptionKey: settings.subscriptionKey,
    apiUser: settings.apiUser,
    apiKey: settings.apiKey,
    currency: settings.currency ?? null,
    amountDecimals: settings.amountDecimals ?? AMOUNT_DECIMALS,
    notFoundIsFinal: settings.notFoundIsFinal ?? true,
    firstCheckMs: settings.firstCheckMs ?? usualCheckMs,
  };
}

export function checkMtnSettings(settings: Static<typeof MtnSettings>): readonly string[] {
  const problems = [...baseUrlProblems('baseUrl', settings.baseUrl ?? PRODUCTION_BASE_URL)];
  if (settings.currency !== undefined && settings.targetEnvironment !== SANDBOX_ENVIRONMENT) {
    // Everywhere else the wallet's currency must be the one that is paid out.
    problems.push(`currency: only for the target environment ${SANDBOX_ENVIRONMENT}`);
  }
  return problems;
}
