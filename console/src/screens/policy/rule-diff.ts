import type { PolicyDocument, PolicyRule } from '../../api/policy-types.ts';
import { type Clause, clausesOf, type Piece, type PolicyNames } from './rule-sentence.ts';

export type ComparedRule = Readonly<{
  kind: 'same' | 'changed' | 'added' | 'removed';
  rule: PolicyRule;
  /** As it is in the version in force, where it differs. */
  before: PolicyRule | undefined;
  /** Its place in the draft; undefined: removed. */
  index: number | undefined;
}>;

/** The rules of the draft against those in force, by name. Removed ones stay where they were. */
export function compareRules(
  inForce: PolicyDocument | null,
  draft: PolicyDocument,
): readonly ComparedRule[] {
  const before = inForce?.rules ?? [];
  const compared: ComparedRule[] = draft.rules.map((rule, index) => {
    const known = before.find(({ name }) => name === rule.name);
    if (known === undefined) return { kind: 'added', rule, before: undefined, index };
    return isSame(known, rule)
      ? { kind: 'same', rule, before: undefined, index }
      : { kind: 'changed', rule, before: known, index };
  });
  for (const [at, rule] of before.entries()) {
    if (draft.rules.some(({ name }) => name === rule.name)) continue;
    compared.splice(at, 0, { kind: 'removed', rule, before: undefined, index: undefined });
  }
  return compared;
}

/** How many things differ: rules, and the times of what waits. */
export function countChanges(inForce: PolicyDocument | null, draft: PolicyDocument): number {
  const rules = compareRules(inForce, draft).filter(({ kind }) => kind !== 'same').length;
  const times = [
    inForce?.sendLateWithin !== draft.sendLateWithin,
    inForce?.approvalExpiresAfter !== draft.approvalExpiresAfter,
  ];
  return rules + (inForce === null ? 0 : times.filter(Boolean).length);
}

/** A piece with what stood there before; `isNew`: the whole clause is new. */
export type ComparedPiece = Piece & Readonly<{ was?: string }>;
export type ComparedClause = Readonly<{
  condition: Clause['condition'];
  kind: 'same' | 'added' | 'removed';
  pieces: readonly ComparedPiece[];
}>;

/** The sentence of a rule, with what was there before in the places that differ. */
export function compareClauses(
  { when }: PolicyRule,
  before: PolicyRule | undefined,
  names: PolicyNames,
): readonly ComparedClause[] {
  const now = clausesOf(when, names);
  if (before === undefined) return now.map((clause) => ({ ...clause, kind: 'same' }));
  const then = clausesOf(before.when, names);
  const kept: readonly ComparedClause[] = now.map((clause) => {
    const old = then.find(({ condition }) => condition === clause.condition);
    if (old === undefined) return { ...clause, kind: 'added' };
    return {
      ...clause,
      kind: 'same',
      pieces: clause.pieces.map((piece, at) => withOld(piece, old.pieces[at])),
    };
  });
  const gone = then
    .filter(({ condition }) => now.every((clause) => clause.condition !== condition))
    .map((clause): ComparedClause => ({ ...clause, kind: 'removed' }));
  return [...kept, ...gone];
}

function withOld(piece: Piece, old: Piece | undefined): ComparedPiece {
  return old === undefined || old.text === piece.text ? piece : { ...piece, was: old.text };
}

/** Compares without the order of keys, because the service may return them in another order. */
function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => a.localeCompare(b))
      .map(([key, inner]) => [key, sorted(inner)]),
  );
}
