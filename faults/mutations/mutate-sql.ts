import type { Mutation } from './mutation.ts';

type Change = Readonly<{ pattern: RegExp; kind: string; replace: (found: string) => string }>;

/**
 * Mutations of SQL, found by regular expressions. All statements are written in one style, in lower case with one
 * condition per line, so an SQL parser would find no more.
 */
const CHANGES: readonly Change[] = [
  { pattern: /^[ \t]*and [^\n]*$/gm, kind: 'condition removed', replace: () => '' },
  {
    pattern: /\b(?:where|when|on) (?=\S)[^\n]*?(?= (?:and|then|or) )/g,
    kind: 'condition made true',
    replace: alwaysTrue,
  },
  { pattern: / (?:<>|<=|>=|<|>|=) /g, kind: 'comparison swapped', replace: swapComparison },
  { pattern: / [+-] /g, kind: 'sign swapped', replace: (sign) => (sign === ' + ' ? ' - ' : ' + ') },
  {
    pattern: /\bfor (?:no key )?update(?: of \w+)?(?: skip locked)?/g,
    kind: 'lock removed',
    replace: () => '',
  },
  { pattern: / skip locked/g, kind: 'skip locked removed', replace: () => '' },
  { pattern: /^[ \t]*limit [^\n)]+$/gm, kind: 'limit removed', replace: () => '' },
  { pattern: /^[ \t]*order by [^\n)]+$/gm, kind: 'order removed', replace: () => '' },
  {
    pattern: /\bgreatest\(|\bleast\(/g,
    kind: 'bound swapped',
    replace: (word) => (word === 'least(' ? 'greatest(' : 'least('),
  },
  {
    pattern: /\bis not null\b|\bis null\b/g,
    kind: 'null test swapped',
    replace: (test) => (test === 'is null' ? 'is not null' : 'is null'),
  },
  { pattern: /\bnow\(\) \+ /g, kind: 'time moved back', replace: () => 'now() - ' },
];

const COMPARISONS: Readonly<Record<string, string>> = {
  '<>': '=',
  '=': '<>',
  '<=': '<',
  '<': '<=',
  '>=': '>',
  '>': '>=',
};

function swapComparison(found: string): string {
  return ` ${COMPARISONS[found.trim()] ?? '='} `;
}

function alwaysTrue(found: string): string {
  return `${found.slice(0, found.indexOf(' '))} true`;
}

const STATEMENT = /^\s*(?:with|select|insert|update|delete) |^\s*\w+ as (?:materialized )?\(/;

/** Whether a template begins like SQL; others are messages. */
export function isStatement(text: string): boolean {
  return STATEMENT.test(text);
}

export function findSqlMutations(
  file: string,
  quasi: Readonly<{ text: string; start: number }>,
): readonly Mutation[] {
  return CHANGES.flatMap(({ pattern, kind, replace }) =>
    [...quasi.text.matchAll(pattern)]
      .filter((match) => isBalanced(match[0]) && !isOutsideConditions(quasi.text, match.index))
      .map((match) => ({
        file,
        start: quasi.start + match.index,
        end: quasi.start + match.index + match[0].length,
        replacement: replace(match[0]),
        kind,
        language: 'sql' as const,
      })),
  );
}

/** True in a comment, and for the equals sign of an assignment. */
function isOutsideConditions(text: string, index: number): boolean {
  const before = text.slice(text.lastIndexOf('\n', index - 1) + 1, index);
  const isAssignment = text.startsWith(' = ', index) && /^\s*(?:.*\bset )?\w+$|, \w+$/.test(before);
  return isAssignment || before.includes('--');
}

/** A line with an unbalanced parenthesis cannot be removed alone. */
function isBalanced(text: string): boolean {
  let depth = 0;
  for (const character of text) {
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    if (depth < 0) return false;
  }
  return depth === 0;
}
