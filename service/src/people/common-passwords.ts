import { COMMON_WORDS } from './common-words.ts';

/** A shorter one is found inside innocent words. */
const WORD_LENGTH_MIN = 4;
const OWN_WORD_LENGTH_MIN = 3;
/** Two common words with a year are guessed; three unrelated ones are not. */
const WORDS_MAX = 2;
/** Letters beside those of common words that make a password another one. */
const OTHER_LETTERS_MIN = 4;
const DISTINCT_MIN = 5;
/** Neighbours on a keyboard, in the alphabet or among the digits count as one run from this length on. */
const RUN_LENGTH_MIN = 4;
/** Characters outside of runs, or of what is the person's own, that make a password another one. */
const OUTSIDE_RUNS_MIN = 6;

/** A phone number, a date or an account number is shorter. */
const DIGITS_MIN = 20;
const ONLY_DIGITS = /^[\d\s()+./-]+$/;

const ROWS = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890',
  'qwertyuiop',
  'qwertzuiop',
  'azertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  '!@#$%^&*()',
  '1q2w3e4r5t6y7u8i9o0p',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm',
  'qazwsxedcrfvtgbyhnujm',
];
const RUNS = [...ROWS, ...ROWS.map((row) => Array.from(row).toReversed().join(''))];

const LOOKS_LIKE: Readonly<Record<string, string>> = {
  '0': 'o',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '8': 'b',
  '9': 'g',
  '@': 'a',
  $: 's',
  '+': 't',
  '!': 'i',
};

const SORTED_WORDS = [...new Set(COMMON_WORDS)]
  .filter((word) => word.length >= WORD_LENGTH_MIN)
  .toSorted((one, other) => other.length - one.length);

/**
 * Whether it is among the first that are tried: runs and repetitions, or at most two common words or words of the
 * person's own with digits and signs around them, however they are spelt.
 */
export function isCommonPassword(password: string, ownWords: readonly string[]): boolean {
  const text = password.normalize('NFKC').toLowerCase();
  if (new Set(text).size < DISTINCT_MIN || isRepetition(text) || isMadeOfRuns(text)) return true;
  if (ONLY_DIGITS.test(text) && text.length < DIGITS_MIN) return true;
  const owned = ownWords.map((word) => word.toLowerCase());
  if (owned.some((word) => isMostly(text, word))) return true;
  const own = owned.map(lettersOf).filter((word) => word.length >= OWN_WORD_LENGTH_MIN);
  return spellingsOf(text).some((spelling) => isMadeOfWords(spelling, own));
}

function isMostly(text: string, word: string): boolean {
  const rest = word.length < OWN_WORD_LENGTH_MIN ? text : text.replaceAll(word, '');
  return rest.length < OUTSIDE_RUNS_MIN;
}

/** The same piece again and again, such as `tigertiger`, where the last may be cut off. */
function isRepetition(text: string): boolean {
  for (let size = 1; size <= text.length / 2; size += 1) {
    const piece = text.slice(0, size);
    if (piece.repeat(Math.ceil(text.length / size)).startsWith(text)) return true;
  }
  return false;
}

function isMadeOfRuns(text: string): boolean {
  let outside = 0;
  for (let at = 0; at < text.length; ) {
    const length = runLengthAt(text, at);
    if (length < RUN_LENGTH_MIN) outside += 1;
    at += length < RUN_LENGTH_MIN ? 1 : length;
  }
  return outside < OUTSIDE_RUNS_MIN;
}

function runLengthAt(text: string, at: number): number {
  let length = 1;
  while (at + length < text.length) {
    const longer = text.slice(at, at + length + 1);
    if (!RUNS.some((run) => run.includes(longer))) break;
    length += 1;
  }
  return length;
}

/** As it is, and with digits and signs read as the letters that they look like, also inside the word alone. */
function spellingsOf(text: string): readonly string[] {
  const withoutEnd = text.replace(/[^\p{L}]+$/u, '');
  const inside = withoutEnd.replace(/^[^\p{L}]+/u, '');
  const read = [text, withoutEnd, inside].flatMap((part) =>
    ['i', 'l'].map((one) => part.replace(/[^\p{L}]/gu, (sign) => readSign(sign, one))),
  );
  return [...new Set([text, ...read].map(lettersOf))];
}

function readSign(sign: string, one: string): string {
  return sign === '1' || sign === '|' ? one : (LOOKS_LIKE[sign] ?? '');
}

function lettersOf(text: string): string {
  return text.replace(/[^\p{L}]/gu, '');
}

function isMadeOfWords(letters: string, ownWords: readonly string[]): boolean {
  let rest = letters;
  for (const word of ownWords) rest = rest.replaceAll(word, ' ');
  const hasOwnWord = rest !== letters;
  let found = 0;
  for (const word of SORTED_WORDS) {
    if (!rest.includes(word)) continue;
    found += 1;
    rest = rest.replaceAll(word, ' ');
  }
  const isAllKnown = lettersOf(rest).length < OTHER_LETTERS_MIN;
  return isAllKnown && found <= WORDS_MAX && (found > 0 || hasOwnWord);
}
