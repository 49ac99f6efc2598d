import { Link, useParams } from '@tanstack/react-router';
import type { Decision, Dossier } from '../../api/staff-types.ts';
import { Page } from '../../app/page.tsx';
import { useSession } from '../../app/session.ts';
import { useStaffQuery } from '../../app/staff-api.ts';
import { formatSums } from '../../format/format-amount.ts';
import { formatOperator } from '../../format/format-operator.ts';
import { Amount } from '../../parts/amount.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Note } from '../../parts/note.tsx';
import { Age, Time } from '../../parts/time.tsx';
import { ModeWord, Operator, StatePill } from '../../parts/words.tsx';
import { decisions } from '../../texts/en/decisions.ts';
import { doubt as texts } from '../../texts/en/doubt.ts';
import { placeNames } from '../../texts/en/places.ts';
import { AnswerCard, AskButton, useAsk } from '../staff/ask-operator.tsx';
import { DecideCard } from '../staff/decide-card.tsx';
import { RevealPhone } from '../staff/reveal-phone.tsx';
import { EvidenceCard } from './evidence-card.tsx';
import { ProofCard } from './proof-card.tsx';

const CHOICES: readonly Decision[] = ['paid', 'not_paid'];

export default function DoubtScreen() {
  const { transferId = '' } = useParams({ strict: false });
  const found = useStaffQuery<Dossier>({ path: `/transfers/${transferId}` });
  if (found.data === undefined) {
    return (
      <Page title={placeNames.doubt} crumbs={[<DoubtsLink key="doubts" />]}>
        <Loaded found={found} rows={6}>
          {() => null}
        </Loaded>
      </Page>
    );
  }
  return <OneDoubt key={transferId} dossier={found.data} />;
}

function DoubtsLink() {
  return <Link to="/staff/doubts">{placeNames.doubts}</Link>;
}

function OneDoubt({ dossier }: Readonly<{ dossier: Dossier }>) {
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
      <div className={isOpen ? 'grid g-main-side' : 'grid'}>
        <div className="stack">
          <WhereItStands dossier={dossier} />
          <EvidenceCard dossier={dossier} />
          <AnswerCard asking={asking} />
          <ProofCard operator={operator} />
        </div>
        {isOpen && <DecideCard dossier={dossier} choices={CHOICES} />}
      </div>
    </Page>
  );
}

/** One line: what is to be done, and by whom. */
function WhereItStands({ dossier }: Readonly<{ dossier: Dossier }>) {
  const { transfer, proposal, evidence, why } = dossier;
  const { person } = useSession();
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
    const isOwn = proposal.by.id === person.id;
    return (
      <Note tone="doubt">
        <p>
          <b>{isOwn ? texts.ownProposal.lead : texts.secondPerson.lead}</b>{' '}
          {isOwn
            ? texts.ownProposal.rest(operator)
            : texts.secondPerson.rest(proposal.by.name, decisions[proposal.decision], operator)}
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
        )}
      </p>
    </Note>
  );
}
