export type NameMatch = 'match' | 'close' | 'mismatch';

/** Twice the 100 code points that a name may have, because UTF-16 counts an emoji as two, plus a margin. */
export const NAME_LENGTH_MAX = 256;

// In a shorter word one letter weighs too much: "Ali" and "Ada" would both be typos of "Ala".
const TYPO_WORD_LENGTH_MIN = 4;

// "JM Banda" joins initials; a longer word is a name.
const JOINED_INITIALS_MAX = 3;

// Letters that Unicode does not decompose into a plain letter and a mark. Many Hausa names have them.
const PLAIN_LETTERS: ReadonlyMap<string, string> = new Map([
  ['ɓ', 'b'],
  ['ɗ', 'd'],
  ['ƙ', 'k'],
  ['ƴ', 'y'],
  ['ŋ', 'n'],
  ['ǝ', 'e'],
  ['ə', 'e'],
  ['ø', 'o'],
  ['ł', 'l'],
  ['đ', 'd'],
  ['ı', 'i'],
  ['ß', 'ss'],
  ['æ', 'ae'],
  ['œ', 'oe'],
]);

/**
 * Compares the name a merchant supplied with the one the operator resolved; either may come first.
 *
 * - match: the same words in any order. Case, accents, punctuation and spacing do not count.
 * - close: every word of the shorter name is found in the longer one, as itself, as an initial, as
 *   initials run together, or once with a small typo; and one whole word agrees, so that initials
 *   alone never do.
 * - mismatch: everything else, and a single word against several: too many people share one name.
 */
export function matchNames(supplied: string, resolved: string): NameMatch {
  if (supplied.length > NAME_LENGTH_MAX || resolved.length > NAME_LENGTH_MAX) return 'mismatch';
  const one = wordsOf(supplied);
  const other = wordsOf(resolved);
  if (one.length === 0 || other.length === 0) return 'mismatch';
  if (one.join('') === other.join('')) return 'match';

  one.sort();
  other.sort();
  if (one.join(' ') === other.join(' ')) return 'match';
  // A fixed order of the two gives the same result in both directions.
  const isOneShorter =
    one.length === other.length ? one.join(' ') < other.join(' ') : one.length < other.length;
  return isClose(isOneShorter ? [one, other] : [other, one]) ? 'close' : 'mismatch';
}

function wordsOf(name: string): string[] {
  return (
    name
      .toLowerCase()
      .normalize('NFKD')
      // Apostrophes join (O'Brien is OBrien); all other punctuation separates (J.B. is two initials).
      .replace(/[\p{M}'’‘ʼ`]/gu, '')
      .replace(/[ɓɗƙƴŋǝəøłđıßæœ]/gu, (letter) => PLAIN_LETTERS.get(letter) ?? letter)
      .split(/[^\p{L}\p{N}]+/u)
      .filter((word) => word !== '')
  );
}

function isClose([shorter, longer]: readonly [readonly string[], readonly string[]]): boolean {
  const rest = [...longer];
  const afterEqual = pairOff(shorter, rest, (a, b) => a === b);
  const agreeing = shorter.filter((word) => word.length > 1).length;
  const agreeingLeft = afterEqual.filter((word) => word.length > 1).length;
  const wholeWordsAgree = agreeing - agreeingLeft;

  // The typo is matched first: an initial fits many words and could take the one that the typo needs.
  const afterTypo = pairOff(afterEqual, rest, isTypo, 1);
  const afterInitials = pairOff(afterTypo, rest, isInitial);
  const afterJoined = afterInitials.filter((word) => !standsForInitials(word, rest));
  if (afterJoined.length > 0) return false;

  if (shorter.length === 1) return longer.length === 1 && afterTypo.length < afterEqual.length;
  return wholeWordsAgree > 0;
}

/** Takes from `rest` a partner for each word that has one, and returns the words without a partner. */
function pairOff(
  words: readonly string[],
  rest: string[],
  isPair: (word: string, candidate: string) => boolean,
  pairsMax = Number.POSITIVE_INFINITY,
): string[] {
  let pairs = 0;
  return words.filter((word) => {
    if (pairs === pairsMax) return true;
    const partner = rest.findIndex((candidate) => isPair(word, candidate));
    if (partner === -1) return true;
    rest.splice(partner, 1);
    pairs += 1;
    return false;
  });
}

/** Whether each letter is the initial of a different word, which is taken from `rest`. */
function standsForInitials(word: string, rest: string[]): boolean {
  if (word.length === 1 || word.length > JOINED_INITIALS_MAX) return false;
  return pairOff(Array.from(word), rest, isInitial).length === 0;
}

function isInitial(word: string, candidate: string): boolean {
  if (word.length === 1) return candidate.startsWith(word);
  return candidate.length === 1 && word.startsWith(candidate);
}

/** One letter added, dropped or changed, or two neighbours swapped. */
function isTypo(word: string, candidate: string): boolean {
  const [short, long] = word.length <= candidate.length ? [word, candidate] : [candidate, word];
  if (long.length < TYPO_WORD_LENGTH_MIN || long.length - short.length > 1) return false;

  let from = 0;
  while (from < short.length && short[from] === long[from]) from += 1;
  const shortRest = short.slice(from);
  const longRest = long.slice(from);
  if (short.length < long.length) return shortRest === longRest.slice(1);
  if (shortRest.slice(1) === longRest.slice(1)) return true;
  const swapped = `${longRest.charAt(1)}${longRest.charAt(0)}${longRest.slice(2)}`;
  return shortRest === swapped;
}
