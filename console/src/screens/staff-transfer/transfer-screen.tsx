import type { UseQueryResult } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import type { Decision, Dossier } from '../../api/staff-types.ts';
import { Page } from '../../app/page.tsx';
import { askAnew, useStaffQuery } from '../../app/staff-api.ts';
import { formatSums } from '../../format/format-amount.ts';
import { Amount } from '../../parts/amount.tsx';
import { Button } from '../../parts/button.tsx';
import { Loaded, OldAnswer } from '../../parts/loaded.tsx';
import { ModeWord, Operator, StatePill } from '../../parts/words.tsx';
import { placeNames } from '../../texts/en/places.ts';
import { staffTransfers } from '../../texts/en/staff-transfers.ts';
import { AnswerCard, AskButton, useAsk } from '../staff/ask-operator.tsx';
import { DecideCard } from '../staff/decide-card.tsx';
import { RevealPhone } from '../staff/reveal-phone.tsx';
import { AttemptsCard } from '../transfer/attempts-card.tsx';
import { PostingsCard } from '../transfer/postings-card.tsx';
import { TimelineCard } from '../transfer/timeline-card.tsx';
import { WhyNote } from '../transfer/why-note.tsx';
import { CancelAct } from './cancel-act.tsx';
import { nameEntries } from './name-entries.ts';
import { EarlierCard, FactsCard, ProposalsCard } from './side-cards.tsx';

const texts = staffTransfers.page;
const RETURNED: readonly Decision[] = ['reversed'];

export default function StaffTransferScreen() {
  const { transferId = '' } = useParams({ strict: false });
  const found = useStaffQuery<Dossier>({ path: `/transfers/${transferId}` });
  const back = <Link to="/staff/transfers">{placeNames.transfers}</Link>;
  if (found.data === undefined) {
    return (
      <Page title={placeNames.transfer} crumbs={[back]}>
        <Loaded found={found} rows={6}>
          {() => null}
        </Loaded>
      </Page>
    );
  }
  return <OneTransfer key={found.data.transfer.id} dossier={found.data} found={found} />;
}

function OneTransfer({
  dossier,
  found,
}: Readonly<{ dossier: Dossier; found: UseQueryResult<Dossier> }>) {
  const { transfer } = dossier;
  const { merchant, currency, amount, mode, state } = transfer;
  const asking = useAsk(transfer.id);
  const [isReturned, setReturned] = useState(false);
  const sum = formatSums([{ currency, sum: amount }]);
  // What another person proposed is always in sight.
  const decides = state === 'succeeded' && (isReturned || dossier.proposal !== null);
  const why = whyOf(dossier);
  const entries = nameEntries(dossier.entries, currency);
  return (
    <Page
      title={`${placeNames.transfer} ${transfer.reference}`}
      head={
        <>
          <Amount currency={currency} amount={amount} />{' '}
          <span className="to">{texts.by(merchant.name)}</span>
        </>
      }
      intro={
        <span className="head-facts">
          <StatePill state={state} />
          <ModeWord mode={mode} />
          <span>
            <RevealPhone transferId={transfer.id} masked={transfer.phone} />
          </span>
          <span>
            <Operator operator={transfer.operator} country={transfer.country} />
          </span>
        </span>
      }
      crumbs={[
        <Link key="list" to="/staff/transfers">
          {placeNames.transfers}
        </Link>,
        `${merchant.name}, ${sum}`,
      ]}
      actions={
        <>
          {state === 'in_doubt' && (
            <Link className="btn btn-main" to={`/staff/doubts/${transfer.id}`}>
              {texts.toDoubt}
            </Link>
          )}
          {state === 'succeeded' && !decides && (
            <Button onClick={() => setReturned(true)}>{texts.returned}</Button>
          )}
          {(state === 'in_doubt' || state === 'submitted') && (
            <AskButton transfer={transfer} asking={asking} />
          )}
          {state === 'queued' && <CancelAct transfer={transfer} />}
        </>
      }
    >
      <OldAnswer found={found} />
      {why !== undefined && <WhyNote transfer={transfer} why={why} />}
      <div className="grid g-main-side">
        <div className="stack">
          <AnswerCard asking={asking} />
          <TimelineCard transfer={transfer} timeline={{ ...dossier, entries }} />
          <AttemptsCard transfer={transfer} entries={entries} />
          <PostingsCard entries={entries} />
        </div>
        <div className="stack">
          {decides && (
            <DecideCard dossier={dossier} choices={RETURNED} onLook={() => askAnew(found)} />
          )}
          <FactsCard transfer={transfer} />
          <ProposalsCard proposals={dossier.proposals} proposal={dossier.proposal} />
          <EarlierCard earlier={dossier.earlier} />
        </div>
      </div>
    </Page>
  );
}

/** What ended needs no line, except why it failed. */
function whyOf({ transfer, why }: Dossier): Dossier['why'] | undefined {
  if (transfer.failure !== null) return { ...why, line: transfer.failure.message };
  return transfer.completedAt === null ? why : undefined;
}
