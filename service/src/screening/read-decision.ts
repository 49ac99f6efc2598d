/** What a screener may say about a transfer. */
export const SCREENING_DECISIONS = ['allow', 'hold', 'refuse'] as const;
export type ScreeningDecision = (typeof SCREENING_DECISIONS)[number];

/** What a screening came to, and why, as it is kept and shown. */
export type ScreeningResult = Readonly<{ decision: ScreeningDecision; reason: string | null }>;

/** The answer of a screener as it arrived, or why there is none. */
export type ScreenerAnswer =
  | Readonly<{ kind: 'answered'; status: number; answer: string }>
  | Readonly<{ kind: 'unanswered'; error: string }>;

/** A longer answer is none. Room for the evidence that a screener gives with its decision. */
export const ANSWER_BYTES_MAX = 4_096;
const REASON_LENGTH_MAX = 500;
const OK = 200;

/** Characters that could hide or reorder what is shown to people, and that the database refuses. */
const UNSHOWABLE = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/**
 * What an answer means. Only 200 with one JSON object that has one of the three decisions counts. Any other answer, or
 * none, holds the transfer for a person.
 */
export function readDecision(answer: ScreenerAnswer): ScreeningResult {
  if (answer.kind === 'unanswered') return hold(answer.error);
  if (answer.status !== OK) return hold(`the screener answered with status ${answer.status}`);
  const members = parseObject(answer.answer);
  if (members === undefined) return hold('the answer is not one JSON object');
  const { decision, reason = null } = members;
  const known = SCREENING_DECISIONS.find((word) => word === decision);
  if (known === undefined) return hold('the answer has no decision of allow, hold or refuse');
  if (reason !== null && typeof reason !== 'string') return hold('the reason is not a text');
  return { decision: known, reason: reason === null ? null : toShowable(reason) };
}

function hold(why: string): ScreeningResult {
  return { decision: 'hold', reason: why };
}

function toShowable(text: string): string | null {
  const clean = text.toWellFormed().replaceAll(UNSHOWABLE, ' ').trim();
  const short = Array.from(clean).slice(0, REASON_LENGTH_MAX).join('');
  return short === '' ? null : short;
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    return hasRepeatedMember(text) ? undefined : { ...value };
  } catch {
    return undefined;
  }
}

/**
 * Whether the outermost object has a member twice. JSON.parse takes the last one, and the screener's own library may have
 * meant the first: of two decisions none is one. The text is known to be valid JSON.
 */
function hasRepeatedMember(text: string): boolean {
  const names = new Set<string>();
  let depth = 0;
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"\s*:?|[{}[\]]/gs)) {
    if (token === '{' || token === '[') depth += 1;
    else if (token === '}' || token === ']') depth -= 1;
    else if (depth === 1 && token.endsWith(':')) {
      const name = String(JSON.parse(token.slice(0, token.lastIndexOf('"') + 1)));
      if (names.has(name)) return true;
      names.add(name);
    }
  }
  return false;
}
