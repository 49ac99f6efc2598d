import { DocumentObject, type DocumentProblems } from './document-reader.ts';
import { readInteger, readTrue, readWords } from './parse-values.ts';
import {
  APPROVALS_MAX,
  APPROVING_ROLES,
  type Requirement,
  SCREENER_NAME_PATTERN,
} from './policy.ts';

const KNOWN = ['refuse', 'approvals', 'of', 'warn', 'screen'];
const ROLES_HELP = `Must be a list of one or more of ${APPROVING_ROLES.join(', ')}, each once: no other role can approve.`;
const SCREENER_HELP =
  'Must be the name of a screener: 1 to 60 letters, digits, dots, underscores and hyphens.';

/** Undefined with problems where something is broken. */
export function parseRequirement(
  value: unknown,
  path: string,
  problems: DocumentProblems,
): Requirement | undefined {
  const asked = DocumentObject.open(value, { path, known: KNOWN, problems });
  if (asked === undefined) return undefined;
  const refuse = asked.read('refuse', readTrue, 'Must be true. Leave it out where not meant.');
  const warn = asked.read('warn', readTrue, 'Must be true. Leave it out where not meant.');
  const screener = asked.read('screen', readScreener, SCREENER_HELP);
  const approvals = parseApprovals(asked);
  if (refuse === undefined || warn === undefined) return undefined;
  if (screener === undefined || approvals === undefined) return undefined;
  const others = [approvals, warn, screener].filter((part) => part !== null).length;
  if (refuse !== null && others > 0) {
    return asked.problem('refuse', 'A refusal stands alone: leave the rest out.');
  }
  if (refuse === null && others === 0) {
    const message = 'Must ask for something: refuse, approvals with of, warn, or screen.';
    return problems.add(path, message);
  }
  return { refuse: refuse === true, approvals, warn: warn === true, screener };
}

function parseApprovals(asked: DocumentObject): Requirement['approvals'] | undefined {
  if (!asked.has('approvals') && !asked.has('of')) return null;
  const help = `Must be a whole number from 1 to ${APPROVALS_MAX}.`;
  const count = asked.required('approvals', readInteger(1, APPROVALS_MAX), help);
  const of = asked.required('of', readWords(APPROVING_ROLES), ROLES_HELP);
  return count === undefined || of === undefined ? undefined : { count, of };
}

function readScreener(value: unknown): string | undefined {
  return typeof value === 'string' && SCREENER_NAME_PATTERN.test(value) ? value : undefined;
}
