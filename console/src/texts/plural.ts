import { formatCount } from '../format/format-amount.ts';

const RULES = new Intl.PluralRules('en');

/** `1 payout`, `1,284 payouts`: the number and the form of the word that it asks for. */
export function plural(count: number, forms: Readonly<{ one: string; other: string }>): string {
  return `${formatCount(count)} ${RULES.select(count) === 'one' ? forms.one : forms.other}`;
}

const AND = new Intl.ListFormat('en', { type: 'conjunction' });
const OR = new Intl.ListFormat('en', { type: 'disjunction' });

export function listAnd(words: readonly string[]): string {
  return AND.format(words);
}

export function listOr(words: readonly string[]): string {
  return OR.format(words);
}
