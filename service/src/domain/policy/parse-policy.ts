import type { FieldProblem } from '../field-problem.ts';
import { checkPlainText } from '../plain-text.ts';
import { SEND_LATE_WITHIN_DEFAULT_MS } from '../send-at.ts';
import { DocumentObject, DocumentProblems } from './document-reader.ts';
import { parseConditions } from './parse-conditions.ts';
import { parseRequirement } from './parse-requirement.ts';
import { DURATION_HELP, readSeconds } from './parse-values.ts';
import {
  APPROVAL_EXPIRES_AFTER_DEFAULT_MS,
  type Policy,
  RULE_NAME_LENGTH_MAX,
  RULES_MAX,
  type Rule,
} from './policy.ts';

type ParsedPolicy =
  | Readonly<{ isValid: true; policy: Policy }>
  | Readonly<{ isValid: false; problems: readonly FieldProblem[] }>;

const KNOWN = ['sendLateWithin', 'approvalExpiresAfter', 'rules'];
const RULE_KNOWN = ['name', 'when', 'require'];
const NAME_HELP = `Must be text of 1 to ${RULE_NAME_LENGTH_MAX} characters, without spaces around it.`;

/** Reads a document, or lists all its problems. */
export function parsePolicy(document: unknown): ParsedPolicy {
  const problems = new DocumentProblems();
  const policy = readPolicy(document, problems);
  if (policy === undefined || problems.found.length > 0) {
    return { isValid: false, problems: problems.found };
  }
  return { isValid: true, policy };
}

function readPolicy(document: unknown, problems: DocumentProblems): Policy | undefined {
  const opened = DocumentObject.open(document, { path: '', known: KNOWN, problems });
  if (opened === undefined) return undefined;
  const late = opened.read('sendLateWithin', readSeconds, DURATION_HELP);
  const expires = opened.read('approvalExpiresAfter', readSeconds, DURATION_HELP);
  const rulesHelp = `Must be a list of at most ${RULES_MAX} rules.`;
  const items = opened.required('rules', readRuleItems, rulesHelp) ?? [];
  const rules = items.map((item, index) => parseRule(item, `rules.${index}`, problems));
  refuseSameNames(rules, problems);
  return {
    sendLateWithinMs: toMs(late) ?? SEND_LATE_WITHIN_DEFAULT_MS,
    approvalExpiresAfterMs: toMs(expires) ?? APPROVAL_EXPIRES_AFTER_DEFAULT_MS,
    rules: rules.filter((rule) => rule !== undefined),
  };
}

function readRuleItems(value: unknown): readonly unknown[] | undefined {
  return Array.isArray(value) && value.length <= RULES_MAX ? value : undefined;
}

function toMs(seconds: number | null | undefined): number | undefined {
  return typeof seconds === 'number' ? seconds * 1_000 : undefined;
}

function parseRule(value: unknown, path: string, problems: DocumentProblems): Rule | undefined {
  const rule = DocumentObject.open(value, { path, known: RULE_KNOWN, problems });
  if (rule === undefined) return undefined;
  const name = rule.required('name', readName, NAME_HELP);
  const given = rule.required('when', present, 'Its conditions; {} matches every transfer.');
  const asked = rule.required('require', present, 'What it asks for, such as {"refuse": true}.');
  const when =
    given === undefined ? undefined : parseConditions(given.value, rule.pathOf('when'), problems);
  const require =
    asked === undefined
      ? undefined
      : parseRequirement(asked.value, rule.pathOf('require'), problems);
  if (name === undefined || when === undefined || require === undefined) return undefined;
  return { name, when, require };
}

/** Wraps the value, so that an explicit null differs from an absent field. */
function present(value: unknown): Readonly<{ value: unknown }> {
  return { value };
}

function readName(value: unknown): string | undefined {
  if (typeof value !== 'string' || value === '' || value.trim() !== value) return undefined;
  const verdict = checkPlainText(value, { codePointsMax: RULE_NAME_LENGTH_MAX });
  return verdict === 'ok' ? value : undefined;
}

function refuseSameNames(rules: readonly (Rule | undefined)[], problems: DocumentProblems): void {
  const names = new Set<string>();
  for (const [index, rule] of rules.entries()) {
    if (rule === undefined) continue;
    if (names.has(rule.name)) {
      problems.add(`rules.${index}.name`, 'Another rule has this name. Give each its own.');
    }
    names.add(rule.name);
  }
}
