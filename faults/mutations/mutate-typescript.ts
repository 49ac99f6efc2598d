import { parseSync, Visitor } from 'oxc-parser';
import { findSqlMutations, isStatement } from './mutate-sql.ts';
import type { Mutation } from './mutation.ts';

type Span = Readonly<{ start: number; end: number }>;

const SWAPPED_OPERATORS: ReadonlyMap<string, string> = new Map([
  ['===', '!=='],
  ['!==', '==='],
  ['<', '<='],
  ['<=', '<'],
  ['>', '>='],
  ['>=', '>'],
  ['+', '-'],
  ['-', '+'],
  ['*', '/'],
  ['&&', '||'],
  ['||', '&&'],
]);

const SWAPPED_METHODS: ReadonlyMap<string, string> = new Map([
  ['some', 'every'],
  ['every', 'some'],
  ['min', 'max'],
  ['max', 'min'],
]);

/** Calls that only log or observe: removing them changes no behaviour. */
const LOG_CALLS = /^(?:await )?(?:\w+\.)*(?:logger|observe|metrics|say)\b|failpoint\(/;

/** All small changes that could be made to a file, including its SQL statements. */
export function findMutations(file: string, text: string): readonly Mutation[] {
  const found: Mutation[] = [];
  const add = (span: Span, kind: string, replacement: string) =>
    found.push({
      file,
      start: span.start,
      end: span.end,
      replacement,
      kind,
      language: 'typescript',
    });
  const { program, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]?.message ?? ''}`);
  const code = ({ start, end }: Span) => text.slice(start, end);

  const swapOperator = (node: Span & { left: Span; right: Span; operator: string }) => {
    const swapped = SWAPPED_OPERATORS.get(node.operator);
    if (swapped === undefined) return;
    // A + that concatenates strings has no other operator to swap with.
    if (node.operator === '+' && /['"`]/.test(code(node))) return;
    const at = text.indexOf(node.operator, node.left.end);
    add({ start: at, end: at + node.operator.length }, 'operator swapped', swapped);
  };

  new Visitor({
    BinaryExpression: swapOperator,
    LogicalExpression: swapOperator,
    IfStatement({ test }) {
      add(test, 'condition made false', 'false');
      add(test, 'condition made true', 'true');
    },
    ConditionalExpression(node) {
      add(node, 'one branch only', `(${code(node.consequent)})`);
      add(node, 'other branch only', `(${code(node.alternate)})`);
    },
    UnaryExpression(node) {
      if (node.operator === '!') add(node, 'negation removed', code(node.argument));
    },
    Literal(node) {
      if (typeof node.value === 'boolean') add(node, 'boolean flipped', String(!node.value));
      if (node.value === 0 || node.value === 1) add(node, 'number changed', String(1 - node.value));
    },
    ExpressionStatement(node) {
      const isDirective = node.expression.type === 'Literal';
      if (!isDirective && !LOG_CALLS.test(code(node))) add(node, 'line dropped', ';');
    },
    CallExpression({ callee }) {
      if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return;
      const swapped = SWAPPED_METHODS.get(callee.property.name);
      if (swapped !== undefined) add(callee.property, 'method swapped', swapped);
    },
    SpreadElement(node) {
      if (node.argument.type === 'ParenthesizedExpression') add(node, 'spread dropped', '...{}');
    },
    TemplateLiteral({ quasis }) {
      if (!quasis.some(({ value }) => isStatement(value.raw))) return;
      // The span of a template part begins with the backtick or brace before it.
      for (const { start, value } of quasis) {
        found.push(...findSqlMutations(file, { text: value.raw, start: start + 1 }));
      }
    },
  }).visit(program);
  return found;
}
