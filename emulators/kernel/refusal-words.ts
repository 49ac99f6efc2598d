/** Refusals that every protocol has a code for, so that presets work with all of them. */
const REFUSAL_WORDS = [
  'recipient-not-found',
  'recipient-limit',
  'float-insufficient',
  'declined',
] as const;

export type RefusalWord = (typeof REFUSAL_WORDS)[number];

/** The protocol's code for a refusal; anything that is not one of the words is a code already. */
export function refusalCode(refusal: string, codes: Readonly<Record<RefusalWord, string>>): string {
  const word = REFUSAL_WORDS.find((known) => known === refusal);
  return word === undefined ? refusal : codes[word];
}
