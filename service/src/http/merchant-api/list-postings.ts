import { formatMinor } from '../../domain/money.ts';
import { refuse } from '../../domain/refusal.ts';
import { parseUuid } from '../../domain/uuid.ts';
import { listPostings, type Posting, type PostingQuery } from '../../ledger/list-postings.ts';
import { findWallet } from '../../ledger/read-wallets.ts';
import type { Queryable } from '../../postgres/database.ts';
import { idParameter } from '../schemas/id-parameter.ts';
import { PostingListQuery, PostingPage } from '../schemas/posting-schema.ts';
import type { ApiAnswer, ApiOperation, ApiRequest } from '../server/api-operation.ts';
import { CSV_CONTENT_TYPE, prefersCsv, toCsv } from './csv.ts';
import { createQueryReader, encodeCursor } from './read-page.ts';

export function listPostingsOperation({
  database,
}: Readonly<{ database: Queryable }>): ApiOperation {
  return {
    method: 'GET',
    path: '/wallets/:id/postings',
    operationId: 'listPostings',
    tag: 'Wallets',
    scope: 'read',
    permission: 'payouts:read',
    readsPage: true,
    summary: "Get a wallet's statement",
    description:
      'Every posting with the balances after it, newest first. With `Accept: text/csv` the same ' +
      'page comes as a CSV file with one line of column names, and the next cursor in the header ' +
      '`X-Next-Cursor`. A cell that a spreadsheet would run as a formula begins with an apostrophe.',
    schema: {
      params: idParameter('wallet'),
      querystring: PostingListQuery,
      data: { 200: PostingPage },
    },
    async handle(request) {
      const walletId = parseUuid(request.params.id ?? '') ?? NO_WALLET;
      const query = readPostingQuery(request, walletId);
      const wallet = await findWallet(database, { bookId: query.bookId, id: walletId });
      if (wallet === undefined) throw refuse('WALLET_NOT_FOUND');
      const page = await listPostings(database, query);
      const nextCursor =
        page.nextCursor === null ? null : encodeCursor(listOf(walletId), String(page.nextCursor));
      const items = page.items.map(renderPosting);
      if (prefersCsv(request.header('accept'))) return csvAnswer({ walletId, items, nextCursor });
      return {
        status: 200,
        message: 'Postings listed',
        data: { items, nextCursor },
        headers: { vary: 'Accept' },
      };
    },
  };
}

/** Replaces a malformed id, so that it is answered exactly like an unknown one. */
const NO_WALLET = '00000000-0000-0000-0000-000000000000';

/** Each wallet numbers its own postings, so the cursor of one wallet is invalid in another. */
function listOf(walletId: string): string {
  return `postings:${walletId}`;
}

function readPostingQuery({ caller, query }: ApiRequest, walletId: string): PostingQuery {
  const read = createQueryReader(query, Object.keys(PostingListQuery.properties));
  const values = read.checked({
    from: read.time('from'),
    to: read.time('to'),
    limit: read.limit(),
    before: read.cursor(listOf(walletId), parseSequence),
  });
  return { bookId: caller.book.id, walletId, ...values };
}

/** At most 18 digits, which always fit PostgreSQL's bigint. */
function parseSequence(text: string): bigint | undefined {
  return /^[1-9][0-9]{0,17}$/.test(text) ? BigInt(text) : undefined;
}

type RenderedPosting = ReturnType<typeof renderPosting>;

function renderPosting(posting: Posting) {
  return {
    sequence: Number(posting.sequence),
    kind: posting.kind,
    amount: formatMinor(posting.amountMinor),
    from: posting.fromAccount,
    to: posting.toAccount,
    availableAfter: formatMinor(posting.availableAfterMinor),
    heldAfter: formatMinor(posting.heldAfterMinor),
    currency: posting.currency,
    transferId: posting.transferId,
    reference: posting.reference,
    createdAt: posting.createdAt.toISOString(),
  };
}

const CSV_COLUMNS = [
  'sequence',
  'kind',
  'amount',
  'from',
  'to',
  'availableAfter',
  'heldAfter',
  'currency',
  'transferId',
  'reference',
  'createdAt',
] as const satisfies readonly (keyof RenderedPosting)[];

function csvAnswer(
  page: Readonly<{
    walletId: string;
    items: readonly RenderedPosting[];
    nextCursor: string | null;
  }>,
): ApiAnswer {
  const { walletId, items, nextCursor } = page;
  const rows = items.map((item) =>
    CSV_COLUMNS.map((column) => (item[column] === null ? null : String(item[column]))),
  );
  return {
    status: 200,
    contentType: CSV_CONTENT_TYPE,
    text: toCsv(CSV_COLUMNS, rows),
    headers: {
      'content-disposition': `attachment; filename="wallet-${walletId}-postings.csv"`,
      vary: 'Accept',
      ...(nextCursor === null ? {} : { 'x-next-cursor': nextCursor }),
    },
  };
}
