import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { hasCode } from '../../api/api-error.ts';
import type { PolicyAnswer, PolicyDocument } from '../../api/policy-types.ts';
import { useInactive } from '../../app/may-act.ts';
import { Page } from '../../app/page.tsx';
import { toast } from '../../parts/announce.tsx';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { DocsLink } from '../../parts/docs-link.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Refused, sayError } from '../../parts/failure.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Raw } from '../../parts/raw.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { Time } from '../../parts/time.tsx';
import { placeNames } from '../../texts/en/places.ts';
import { policy as texts } from '../../texts/en/policy.ts';
import { DraftPart } from './draft-part.tsx';
import { RuleCard } from './rule-card.tsx';
import { countChanges } from './rule-diff.ts';
import { usePolicy, usePolicyAct, usePolicyThings } from './use-policy.ts';
import { VersionsDialog } from './versions-dialog.tsx';
import { WaitingCard } from './waiting-card.tsx';

export default function PolicyScreen() {
  const found = usePolicy();
  const { which } = useSearch({ strict: false }) as { which?: string };
  const answer = found.data;
  const draft = answer?.draft ?? null;
  const isDraft = draft !== null && which !== 'in-force';
  const [shown, setShown] = useState<'versions' | 'json'>();
  const document = isDraft ? draft.document : (answer?.document ?? null);
  return (
    <Page
      title={placeNames.policy}
      intro={texts.intro}
      actions={
        <>
          <DocsLink />
          <Button onClick={() => setShown('versions')}>{texts.versions}</Button>
          {document !== null && <Button onClick={() => setShown('json')}>{texts.asJson}</Button>}
        </>
      }
    >
      <Loaded found={found} rows={6}>
        {(policy) => (
          <>
            {policy.draft !== null && <PolicyTabs answer={policy} isDraft={isDraft} />}
            {policy.draft !== null && isDraft ? (
              <DraftPart answer={policy} draft={policy.draft} />
            ) : (
              <InForce answer={policy} />
            )}
          </>
        )}
      </Loaded>
      {shown === 'versions' && answer !== undefined && (
        <VersionsDialog history={answer.history} onClose={() => setShown(undefined)} />
      )}
      {shown === 'json' && document !== null && (
        <Dialog title={texts.jsonTitle} size="wide" onClose={() => setShown(undefined)}>
          <p className="help">{texts.jsonHelp}</p>
          <Raw label={texts.jsonTitle} text={JSON.stringify(document, null, 2)} />
        </Dialog>
      )}
    </Page>
  );
}

function PolicyTabs({ answer, isDraft }: Readonly<{ answer: PolicyAnswer; isDraft: boolean }>) {
  const { version, document, draft } = answer;
  const changes = draft === null ? 0 : countChanges(document, draft.document);
  return (
    <Tabs
      label={texts.which}
      tabs={[
        {
          key: 'in-force',
          label: version === null ? texts.noneInForce : texts.inForce(version),
          search: { which: 'in-force' },
          isCurrent: !isDraft,
        },
        {
          key: 'draft',
          label: (
            <>
              {texts.draftOf((version ?? 0) + 1)}{' '}
              <span className="count">{texts.changes(changes)}</span>
            </>
          ),
          search: {},
          isCurrent: isDraft,
        },
      ]}
    />
  );
}

function InForce({ answer }: Readonly<{ answer: PolicyAnswer }>) {
  const { version, document, publishedAt, publishedBy, draft } = answer;
  const things = usePolicyThings();
  if (version === null || document === null) {
    return (
      <Card>
        <Empty
          icon="rules"
          title={texts.empty}
          actions={draft === null && <BeginDraft from={null} />}
        >
          {texts.emptyDetail}
        </Empty>
      </Card>
    );
  }
  return (
    <section aria-label={texts.rulesInForce}>
      <div className="split split-wrap">
        <p className="soft">
          {texts.inForce(version)}
          {publishedAt !== null && (
            <>
              , {texts.since} <Time at={publishedAt} />
            </>
          )}
          {publishedBy.length > 0 &&
            `, ${texts.by} ${texts.byNames(publishedBy.map(({ name }) => name))}`}
          .
        </p>
        {draft === null && <BeginDraft from={document} />}
      </div>
      {things.currency === undefined && <p className="help lead-line">{texts.amounts}</p>}
      {document.rules.length === 0 ? (
        <Card>
          <Empty icon="rules" title={texts.noRules}>
            {texts.noRulesDetail}
          </Empty>
        </Card>
      ) : (
        <ol className="rules mt">
          {document.rules.map((rule, index) => (
            <RuleCard
              key={rule.name}
              compared={{ kind: 'same', rule, before: undefined, index }}
              names={things}
              replay={null}
            />
          ))}
        </ol>
      )}
      <WaitingCard document={document} before={null} />
    </section>
  );
}

const EXAMPLES: PolicyDocument = {
  rules: [
    {
      name: 'big',
      when: { amountAtLeast: '5000.00' },
      require: { approvals: 1, of: ['approver', 'owner'] },
    },
    { name: 'again', when: { similarWithin: 'PT24H' }, require: { warn: true } },
  ],
};

/** A draft of what is in force, or the first one. */
function BeginDraft({ from }: Readonly<{ from: PolicyDocument | null }>) {
  const { save } = usePolicyAct();
  const inactive = useInactive()('policy:write');
  const navigate = useNavigate();
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const begin = async (document: PolicyDocument) => {
    setBusy(true);
    setError(undefined);
    try {
      await save(document, null);
      toast(texts.begun);
      await navigate({ to: '.', search: {} });
    } catch (refusal) {
      setError(refusal);
      // Another owner began one: it takes the place of this button, and of what stands beside it.
      if (hasCode(refusal, 'CONTENT_CHANGED')) toast(sayError(refusal), 'bad');
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      {error !== undefined && <Refused error={error} />}
      {from === null && (
        <Button
          kind="main"
          isBusy={isBusy}
          inactive={inactive}
          onClick={() => void begin(EXAMPLES)}
        >
          {texts.beginExamples}
        </Button>
      )}
      <Button
        {...(from === null ? {} : { kind: 'main' as const })}
        isBusy={isBusy}
        inactive={inactive}
        onClick={() => void begin(from ?? { rules: [] })}
      >
        {from === null ? texts.beginEmpty : texts.begin}
      </Button>
    </>
  );
}
