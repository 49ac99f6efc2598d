import { useState } from 'react';
import type {
  ConditionName,
  PolicyAnswer,
  PolicyDraft,
  PolicyRule,
} from '../../api/policy-types.ts';
import { useInactive } from '../../app/may-act.ts';
import { toast } from '../../parts/announce.tsx';
import { Button } from '../../parts/button.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { policy as texts } from '../../texts/en/policy.ts';
import { ChecksCard } from './checks-card.tsx';
import { PublishCard } from './publish-card.tsx';
import { ReplayCard } from './replay-card.tsx';
import { RuleCard } from './rule-card.tsx';
import { type ComparedRule, compareRules } from './rule-diff.ts';
import { RuleEditor } from './rule-editor.tsx';
import { usePolicyAct, usePolicyThings } from './use-policy.ts';
import { WaitingCard } from './waiting-card.tsx';

type Given = Readonly<{ answer: PolicyAnswer; draft: PolicyDraft }>;

/** The rules of the draft against the version in force, edited in place; at the right what is missing. */
export function DraftPart({ answer, draft }: Given) {
  const inactive = useInactive()('policy:write');
  return (
    <div className="grid g-main-side">
      <DraftRules answer={answer} draft={draft} isReadOnly={inactive !== undefined} />
      <aside className="stack" aria-label={texts.publish.titleTest}>
        <ReplayCard draft={draft} version={answer.version} inactive={inactive} />
        <ChecksCard draft={draft} />
        <PublishCard answer={answer} draft={draft} />
      </aside>
    </div>
  );
}

/** The rule that is open for editing; `index` is its place in the draft, or the end for a new one. */
type Editing = Readonly<{ index: number; rule: PolicyRule; focus: ConditionName | undefined }>;

const NEW_RULE = {
  when: { amountAtLeast: '5000.00' },
  require: { approvals: 1, of: ['approver', 'owner'] },
} as const;

function DraftRules({ answer, draft, isReadOnly }: Given & Readonly<{ isReadOnly: boolean }>) {
  const { save } = usePolicyAct();
  const things = usePolicyThings();
  const [editing, setEditing] = useState<Editing>();
  const { document } = draft;
  const saveRules = async (rules: readonly PolicyRule[]) => {
    await save({ ...document, rules });
    toast(texts.kept);
    // Another rule may have been opened meanwhile: it stays open.
    setEditing((now) => (now === editing ? undefined : now));
  };
  const editor = editing !== undefined && (
    <RuleEditor
      key={editing.index}
      rule={editing.rule}
      things={things}
      focus={editing.focus}
      onClose={() => setEditing(undefined)}
      onSave={(rule) => saveRules(replaceAt(document.rules, editing.index, rule))}
      onRemove={() => saveRules(document.rules.filter((_, at) => at !== editing.index))}
    />
  );
  const isNew = editing?.index === document.rules.length;
  const line = (compared: ComparedRule) => {
    const { index, rule } = compared;
    if (editing !== undefined && index === editing.index) return editor;
    return (
      <RuleCard
        key={`${compared.kind} ${rule.name}`}
        compared={compared}
        names={things}
        replay={draft.replay}
        onEdit={
          isReadOnly || index === undefined
            ? undefined
            : (focus) => setEditing({ index, rule, focus })
        }
        onRestore={isReadOnly ? undefined : () => void saveRules([...document.rules, rule])}
      />
    );
  };
  return (
    <section aria-label={texts.rulesOfDraft}>
      {things.currency === undefined && <p className="help lead-line">{texts.amounts}</p>}
      <ol className="rules">
        {compareRules(answer.document, document).map(line)}
        {isNew && editor}
      </ol>
      {!isReadOnly && (
        <div className="actions mt">
          <Button
            icon="plus"
            onClick={() =>
              setEditing({
                index: document.rules.length,
                rule: { ...NEW_RULE, name: texts.newRule(document.rules.length + 1) },
                focus: undefined,
              })
            }
          >
            {texts.add}
          </Button>
          <DropDraft />
        </div>
      )}
      <WaitingCard
        document={document}
        before={answer.document}
        onSave={isReadOnly ? undefined : save}
      />
    </section>
  );
}

function replaceAt(
  rules: readonly PolicyRule[],
  index: number,
  rule: PolicyRule,
): readonly PolicyRule[] {
  return index >= rules.length ? [...rules, rule] : rules.with(index, rule);
}

function DropDraft() {
  const { drop } = usePolicyAct();
  const [isAsked, setAsked] = useState(false);
  const words = texts.discardAsk;
  return (
    <>
      <Button kind="plain" onClick={() => setAsked(true)}>
        {texts.discard}
      </Button>
      {isAsked && (
        <Confirm
          title={words.title}
          actLabel={words.act}
          keepLabel={words.keep}
          isDanger
          onClose={() => setAsked(false)}
          onAct={async () => {
            await drop();
            toast(words.done);
          }}
        >
          <p>{words.detail}</p>
        </Confirm>
      )}
    </>
  );
}
