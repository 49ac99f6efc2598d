import { useId, useState } from 'react';
import type { Decision, Dossier, OpenProposal, Resolved } from '../../api/staff-types.ts';
import { useRolesNeeded, useSession } from '../../app/session.ts';
import { useInactive, useStaffAct } from '../../app/staff-api.ts';
import { formatSums } from '../../format/format-amount.ts';
import { formatOperator } from '../../format/format-operator.ts';
import { toast } from '../../parts/announce.tsx';
import { Button } from '../../parts/button.tsx';
import { TextAreaField, TextField } from '../../parts/field.tsx';
import { Note } from '../../parts/note.tsx';
import { StepUp } from '../../parts/step-up.tsx';
import { Time } from '../../parts/time.tsx';
import { decisions } from '../../texts/en/decisions.ts';
import { doubt } from '../../texts/en/doubt.ts';
import { shell } from '../../texts/en/shell.ts';
import { Contradictions } from './contradictions.tsx';
import { DecisionSays, WithdrawSays } from './decision-says.tsx';
import { useJustChanged } from './just-changed.ts';
import { sayChanges } from './say-changes.ts';
import { Votes } from './votes.tsx';

const texts = doubt.decide;
const EVIDENCE_LENGTH_MAX = 500;
const RECEIPT_LENGTH_MAX = 100;

type Given = Readonly<{
  dossier: Dossier;
  /** In doubt: paid or not paid. Paid: returned. */
  choices: readonly Decision[];
  /** What is known now: asked once more before a decision is sent. */
  onLook: () => Promise<Dossier>;
}>;

type Draft = Readonly<{ decision: Decision | undefined; receipt: string; evidence: string }>;

const EMPTY: Draft = { decision: undefined, receipt: '', evidence: '' };

/**
 * The first person proposes; another one who says the same, with evidence of their own, carries it out. The second
 * person's form starts empty.
 */
export function DecideCard({ dossier, choices, onLook }: Given) {
  const { person } = useSession();
  const { proposal } = dossier;
  // Which one is meant: another proposal that comes in its place is read first.
  const [withdrawn, setWithdrawn] = useState<string>();
  const isOwn = proposal?.by.id === person.id;
  const isWithdrawing = proposal !== null && withdrawn === nameOf(proposal);
  return (
    <aside className="stack" aria-label={texts.label}>
      <Contradictions dossier={dossier} />
      {proposal !== null && (isOwn || isWithdrawing) ? (
        <Withdraw
          dossier={dossier}
          proposal={proposal}
          onKeep={isOwn ? undefined : () => setWithdrawn(undefined)}
        />
      ) : (
        <Decide
          dossier={dossier}
          choices={choices}
          onLook={onLook}
          onWithdraw={() => setWithdrawn(proposal === null ? undefined : nameOf(proposal))}
        />
      )}
      {proposal !== null && (
        <p className="help">
          {texts.ends} <Time at={proposal.expiresAt} />, {texts.endsWhy}
        </p>
      )}
    </aside>
  );
}

function nameOf({ by, at }: OpenProposal): string {
  return `${by.id} ${at}`;
}

function Decide({
  dossier,
  choices,
  onLook,
  onWithdraw,
}: Given & Readonly<{ onWithdraw: () => void }>) {
  const { transfer, proposal } = dossier;
  const act = useStaffAct();
  const inactive = useInactive();
  const roles = useRolesNeeded()('transfers:resolve');
  const [draft, setDraft] = useState<Draft>(EMPTY);
  // What the finding rests on: as it was when the person chose it.
  const [seen, setSeen] = useState(dossier);
  const [changes, setChanges] = useState<readonly string[]>([]);
  const isJustChanged = useJustChanged(proposal === null ? '' : nameOf(proposal));
  const { decision, receipt, evidence } = draft;
  const amount = formatSums([{ currency: transfer.currency, sum: transfer.amount }]);
  const said =
    decision === undefined
      ? texts.wordsNothing
      : (proposal === null ? texts.propose : texts.confirm)(amount, texts.words[decision]);
  const change = (next: Draft) => {
    if (next.decision !== decision) setSeen(dossier);
    setDraft(next);
  };
  const decide = async () => {
    const now = await onLook();
    const found = sayChanges(seen, now);
    setSeen(now);
    setChanges(found);
    if (found.length > 0) return;
    const { result } = await act<Resolved>({
      path: `/transfers/${transfer.id}/resolve`,
      body: {
        decision,
        evidence: evidence.trim(),
        ...(decision === 'paid' ? { receipt: receipt.trim() } : {}),
        seen: now.seen,
      },
    });
    setDraft(EMPTY);
    toast(
      result === 'proposed' || decision === undefined
        ? texts.proposed
        : texts.confirmed(amount, texts.words[decision]),
    );
  };
  return (
    <StepUp
      title={texts.title}
      actLabel={transfer.mode === 'test' ? `${said}${texts.test}` : said}
      inactive={
        inactive('transfers:resolve') ??
        (isJustChanged ? sayJustChanged(proposal) : whatIsMissing(draft, proposal))
      }
      aside={
        proposal === null ? undefined : (
          <Button inactive={inactive('transfers:resolve')} onClick={onWithdraw}>
            {texts.withdraw}
          </Button>
        )
      }
      onAct={decide}
    >
      <Votes proposal={proposal} />
      {roles === undefined ? (
        <FindingFields
          choices={choices}
          operator={formatOperator(transfer.operator)}
          draft={draft}
          onChange={change}
        />
      ) : (
        <p className="soft">{shell.onlyRoles(roles)}.</p>
      )}
      {decision !== undefined && (
        <DecisionSays transfer={transfer} decision={decision} isFirst={proposal === null} />
      )}
      {changes.length > 0 && <Changed changes={changes} />}
    </StepUp>
  );
}

function Changed({ changes }: Readonly<{ changes: readonly string[] }>) {
  return (
    <Note tone="caution" isAlert>
      <p>
        <b>{texts.changed.lead}</b> {changes.join(' ')} {texts.changed.rest}
      </p>
    </Note>
  );
}

function FindingFields({
  choices,
  operator,
  draft,
  onChange,
}: Readonly<{
  choices: readonly Decision[];
  operator: string;
  draft: Draft;
  onChange: (draft: Draft) => void;
}>) {
  const name = useId();
  const labels = {
    paid: texts.wasPaid,
    not_paid: texts.wasNotPaid,
    reversed: texts.wasReturned,
  };
  return (
    <>
      <fieldset className="field">
        <legend>{texts.finding}</legend>
        {choices.map((choice) => (
          <label key={choice} className="choice pick">
            <input
              type="radio"
              name={name}
              checked={draft.decision === choice}
              onChange={() => onChange({ ...draft, decision: choice })}
            />
            <span>{labels[choice]}</span>
          </label>
        ))}
      </fieldset>
      {draft.decision === 'paid' && (
        <TextField
          label={texts.receiptLabel(operator)}
          help={texts.receiptHelp}
          className="id"
          autoComplete="off"
          maxLength={RECEIPT_LENGTH_MAX}
          value={draft.receipt}
          onChange={(receipt) => onChange({ ...draft, receipt })}
        />
      )}
      <TextAreaField
        label={texts.evidence}
        help={texts.evidenceHelp}
        maxLength={EVIDENCE_LENGTH_MAX}
        value={draft.evidence}
        onChange={(evidence) => onChange({ ...draft, evidence })}
      />
    </>
  );
}

function sayJustChanged(proposal: OpenProposal | null): string {
  return proposal === null ? texts.justWithdrawn : texts.justChanged(proposal.by.name);
}

function whatIsMissing(draft: Draft, proposal: OpenProposal | null): string | undefined {
  const { decision, receipt, evidence } = draft;
  if (decision === undefined) return texts.chooseFirst;
  if (proposal !== null && proposal.decision !== decision) {
    return texts.different(proposal.by.name, decisions[proposal.decision]);
  }
  if (decision === 'paid' && receipt.trim() === '') return texts.receiptFirst;
  return evidence.trim() === '' ? texts.evidenceFirst : undefined;
}

function Withdraw({
  dossier,
  proposal,
  onKeep,
}: Readonly<{
  dossier: Dossier;
  proposal: OpenProposal;
  /** Undefined: the person's own proposal, about which nothing else can be done. */
  onKeep: (() => void) | undefined;
}>) {
  const { transfer } = dossier;
  const act = useStaffAct();
  const inactive = useInactive();
  const withdraw = async () => {
    await act({ path: `/transfers/${transfer.id}/withdraw`, body: { seen: dossier.seen } });
    onKeep?.();
    toast(texts.withdrawn);
  };
  return (
    <StepUp
      title={onKeep === undefined ? texts.title : texts.withdrawTitle}
      actLabel={onKeep === undefined ? texts.withdrawOwn : texts.withdrawTitle}
      isDanger
      inactive={inactive('transfers:resolve')}
      aside={onKeep === undefined ? undefined : <Button onClick={onKeep}>{texts.keep}</Button>}
      onAct={withdraw}
    >
      <Votes proposal={proposal} />
      <WithdrawSays transfer={transfer} />
    </StepUp>
  );
}
