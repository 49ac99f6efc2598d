import { Fragment } from 'react';
import type { ConditionName, Replay } from '../../api/policy-types.ts';
import { Button } from '../../parts/button.tsx';
import { Tag } from '../../parts/words.tsx';
import { policy as texts } from '../../texts/en/policy.ts';
import {
  type ComparedClause,
  type ComparedPiece,
  type ComparedRule,
  compareClauses,
} from './rule-diff.ts';
import { needsOf, type PolicyNames } from './rule-sentence.ts';

type Given = Readonly<{
  compared: ComparedRule;
  names: PolicyNames;
  replay: Replay | null;
  /** Undefined: the rule is only read. `condition`: the value that was chosen. */
  onEdit?: ((condition?: ConditionName) => void) | undefined;
  onRestore?: (() => void) | undefined;
}>;

/** A rule as a sentence. Its values are buttons that open it for editing where they stand. */
export function RuleCard({ compared, names, replay, onEdit, onRestore }: Given) {
  const { kind, rule, before } = compared;
  const clauses = compareClauses(rule, before, names);
  return (
    <li className={kind === 'same' ? 'rule' : 'rule rule-changed'}>
      <div className="rule-head">
        <h3>{rule.name}</h3>
        {kind !== 'same' && <Tag tone="accent">{texts.tags[kind]}</Tag>}
        <span className="push actions">
          {kind === 'removed'
            ? onRestore !== undefined && (
                <Button
                  size="sm"
                  kind="plain"
                  aria-label={texts.restoreRule(rule.name)}
                  onClick={onRestore}
                >
                  {texts.restore}
                </Button>
              )
            : onEdit !== undefined && (
                <Button
                  size="sm"
                  kind="plain"
                  aria-label={texts.editRule(rule.name)}
                  onClick={() => onEdit()}
                >
                  {texts.edit}
                </Button>
              )}
        </span>
      </div>
      <p>
        {kind === 'removed' ? (
          <del>
            <Sentence clauses={clauses} onEdit={undefined} />
          </del>
        ) : (
          <Sentence clauses={clauses} onEdit={onEdit} />
        )}
      </p>
      <Needs compared={compared} replay={replay} />
    </li>
  );
}

function Sentence({
  clauses,
  onEdit,
}: Readonly<{
  clauses: readonly ComparedClause[];
  onEdit: ((condition: ConditionName) => void) | undefined;
}>) {
  if (clauses.length === 0) return texts.everyPayout;
  return clauses.map(({ condition, kind, pieces }, index) => {
    const words = pieces.map((piece, at) => {
      const text = index === 0 && at === 0 ? capitalise(piece) : piece;
      return <PieceText key={at} piece={text} onEdit={onEdit && (() => onEdit(condition))} />;
    });
    return (
      <Fragment key={`${condition} ${kind}`}>
        {index > 0 && (index === clauses.length - 1 ? ` ${texts.and} ` : ', ')}
        {kind === 'same' ? words : kind === 'added' ? <ins>{words}</ins> : <del>{words}</del>}
      </Fragment>
    );
  });
}

function capitalise(piece: ComparedPiece): ComparedPiece {
  return { ...piece, text: piece.text.charAt(0).toUpperCase() + piece.text.slice(1) };
}

function PieceText({
  piece: { text, isValue, was },
  onEdit,
}: Readonly<{ piece: ComparedPiece; onEdit: (() => void) | undefined }>) {
  const words =
    was === undefined ? (
      text
    ) : (
      <>
        <del>{was}</del> <ins>{text}</ins>
      </>
    );
  if (!isValue) return words;
  if (onEdit === undefined) return <b className="strong">{words}</b>;
  return (
    <button type="button" className="val" onClick={onEdit}>
      {words}
    </button>
  );
}

function Needs({
  compared: { kind, rule, before },
  replay,
}: Readonly<{ compared: ComparedRule; replay: Replay | null }>) {
  const now = needsOf(rule.require);
  const gone =
    before === undefined
      ? []
      : needsOf(before.require).filter(({ text }) => now.every((need) => need.text !== text));
  const matched = replay?.byRule.find((one) => one.rule === rule.name)?.matched;
  const was = replay?.inForce?.byRule.find((one) => one.rule === rule.name)?.matched;
  return (
    <p className="rule-req">
      {gone.map(({ text }) => (
        <del key={text} className="small">
          {text}
        </del>
      ))}
      {now.map(({ text, tone }) => (
        <Tag key={text} {...(tone === undefined ? {} : { tone })}>
          {text}
        </Tag>
      ))}
      {kind !== 'removed' && matched !== undefined && (
        <span className="faint small">
          {texts.matched(matched)}
          {was !== undefined && was !== matched && texts.was(was)}
        </span>
      )}
    </p>
  );
}
