import { useState } from 'react';
import type {
  ConditionName,
  PolicyAnswer,
  PolicyDraft,
  PolicyRule,
} from '../../api/policy-types.ts';
import { useBookPeople } from '../../app/book-people.ts';
import { useInactive } from '../../app/may-act.ts';
import { toast } from '../../parts/announce.tsx';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { LoadingRows } from '../../parts/loading.tsx';
import { policy as texts } from '../../texts/en/policy.ts';
import { ChecksCard } from './checks-card.tsx';
import { PublishCard } from './publish-card.tsx';
import { ReplayCard } from './replay-card.tsx';
import { RuleCard } from './rule-card.tsx';
import { type ComparedRule, compareRules } from './rule-diff.ts';
import { RuleEditor } from './rule-editor.tsx';
import { useDraftChange, usePolicyAct, usePolicyThings } from './use-policy.ts';
import { WaitingCard } from './waiting-card.tsx';

type Given = Readonly<{ answer: PolicyAnswer; draft: PolicyDraft }>;

/** The rules of the draft against the version in force, edited in place; at the right what is missing. */
export function DraftPart({ answer, draft }: Given) {
  const inactive = useInactive()('policy:write');
  // Who can approve is one of the checks: shown later, it would move the button under the hand.
  const people = useBookPeople();
  return (
    <div className="grid g-main-side">
      <DraftRules answer={answer} draft={draft} isReadOnly={inactive !== undefined} />
      <aside className="stack" aria-label={texts.publish.titleTest}>
        {people === undefined ? (
          <Card>
            <LoadingRows />
          </Card>
        ) : (
          <>
            <ReplayCard draft={draft} version={answer.version} inactive={inactive} />
            <ChecksCard draft={draft} people={people} />
            <PublishCard answer={answer} draft={draft} people={people} />
          </>
        )}
      </aside>
    </div>
  );
}

/** The rule that is open for editing; `name` is what the draft calls it, undefined for a new one. */
type Editing = Readonly<{
  name: string | undefined;
  rule: PolicyRule;
  focus: ConditionName | undefined;
  /** The hash of the draft when it was opened. */
  read: string;
}>;

const NEW_RULE = {
  when: { amountAtLeast: '5000.00' },
  require: { approvals: 1, of: ['approver', 'owner'] },
} as const;

function DraftRules({ answer, draft, isReadOnly }: Given & Readonly<{ isReadOnly: boolean }>) {
  const save = useDraftChange();
  const things = usePolicyThings();
  const [editing, setEditing] = useState<Editing>();
  const { document, contentHash } = draft;
  const saveRules = async (
    edit: (rules: readonly PolicyRule[]) => readonly PolicyRule[],
    read: string,
  ) => {
    await save((newest) => ({ ...newest, rules: edit(newest.rules) }), read);
    toast(texts.kept);
    // Another rule that was opened in the meantime stays open.
    setEditing((now) => (now === editing ? undefined : now));
  };
  const editor = editing !== undefined && (
    <RuleEditor
      key={editing.name ?? ''}
      rule={editing.rule}
      things={things}
      focus={editing.focus}
      onClose={() => setEditing(undefined)}
      onSave={(rule) => saveRules((rules) => putRule(rules, editing.name, rule), editing.read)}
      onRemove={() =>
        saveRules((rules) => rules.filter(({ name }) => name !== editing.name), editing.read)
      }
    />
  );
  const isNew = editing !== undefined && editing.name === undefined;
  const line = (compared: ComparedRule) => {
    const { index, rule } = compared;
    if (index !== undefined && rule.name === editing?.name) return editor;
    return (
      <RuleCard
        key={`${compared.kind} ${rule.name}`}
        compared={compared}
        names={things}
        replay={draft.replay}
        onEdit={
          isReadOnly || index === undefined
            ? undefined
            : (focus) => setEditing({ name: rule.name, rule, focus, read: contentHash })
        }
        onRestore={
          isReadOnly ? undefined : () => void saveRules((rules) => [...rules, rule], contentHash)
        }
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
                name: undefined,
                rule: { ...NEW_RULE, name: texts.newRule(document.rules.length + 1) },
                focus: undefined,
                read: contentHash,
              })
            }
          >
            {texts.add}
          </Button>
          <DropDraft draft={draft} />
        </div>
      )}
      <WaitingCard
        document={document}
        before={answer.document}
        read={contentHash}
        onSave={isReadOnly ? undefined : save}
      />
    </section>
  );
}

/** In the place of the rule that has the name; a rule that is new, or was removed meanwhile, goes to the end. */
function putRule(
  rules: readonly PolicyRule[],
  name: string | undefined,
  rule: PolicyRule,
): readonly PolicyRule[] {
  const index = rules.findIndex((one) => one.name === name);
  return index === -1 ? [...rules, rule] : rules.with(index, rule);
}

function DropDraft({ draft }: Readonly<{ draft: PolicyDraft }>) {
  const { drop } = usePolicyAct();
  // Discards only the draft that was shown: changes of another person since then are kept.
  const [asked, setAsked] = useState<PolicyDraft>();
  const words = texts.discardAsk;
  return (
    <>
      <Button kind="plain" onClick={() => setAsked(draft)}>
        {texts.discard}
      </Button>
      {asked !== undefined && (
        <Confirm
          title={words.title}
          actLabel={words.act}
          keepLabel={words.keep}
          isDanger
          onClose={() => setAsked(undefined)}
          onAct={async () => {
            await drop(asked);
            toast(words.done);
          }}
        >
          <p>{words.detail}</p>
        </Confirm>
      )}
    </>
  );
}
