import type {
  ConditionName,
  PolicyConditions,
  PolicyRequirement,
  PolicyRule,
} from '../../api/policy-types.ts';
import { formatAmount } from '../../format/format-amount.ts';
import { formatCountry, formatOperator } from '../../format/format-operator.ts';
import { sayDuration } from '../../format/iso-duration.ts';
import type { TagTone } from '../../parts/words.tsx';
import { policy as texts } from '../../texts/en/policy.ts';
import { listAnd, listOr } from '../../texts/plural.ts';

/** Names of what a policy knows by id, and the currency where the book has one only. */
export type PolicyNames = Readonly<{
  currency: string | undefined;
  nameOf: (id: string) => string;
}>;

/** A piece of a sentence: plain words, or a value that can be changed. */
export type Piece = Readonly<{ text: string; isValue: boolean }>;
export type Clause = Readonly<{ condition: ConditionName; pieces: readonly Piece[] }>;

/** In this order they read as one sentence. */
export const CONDITION_ORDER: readonly ConditionName[] = [
  'amountAtLeast',
  'amountBelow',
  'sum',
  'count',
  'similarWithin',
  'nameMatch',
  'firstPayment',
  'onAllowList',
  'source',
  'operator',
  'country',
  'wallet',
  'key',
  'metadata',
  'hours',
];

/** The conditions of a rule as the clauses of a sentence. */
export function clausesOf(when: PolicyConditions, names: PolicyNames): readonly Clause[] {
  return CONDITION_ORDER.flatMap((condition) => {
    const texts = piecesOf(condition, when, names);
    return texts === undefined
      ? []
      : [
          {
            condition,
            // Words and values take turns, and words come first.
            pieces: texts
              .map((text, index) => ({ text, isValue: index % 2 === 1 }))
              .filter(({ text }) => text !== ''),
          },
        ];
  });
}

type Pieces = readonly string[] | undefined;

function piecesOf(condition: ConditionName, when: PolicyConditions, names: PolicyNames): Pieces {
  const { say } = texts;
  switch (condition) {
    case 'amountAtLeast':
    case 'amountBelow': {
      const amount = when[condition];
      return amount === undefined ? undefined : around(say[condition], sayMoney(amount, names));
    }
    case 'sum': {
      if (when.sum === undefined) return undefined;
      const { by, above } = when.sum;
      const [a, b, c] = say.sum;
      return [a, sayBy(by), b, sayWindow(when.sum), c, sayMoney(above, names)];
    }
    case 'count': {
      if (when.count === undefined) return undefined;
      const { by, above } = when.count;
      const [a, b, c] = say.count;
      return [a, texts.payouts(above), b, sayBy(by), c, sayWindow(when.count)];
    }
    case 'firstPayment':
    case 'onAllowList': {
      const value = when[condition];
      return value === undefined ? undefined : say[condition][value ? 'true' : 'false'];
    }
    case 'similarWithin':
      return when.similarWithin === undefined
        ? undefined
        : around(say.similarWithin, sayDuration(when.similarWithin));
    case 'hours': {
      if (when.hours === undefined) return undefined;
      const { from, to, zone, days } = when.hours;
      const [a, b, c] = say.hours;
      const on = days === undefined ? texts.everyDay : listOr(days.map(wordOf(texts.days)));
      return [a, texts.hoursOf(from, to), b, sayZone(zone), c, on];
    }
    case 'metadata':
      return when.metadata === undefined
        ? undefined
        : around(say.metadata, sayMetadata(when.metadata));
    case 'nameMatch':
    case 'source':
    case 'operator':
    case 'country':
    case 'wallet':
    case 'key': {
      const values = when[condition];
      return values === undefined
        ? undefined
        : around(say[condition], listOr(values.map(wordsOf(condition, names))));
    }
    default: {
      const unhandled: never = condition;
      throw new Error(`unhandled condition ${String(unhandled)}`);
    }
  }
}

function around([before, after]: readonly [string, string], value: string): readonly string[] {
  return [before, value, after];
}

type ListCondition = 'nameMatch' | 'source' | 'operator' | 'country' | 'wallet' | 'key';

export function wordsOf(condition: ListCondition, names: PolicyNames): (value: string) => string {
  switch (condition) {
    case 'nameMatch':
      return wordOf(texts.names);
    case 'source':
      return wordOf(texts.sources);
    case 'operator':
      return formatOperator;
    case 'country':
      return formatCountry;
    case 'wallet':
    case 'key':
      return names.nameOf;
    default: {
      const unhandled: never = condition;
      throw new Error(`unhandled condition ${String(unhandled)}`);
    }
  }
}

function wordOf(words: Readonly<Record<string, string>>): (value: string) => string {
  return (value) => words[value] ?? value;
}

function sayMoney(amount: string, { currency }: PolicyNames): string {
  const text = formatAmount(amount);
  return currency === undefined ? text : `${currency}\u00a0${text}`;
}

function sayBy(by: string): string {
  return texts.subjects[by] ?? by;
}

function sayWindow({ day, window }: Readonly<{ day?: true; window?: string }>): string {
  return day === true ? texts.day : sayDuration(window ?? '');
}

function sayZone(zone: string): string {
  return zone.split('/').at(-1)?.replaceAll('_', ' ') ?? zone;
}

function sayMetadata(metadata: NonNullable<PolicyConditions['metadata']>): string {
  return listAnd(
    Object.entries(metadata).map(
      ([key, value]) => `${key} = ${typeof value === 'string' ? value : listOr(value)}`,
    ),
  );
}

type Need = Readonly<{ text: string; tone: TagTone | undefined }>;

/** What a rule asks for, one tag each. */
export function needsOf({
  refuse,
  approvals,
  of = [],
  warn,
  screen,
}: PolicyRequirement): readonly Need[] {
  const words = texts.needs;
  return [
    ...(refuse === true ? [{ text: words.refuse, tone: 'bad' as const }] : []),
    ...(approvals === undefined
      ? []
      : [{ text: words.approvals(approvals, of), tone: 'caution' as const }]),
    ...(screen === undefined ? [] : [{ text: words.screen(screen), tone: undefined }]),
    ...(warn === true ? [{ text: words.warn, tone: undefined }] : []),
  ];
}

/** The conditions of a rule in one line. */
export function sayConditions({ when }: PolicyRule, names: PolicyNames): string {
  const clauses = clausesOf(when, names).map(({ pieces }) =>
    pieces.map(({ text }) => text).join(''),
  );
  return clauses.length === 0 ? texts.everyPayout : listAnd(clauses);
}
