import { COUNTRIES, OPERATORS } from '../operator.ts';
import { WEEKDAYS } from '../recurrence.ts';
import { SOURCES } from '../source.ts';
import {
  type Hours,
  type Policy,
  type Requirement,
  type Rule,
  type RuleConditions,
  type Window,
} from './policy.ts';
import { ZoneClock } from './zone-clock.ts';

/** A policy in a form that decides quickly. It is never changed, and can be shared by all orders of a book. */
export type CompiledPolicy = Readonly<{
  policy: Policy;
  rules: readonly CompiledRule[];
  /** Whether every order is decided from itself alone. */
  isSimple: boolean;
  /** What must be counted as transfers are accepted: each sum and count that some rule asks about, once. */
  counted: readonly CountedWindow[];
}>;

export type CountedWindow = Readonly<{
  by: NonNullable<RuleConditions['sum']>['by'];
  window: Window;
}>;

export type CompiledRule = Readonly<{
  name: string;
  when: RuleConditions;
  require: Requirement;
  /** Amounts are at most 10^11, so a double holds them exactly and compares faster than a bigint. */
  amountFrom: number;
  amountBelow: number;
  sourceBits: number;
  operatorBits: number;
  countryBits: number;
  wallets: ReadonlySet<string> | null;
  keys: ReadonlySet<string> | null;
  hours: CompiledHours | null;
  /** Whether it is decided from the order alone. */
  isSimple: boolean;
}>;

export type CompiledHours = Readonly<{
  clock: ZoneClock;
  /** By weekday, Monday first. */
  beginsOn: readonly boolean[];
  fromMinute: number;
  toMinute: number;
}>;

export function compilePolicy(policy: Policy): CompiledPolicy {
  const clocks = new Map<string, ZoneClock>();
  const rules = policy.rules.map((rule) => compileRule(rule, clocks));
  return {
    policy,
    rules,
    isSimple: rules.every((rule) => rule.isSimple),
    counted: listCounted(policy.rules),
  };
}

function compileRule({ name, when, require }: Rule, clocks: Map<string, ZoneClock>): CompiledRule {
  return {
    name,
    when,
    require,
    amountFrom: when.amountAtLeastMinor === null ? 0 : Number(when.amountAtLeastMinor),
    amountBelow:
      when.amountBelowMinor === null ? Number.POSITIVE_INFINITY : Number(when.amountBelowMinor),
    sourceBits: bitsOf(SOURCES, when.sources),
    operatorBits: bitsOf(OPERATORS, when.operators),
    countryBits: bitsOf(COUNTRIES, when.countries),
    wallets: when.wallets === null ? null : new Set(when.wallets),
    keys: when.keys === null ? null : new Set(when.keys),
    hours: when.hours === null ? null : compileHours(when.hours, clocks),
    isSimple:
      when.sum === null &&
      when.count === null &&
      when.firstPayment === null &&
      when.nameMatch === null &&
      when.similarWithinMs === null &&
      when.onAllowList === null,
  };
}

function compileHours(hours: Hours, clocks: Map<string, ZoneClock>): CompiledHours {
  const clock = clocks.get(hours.zone) ?? new ZoneClock(hours.zone);
  clocks.set(hours.zone, clock);
  const { days, fromMinute, toMinute } = hours;
  return { clock, beginsOn: WEEKDAYS.map((day) => days.includes(day)), fromMinute, toMinute };
}

/** One bit for each word, so that a condition on words is one comparison. Null: any word. */
function bitsOf(words: readonly string[], wanted: readonly string[] | null): number {
  if (wanted === null) return ~0;
  return wanted.reduce((bits, word) => bits | bitOf(words, word), 0);
}

export function bitOf(words: readonly string[], word: string): number {
  return 1 << words.indexOf(word);
}

function listCounted(rules: readonly Rule[]): readonly CountedWindow[] {
  const counted = new Map<string, CountedWindow>();
  for (const { when } of rules) {
    for (const asked of [when.sum, when.count]) {
      if (asked === null) continue;
      const { by, window } = asked;
      counted.set(`${by} ${window.kind === 'day' ? 'day' : window.seconds}`, { by, window });
    }
  }
  return [...counted.values()];
}
