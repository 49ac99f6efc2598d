import { fieldProblem } from '../../domain/field-problem.ts';
import { refuse } from '../../domain/refusal.ts';

const START = '/console';
const LENGTH_MAX = 2_000;
/** Printable ASCII without the backslash, which browsers read as a slash. */
const PLAIN = /^[!-[\]-~]+$/;
/** Any origin: a path that leaves it is none of ours. */
const OWN = 'https://own.invalid';

/** The page of the console to go on with. Refuses what could lead a browser anywhere else. */
export function readReturnTo(query: URLSearchParams): string {
  const unknown = [...query.keys()].filter((name) => name !== 'returnTo');
  if (unknown.length > 0) {
    const fields = [...new Set(unknown)]
      .slice(0, NAMED_MAX)
      .map((name) => fieldProblem(name.slice(0, NAME_LENGTH_MAX), 'UNKNOWN_FIELD'));
    throw refuse('VALIDATION_ERROR', { fields });
  }
  const given = query.getAll('returnTo');
  if (given.length === 0) return START;
  const path = given.length === 1 ? findOwnPath(given[0] ?? '') : undefined;
  if (path === undefined) throw refuse('VALIDATION_ERROR', { fields: [FOREIGN] });
  return path;
}

const NAMED_MAX = 50;
const NAME_LENGTH_MAX = 60;
const FOREIGN = fieldProblem(
  'returnTo',
  'INVALID_URL',
  'A path of the console, such as /console/transfers.',
);

/** As browsers read it, with the dots taken out; undefined: it is not below /console here. */
function findOwnPath(text: string): string | undefined {
  if (text.length > LENGTH_MAX || !PLAIN.test(text) || !text.startsWith(START)) return undefined;
  if (!URL.canParse(text, OWN)) return undefined;
  const url = new URL(text, OWN);
  const isOwn =
    url.origin === OWN && (url.pathname === START || url.pathname.startsWith(`${START}/`));
  return isOwn ? `${url.pathname}${url.search}${url.hash}` : undefined;
}
