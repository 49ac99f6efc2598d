import type { FieldProblem } from '../../domain/field-problem.ts';
import { describeRule } from '../../domain/policy/describe-rule.ts';
import { parsePolicy } from '../../domain/policy/parse-policy.ts';
import { type DraftCheck, describeImpossible } from '../../policies/check-draft.ts';
import type { PolicyDocument, PolicyDraft, PolicyVersion } from '../../policies/policy-version.ts';

type Problem = Readonly<{ field: string; message: string }>;

export function renderVersion({ publishedAt, ...version }: PolicyVersion) {
  return {
    ...version,
    rules: renderRules(version.document),
    publishedAt: publishedAt.toISOString(),
  };
}

export function renderDraft(draft: PolicyDraft, check: DraftCheck | readonly FieldProblem[]) {
  return {
    document: draft.document,
    contentHash: draft.contentHash,
    rules: renderRules(draft.document),
    changedBy: draft.changedBy,
    changedAt: draft.changedAt.toISOString(),
    replay: draft.replay?.result ?? null,
    publishedBy: draft.publishedBy,
    problems: renderProblems(check),
  };
}

function renderProblems(check: DraftCheck | readonly FieldProblem[]): readonly Problem[] {
  if (!('impossible' in check)) return check.map(({ field, message }) => ({ field, message }));
  return [
    ...[...check.unknown, ...check.unscreened].map(({ field, message }) => ({ field, message })),
    ...check.impossible.map((one) => ({
      field: `rules.${one.index}.require`,
      message: describeImpossible(one),
    })),
  ];
}

/** Each rule as a sentence. A document that an older release took and this one does not has none. */
function renderRules(document: PolicyDocument) {
  const parsed = parsePolicy(document);
  if (!parsed.isValid) return [];
  return parsed.policy.rules.map((rule) => ({ rule: rule.name, text: describeRule(rule) }));
}
