import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { hasCode } from '../../api/api-error.ts';
import type { Recipient } from '../../api/money-types.ts';
import type { Page as ListPage } from '../../api/page.ts';
import type { Transfer } from '../../api/types.ts';
import { useBookApi } from '../../app/book-api.ts';
import { Page } from '../../app/page.tsx';
import { useBook, useBookKey } from '../../app/session.ts';
import { Amount } from '../../parts/amount.tsx';
import { Card, Facts } from '../../parts/card.tsx';
import { PartFailed } from '../../parts/failure.tsx';
import { LoadingRows } from '../../parts/loading.tsx';
import { Note } from '../../parts/note.tsx';
import { RowLink } from '../../parts/row-link.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { Id, Operator, Phone, StatePill } from '../../parts/words.tsx';
import { placeNames } from '../../texts/en/places.ts';
import { recipients as texts } from '../../texts/en/recipients.ts';
import { AccountName, NameMatch } from './name-match.tsx';

export default function RecipientScreen() {
  const { recipientId } = useParams({ strict: false }) as { recipientId?: string };
  const api = useBookApi();
  const key = useBookKey();
  const book = useBook();
  const found = useQuery({
    queryKey: key('recipients', recipientId),
    queryFn: ({ signal }) =>
      api<Recipient>({ path: `/transfer-recipients/${recipientId}`, signal }),
  });
  const recipient = found.data;
  const crumbs = [
    <Link key="list" to={`/b/${book.id}/recipients`}>
      {placeNames.recipients}
    </Link>,
  ];
  const title = recipient?.accountName ?? recipient?.suppliedAccountName ?? texts.one.title;
  return (
    <Page title={title} crumbs={crumbs}>
      {recipient !== undefined ? (
        <div className="grid g-main-side">
          <Payouts recipient={recipient} />
          <WhoCard recipient={recipient} />
        </div>
      ) : (
        <Card>
          {hasCode(found.error, 'RECIPIENT_NOT_FOUND') ? (
            <div className="card-pad">
              <Note tone="info">{texts.one.gone}</Note>
            </div>
          ) : found.isError ? (
            <PartFailed error={found.error} onRetry={() => void found.refetch()} />
          ) : (
            <LoadingRows />
          )}
        </Card>
      )}
    </Page>
  );
}

function WhoCard({ recipient }: Readonly<{ recipient: Recipient }>) {
  const { nameMatch } = recipient;
  return (
    <Card title={texts.one.facts} isPadded>
      <Facts
        facts={[
          [texts.phone, <Phone key="phone" phone={recipient.phone} />],
          [
            texts.one.operator,
            <Operator key="operator" operator={recipient.operator} country={recipient.country} />,
          ],
          [texts.atOperator, <AccountName key="name" recipient={recipient} />],
          [
            texts.supplied,
            recipient.suppliedAccountName ?? (
              <span key="given" className="faint">
                {texts.noName}
              </span>
            ),
          ],
          [texts.match, <NameMatch key="match" match={nameMatch} />],
          [texts.added, <Time key="added" at={recipient.createdAt} />],
          [texts.one.id, <Id key="id" id={recipient.id} whole what={texts.one.id} />],
        ]}
      />
      {nameMatch !== null && nameMatch !== 'match' && (
        <div className="mt">
          <Note tone={nameMatch === 'close' ? 'caution' : 'bad'}>
            {texts.matches[nameMatch].help}
          </Note>
        </div>
      )}
    </Card>
  );
}

/** The latest payouts to the number, and when it was paid last: that may be longer ago than all of these. */
function Payouts({ recipient }: Readonly<{ recipient: Recipient }>) {
  const api = useBookApi();
  const key = useBookKey();
  const { id: bookId } = useBook();
  const query = { phone: recipient.phone, limit: 10 };
  const found = useQuery({
    queryKey: key('transfers', query),
    queryFn: ({ signal }) => api<ListPage<Transfer>>({ path: '/transfers', query, signal }),
  });
  const paidQuery = { phone: recipient.phone, state: 'succeeded', limit: 1 };
  const lastPaid = useQuery({
    queryKey: key('transfers', paidQuery),
    queryFn: ({ signal }) =>
      api<ListPage<Transfer>>({ path: '/transfers', query: paidQuery, signal }),
  });
  const items = found.data?.items ?? [];
  const paid = lastPaid.data?.items[0];
  return (
    <Card
      title={texts.one.payouts}
      aside={
        lastPaid.data !== undefined &&
        (paid === undefined ? (
          texts.one.never
        ) : (
          <>
            {texts.one.lastPaid} <Time at={paid.completedAt ?? paid.updatedAt} />
          </>
        ))
      }
      foot={
        items.length === 0 ? undefined : (
          <Link to={`/b/${bookId}/transfers`} search={{ phone: recipient.phone }}>
            {texts.one.all}
          </Link>
        )
      }
    >
      {found.data === undefined ? (
        found.isError ? (
          <PartFailed error={found.error} onRetry={() => void found.refetch()} />
        ) : (
          <LoadingRows />
        )
      ) : items.length === 0 ? (
        <p className="card-pad pt-0 soft">{texts.one.noPayouts}</p>
      ) : (
        <Table
          caption={texts.one.payoutsCaption}
          columns={payoutColumns(bookId)}
          rows={items}
          idOf={({ id }) => id}
        />
      )}
    </Card>
  );
}

function payoutColumns(bookId: string): readonly Column<Transfer>[] {
  return [
    {
      key: 'time',
      head: texts.one.time,
      isSorted: true,
      fold: 'time',
      cell: ({ createdAt }) => <Time at={createdAt} />,
    },
    {
      key: 'reference',
      head: texts.one.reference,
      isRowHead: true,
      fold: 'main',
      cell: ({ id, reference }) => (
        <RowLink to={`/b/${bookId}/transfers/${id}`}>
          <code className="break">{reference}</code>
        </RowLink>
      ),
    },
    {
      key: 'state',
      head: texts.one.state,
      fold: 'state',
      cell: ({ state }) => <StatePill state={state} />,
    },
    {
      key: 'amount',
      head: texts.one.amount,
      isNumber: true,
      fold: 'num',
      cell: ({ currency, amount }) => <Amount currency={currency} amount={amount} />,
    },
  ];
}
