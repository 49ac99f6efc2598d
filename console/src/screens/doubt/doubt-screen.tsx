import type { UseQueryResult } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { Decision, Dossier } from '../../api/staff-types.ts';
import { Page } from '../../app/page.tsx';
import { askAnew, useStaffQuery } from '../../app/staff-api.ts';
import { formatSums } from '../../format/format-amount.ts';
import { formatOperator } from '../../format/format-operator.ts';
import { Amount } from '../../parts/amount.tsx';
import { Loaded, OldAnswer } from '../../parts/loaded.tsx';
import { Note } from '../../parts/note.tsx';
import { Age, Time } from '../../parts/time.tsx';
import { ModeWord, Operator, StatePill } from '../../parts/words.tsx';
import { decisions } from '../../texts/en/decisions.ts';
import { doubt as texts } from '../../texts/en/doubt.ts';
import { placeNames } from '../../texts/en/places.ts';
import { AnswerCard, AskButton, useAsk } from '../staff/ask-operator.tsx';
import { DecideCard } from '../staff/decide-card.tsx';
import { RevealPhone } from '../staff/reveal-phone.tsx';
import { useReader } from '../staff/use-reader.ts';
import { whoseTurn } from '../staff/whose-turn.ts';
import { EvidenceCard } from './evidence-card.tsx';
import { ProofCard } from './proof-card.tsx';

const CHOICES: readonly Decision[] = ['paid', 'not_paid'];
/** Answers and callbacks that leave it in doubt are no event of the stream. */
const REFETCH_MS = 5_000;

export default function DoubtScreen() {
  const { transferId = '' } = useParams({ strict: false });
  const found = useStaffQuery<Dossier>({
    path: `/transfers/${transferId}`,
    refetchMs: REFETCH_MS,
  });
  if (found.data === undefined) {
    return (
      <Page title={placeNames.doubt} crumbs={[<DoubtsLink key="doubts" />]}>
        <Loaded found={found} rows={6}>
          {() => null}
        </Loaded>
      </Page>
    );
  }
  return <OneDoubt key={found.data.transfer.id} dossier={found.data} found={found} />;
}

function DoubtsLink() {
  return <Link to="/staff/doubts">{placeNames.doubts}</Link>;
}

function OneDoubt({
  dossier,
  found,
}: Readonly<{ dossier: Dossier; found: UseQueryResult<Dossier> }>) {
  const { transfer } = dossier;
  const { merchant, currency, amount, mode } = transfer;
  const asking = useAsk(transfer.id);
  const operator = formatOperator(transfer.operator);
  const sum = formatSums([{ currency, sum: amount }]);
  const isOpen = transfer.state === 'in_doubt';
  return (
    <Page
      title={`${placeNames.doubt} ${sum}`}
      head={
        <>
          <Amount currency={currency} amount={amount} />{' '}
          <span className="to">{texts.by(merchant.name)}</span>
        </>
      }
      intro={
        <span className="head-facts">
          <StatePill state={transfer.state} />
          {isOpen && transfer.inDoubtSince !== undefined && (
            <span className="doubt-ink">
              <Age since={transfer.inDoubtSince} />
            </span>
          )}
          <ModeWord mode={mode} />
          <span>
            <RevealPhone transferId={transfer.id} masked={transfer.phone} />
          </span>
          <span>
            <Operator operator={transfer.operator} country={transfer.country} />
          </span>
          <code>{transfer.route}</code>
        </span>
      }
      crumbs={[<DoubtsLink key="doubts" />, texts.crumb(merchant.name, sum)]}
      actions={<AskButton transfer={transfer} asking={asking} />}
    >
      <OldAnswer found={found} />
      <div className={isOpen ? 'grid g-main-side' : 'grid'}>
        <div className="stack">
          <WhereItStands dossier={dossier} />
          <EvidenceCard dossier={dossier} />
          <AnswerCard asking={asking} />
          <ProofCard operator={operator} />
        </div>
        {isOpen && <DecideCard dossier={dossier} choices={CHOICES} onLook={() => askAnew(found)} />}
      </div>
    </Page>
  );
}

/** What is to be done, and by whom; and why it is in doubt. */
function WhereItStands({ dossier }: Readonly<{ dossier: Dossier }>) {
  const { transfer, proposal, evidence, why } = dossier;
  const reader = useReader();
  const operator = formatOperator(transfer.operator);
  if (transfer.state !== 'in_doubt') {
    return (
      <Note
        tone="good"
        action={
          <Link className="btn btn-sm" to={`/staff/transfers/${transfer.id}`}>
            {texts.ended.open}
          </Link>
        }
      >
        <p>
          <b>{texts.ended.lead}</b> <StatePill state={transfer.state} /> {texts.ended.rest}
        </p>
      </Note>
    );
  }
  if (proposal !== null) {
    const turn = whoseTurn(proposal, reader);
    const words = turn === 'reader' ? texts.secondPerson : texts.othersProposal;
    return (
      <Note tone="doubt">
        <p>
          <b>{turn === 'own' ? texts.ownProposal.lead : words.lead}</b>{' '}
          {turn === 'own'
            ? texts.ownProposal.rest(operator)
            : words.rest(proposal.by.name, decisions[proposal.decision], operator)}
        </p>
        <p>
          {why.line} <Known dossier={dossier} />
        </p>
      </Note>
    );
  }
  return (
    <Note tone={evidence.needsPerson ? 'doubt' : 'info'}>
      <p>
        <b>{evidence.needsPerson ? texts.person.lead : texts.waits.lead}</b> {why.line} {why.action}
        {why.next !== null && !evidence.needsPerson && (
          <>
            {' '}
            {texts.next} <Time at={why.next} />.
          </>
        )}{' '}
        <Known dossier={dossier} />
      </p>
    </Note>
  );
}

/** The code of the runbook, and the receipt if the operator has named one. */
function Known({ dossier: { transfer, evidence } }: Readonly<{ dossier: Dossier }>) {
  const { receipt, doubtKind } = evidence;
  return (
    <>
      {receipt !== null && (
        <>
          {texts.receipt(formatOperator(transfer.operator))} <span className="id">{receipt}</span>.{' '}
        </>
      )}
      {doubtKind !== null && <code className="faint small">{doubtKind}</code>}
    </>
  );
}
