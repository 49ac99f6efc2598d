import { type Static, Type } from 'typebox';
import {
  AMOUNT_MAX_MINOR,
  AMOUNT_MIN_MINOR,
  MINOR_DIGITS,
  parseDecimal,
} from '../../domain/money.ts';
import { COUNTRIES, OPERATORS } from '../../domain/operator.ts';
import type { FloatRule } from '../contract/float-rule.ts';
import { readAmountText } from '../wire/amount-text.ts';

const NAME = '^[a-z0-9][a-z0-9-]{0,59}$';
const DECIMAL = '^[0-9]{1,10}(\\.[0-9]{1,2})?$';
/** Token and submission together end well before the lease of the transfer does. */
const SUBMIT_MAX_MS = 15_000;
const TOKEN_MAX_MS = 4_000;
/** For calls that move no money: inquiries, names, balances. */
const READ_MAX_MS = 15_000;

/** No operator documents how long it recognises a reference. A week is longer than any doubt lasts. */
const REFERENCE_MEMORY_MAX_HOURS = 168;

const timeout = (maximum: number) => Type.Optional(Type.Integer({ minimum: 100, maximum }));
const perSecond = (maximum: number) => Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum }));

/** One entry of the route file; `settings` belong to the connector and are checked by its schema. */
export const RouteEntry = Type.Object(
  {
    name: Type.String({ pattern: NAME, description: 'Kept with transfers: never reuse a name.' }),
    connector: Type.String({ minLength: 1, maxLength: 60 }),
    operator: Type.Enum([...OPERATORS]),
    country: Type.Enum([...COUNTRIES]),
    priority: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 100, description: 'The lowest goes first.' }),
    ),
    bounds: Type.Optional(
      Type.Object(
        {
          min: Type.Optional(Type.String({ pattern: DECIMAL })),
          max: Type.Optional(Type.String({ pattern: DECIMAL })),
          decimals: Type.Optional(Type.Union([Type.Literal(0), Type.Literal(2)])),
        },
        { additionalProperties: false },
      ),
    ),
    limits: Type.Optional(
      Type.Object(
        {
          concurrency: Type.Optional(Type.Integer({ minimum: 1, maximum: 2_000 })),
          submitsPerSecond: perSecond(10_000),
          inquiriesPerSecond: perSecond(10_000),
          namesPerSecond: perSecond(1_000),
        },
        { additionalProperties: false },
      ),
    ),
    timeouts: Type.Optional(
      Type.Object(
        {
          tokenMs: timeout(TOKEN_MAX_MS),
          submitMs: timeout(SUBMIT_MAX_MS),
          inquireMs: timeout(READ_MAX_MS),
          nameMs: timeout(READ_MAX_MS),
          balanceMs: timeout(READ_MAX_MS),
        },
        { additionalProperties: false },
      ),
    ),
    float: Type.Optional(
      Type.Object(
        {
          lowBelow: Type.Optional(
            Type.String({ pattern: DECIMAL, description: 'The float is low below this amount.' }),
          ),
          lowHours: Type.Optional(
            Type.Number({
              minimum: 0,
              maximum: 720,
              description: 'The float is low when it lasts for less, at the rate of the last day.',
            }),
          ),
          readSeconds: Type.Optional(
            Type.Integer({
              minimum: 10,
              maximum: 3_600,
              description: 'How often the operator is asked for the balance.',
            }),
          ),
        },
        { additionalProperties: false },
      ),
    ),
    referenceMemoryHours: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: REFERENCE_MEMORY_MAX_HOURS,
        description:
          'How long the operator recognises a reference; 0: a lost payout is never resubmitted.',
      }),
    ),
    callbackToken: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9_-]{20,200}$', secret: true })),
    timeScale: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        maximum: 1,
        description: 'The factor for all waits; below 1 only for trials.',
      }),
    ),
    settings: Type.Record(Type.String(), Type.Unknown()),
  },
  { additionalProperties: false },
);
export type RouteEntry = Static<typeof RouteEntry>;

export const RouteFile = Type.Object(
  {
    callbackBaseUrl: Type.Optional(
      Type.String({
        pattern: '^https?://[^?#\\s]+$',
        description: 'Where operators reach this service; without it they get no callback address.',
      }),
    ),
    routes: Type.Array(RouteEntry, { maxItems: 50 }),
  },
  { additionalProperties: false },
);

export const DEFAULT_TIMEOUTS = {
  tokenMs: TOKEN_MAX_MS,
  submitMs: SUBMIT_MAX_MS,
  inquireMs: 10_000,
  nameMs: 5_000,
  balanceMs: 10_000,
} as const;

const LOW_HOURS = 4;
const READ_SECONDS = 60;

export function floatOf({ float = {} }: RouteEntry): FloatRule {
  const { lowBelow, lowHours = LOW_HOURS, readSeconds = READ_SECONDS } = float;
  // An account may hold more than the largest payout. Zero is no threshold: at zero it is used up.
  const belowMinor = readAmountText(lowBelow ?? '0') ?? 0n;
  return {
    readEveryMs: readSeconds * 1_000,
    low: { belowMinor: belowMinor > 0n ? belowMinor : null, hours: lowHours },
  };
}

/** A bound is undefined if its amount cannot be paid. */
export function boundsOf({ bounds = {} }: RouteEntry) {
  return {
    minMinor: bounds.min === undefined ? AMOUNT_MIN_MINOR : parseDecimal(bounds.min),
    maxMinor: bounds.max === undefined ? AMOUNT_MAX_MINOR : parseDecimal(bounds.max),
    decimals: bounds.decimals ?? MINOR_DIGITS,
  };
}
