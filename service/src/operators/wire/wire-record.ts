/** How much of an operator's answer is recorded for people. */
const ANSWER_LENGTH_MAX = 2_000;
/** Shorter strings occur by chance; removing them would only garble the text. */
const SECRET_LENGTH_MIN = 4;
const REMOVED = '[removed]';

/** The record of one exchange with an operator: without secrets, cut to a limit. */
export type WireRecord = Readonly<{
  /** Such as `POST /disbursement/v1_0/transfer`. */
  request: string;
  /** Null if there was no answer. */
  httpStatus: number | null;
  answer: string;
  elapsedMs: number;
}>;

export function removeSecrets(text: string, secrets: readonly string[]): string {
  if (text === '') return text;
  const spellings = new Set(
    secrets.filter((secret) => secret.length >= SECRET_LENGTH_MIN).flatMap(knownSpellingsOf),
  );
  // The longest first, so that no rest remains of a secret that contains another one.
  const longestFirst = [...spellings].sort((one, other) => other.length - one.length);
  return longestFirst.reduce((clean, spelling) => clean.replaceAll(spelling, REMOVED), text);
}

/** Each route has a few secrets, which change rarely. */
const KNOWN_SECRETS_MAX = 256;
const spellingsBySecret = new Map<string, readonly string[]>();

function knownSpellingsOf(secret: string): readonly string[] {
  const known = spellingsBySecret.get(secret);
  if (known !== undefined) return known;
  if (spellingsBySecret.size >= KNOWN_SECRETS_MAX) spellingsBySecret.clear();
  const spellings = spellingsOf(secret);
  spellingsBySecret.set(secret, spellings);
  return spellings;
}

/** A secret as an answer may repeat it: plain, as in a query string, or inside JSON. */
function spellingsOf(secret: string): readonly string[] {
  const inQuery = encodeURIComponent(secret.toWellFormed());
  const inJson = JSON.stringify(secret).slice(1, -1);
  return [
    secret,
    inQuery,
    inQuery.replace(/%[0-9A-F]{2}/g, (escaped) => escaped.toLowerCase()),
    inJson,
    inJson.replaceAll('/', '\\/'),
  ];
}

/** The part of an answer that is recorded. NUL is the one character that PostgreSQL's text cannot store. */
export function keepAnswer(text: string, secrets: readonly string[]): string {
  return removeSecrets(text, secrets)
    .replaceAll('\0', '\u{FFFD}')
    .slice(0, ANSWER_LENGTH_MAX)
    .toWellFormed();
}
