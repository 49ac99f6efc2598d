import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { hasCode } from '../../api/api-error.ts';
import type { Timeline } from '../../api/transfer-types.ts';
import type { Transfer } from '../../api/types.ts';
import { useBookApi } from '../../app/book-api.ts';
import { useKeys } from '../../app/keyboard.tsx';
import { Page } from '../../app/page.tsx';
import { useBook, useBookKey, useSession } from '../../app/session.ts';
import { formatPhone } from '../../format/format-phone.ts';
import { Amount } from '../../parts/amount.tsx';
import { toast } from '../../parts/announce.tsx';
import { Card } from '../../parts/card.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Empty } from '../../parts/empty.tsx';
import { PartFailed } from '../../parts/failure.tsx';
import { LoadingRows } from '../../parts/loading.tsx';
import { Operator, Phone, StatePill } from '../../parts/words.tsx';
import { placeNames } from '../../texts/en/places.ts';
import { transfer as texts } from '../../texts/en/transfer.ts';
import { lastListOf, neighboursOf } from '../transfers/last-list.ts';
import { ApprovalsPart } from './approvals-part.tsx';
import { AttemptsCard } from './attempts-card.tsx';
import { CancelAct } from './cancel-act.tsx';
import { PostingsCard } from './postings-card.tsx';
import { RecallAct } from './recall-act.tsx';
import { ScreeningsCard } from './screenings-card.tsx';
import { TimelineCard } from './timeline-card.tsx';
import { TransferSide } from './transfer-side.tsx';
import { WebhooksCard } from './webhooks-card.tsx';
import { WhyNote } from './why-note.tsx';

export default function TransferScreen() {
  const { transferId = '' } = useParams({ strict: false }) as { transferId?: string };
  const api = useBookApi();
  const key = useBookKey();
  const found = useQuery({
    queryKey: key('transfer', transferId),
    queryFn: ({ signal }) => api<Transfer>({ path: `/transfers/${transferId}`, signal }),
  });
  const back = useListLink();
  useListKeys(transferId, found.data, back);
  // Keyed by transfer, so that a typed reason or code is not carried over to the next one.
  if (found.data !== undefined) return <Found key={transferId} transfer={found.data} back={back} />;
  const isMissing = hasCode(found.error, 'TRANSFER_NOT_FOUND');
  return (
    <Page title={placeNames.transfer} crumbs={[<BackLink key="list" back={back} />]}>
      <Card>
        {isMissing ? (
          <Empty icon="search" title={texts.notFound} actions={<BackLink back={back} isButton />}>
            {texts.notFoundDetail}
          </Empty>
        ) : found.isError ? (
          <PartFailed error={found.error} onRetry={() => void found.refetch()} />
        ) : (
          <LoadingRows rows={6} />
        )}
      </Card>
    </Page>
  );
}

type Back = Readonly<{ to: string; search: Readonly<Record<string, string>> }>;

/** Back to the list as the reader left it. */
function useListLink(): Back {
  const book = useBook();
  return { to: `/b/${book.id}/transfers`, search: lastListOf(book.id)?.search ?? {} };
}

function BackLink({ back, isButton = false }: Readonly<{ back: Back; isButton?: boolean }>) {
  return (
    <Link to={back.to} search={back.search} {...(isButton ? { className: 'btn' } : {})}>
      {isButton ? texts.toList : placeNames.transfers}
    </Link>
  );
}

function useListKeys(id: string, transfer: Transfer | undefined, back: Back): void {
  const book = useBook();
  const navigate = useNavigate();
  const { newer, older } = neighboursOf(book.id, id);
  const go = (to: string) => void navigate({ to: `/b/${book.id}/transfers/${to}` });
  useKeys([
    ...(newer === undefined ? [] : [{ keys: '[', label: texts.keys.newer, act: () => go(newer) }]),
    ...(older === undefined ? [] : [{ keys: ']', label: texts.keys.older, act: () => go(older) }]),
    ...(transfer === undefined
      ? []
      : [
          {
            keys: 'c',
            label: texts.keys.copy,
            act: () =>
              void navigator.clipboard
                .writeText(transfer.reference)
                .then(() => toast(texts.copied, 'info')),
          },
        ]),
    { keys: 'escape', label: texts.keys.back, act: () => void navigate(back) },
  ]);
}

function Found({ transfer, back }: Readonly<{ transfer: Transfer; back: Back }>) {
  const api = useBookApi();
  const key = useBookKey();
  const { person } = useSession();
  const { id, currency, amount, phone, operator, country, reference, state } = transfer;
  const timeline = useQuery({
    queryKey: key('transfer', id, 'timeline'),
    queryFn: ({ signal }) => api<Timeline>({ path: `/transfers/${id}/timeline`, signal }),
  });
  const maker = transfer.approval?.maker;
  // What a key ordered can be recalled by every person who may pay.
  const mayRecall = maker?.kind !== 'person' || maker.id === person.id;
  const name = transfer.recipientName ?? formatPhone(phone);
  return (
    <Page
      title={`${reference} · ${placeNames.transfer}`}
      crumbs={[
        <BackLink key="list" back={back} />,
        <span key="this" className="break">
          {reference}
        </span>,
      ]}
      head={
        <>
          <Amount currency={currency} amount={amount} />{' '}
          <span className="to">{texts.to(name)}</span>
        </>
      }
      intro={
        <>
          <StatePill state={state} />
          {transfer.recipientName !== null && <Phone phone={phone} />}
          <span>
            <Operator operator={operator} country={country} />
          </span>
          <span>
            {texts.reference} <span className="id break">{reference}</span>
            <CopyButton text={reference} what={texts.referenceWord} />
          </span>
        </>
      }
      actions={
        state === 'awaiting_approval' && mayRecall ? (
          <RecallAct transfer={transfer} />
        ) : (
          <CancelAct transfer={transfer} />
        )
      }
    >
      {timeline.data !== undefined && <WhyNote transfer={transfer} why={timeline.data.why} />}
      <div className="grid g-main-side g-top">
        <div className="stack">
          {timeline.data === undefined ? (
            <Card title={texts.happened}>
              {timeline.isError ? (
                <PartFailed error={timeline.error} onRetry={() => void timeline.refetch()} />
              ) : (
                <LoadingRows rows={5} />
              )}
            </Card>
          ) : (
            <>
              <ApprovalsPart transfer={transfer} />
              <ScreeningsCard transfer={transfer} />
              <TimelineCard transfer={transfer} timeline={timeline.data} />
              <AttemptsCard transfer={transfer} entries={timeline.data.entries} />
              <PostingsCard entries={timeline.data.entries} />
              <WebhooksCard entries={timeline.data.entries} />
            </>
          )}
        </div>
        <TransferSide transfer={transfer} earlier={timeline.data?.earlier} />
      </div>
    </Page>
  );
}
