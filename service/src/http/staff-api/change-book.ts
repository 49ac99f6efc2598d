import { CURRENCIES } from '../../domain/money.ts';
import { refuse } from '../../domain/refusal.ts';
import { createWallet } from '../../merchants/create-wallet.ts';
import { type FoundBook, findBook } from '../../merchants/find-book.ts';
import { readName } from '../../merchants/read-name.ts';
import { setFees } from '../../merchants/set-fees.ts';
import { pathParameter } from '../schemas/staff-fields.ts';
import {
  CreatedWallet,
  SetFeesBody,
  StaffMerchant,
  WalletBody,
} from '../schemas/staff-merchant-schema.ts';
import { createStaffReader, readFees } from './read-staff-body.ts';
import { renderMerchant } from './render-staff.ts';
import { inCell, type StaffDeps } from './staff-deps.ts';
import { staffOperation } from './staff-operation.ts';

export const BOOK = pathParameter('id', 'The id of the book.');

/** The book that a path names. */
export async function requireBook({ directory }: StaffDeps, id = ''): Promise<FoundBook> {
  const book = await findBook(directory, id);
  if (book !== undefined) return book;
  throw refuse('BOOK_NOT_FOUND', {
    message: 'There is no book with this id. GET merchants/{id} lists those of a merchant.',
  });
}

export function setFeesOperation(deps: StaffDeps) {
  return staffOperation({
    method: 'PUT',
    path: '/books/:id/fees',
    operationId: 'setFees',
    permission: 'merchants:write',
    summary: 'Set what transfers of a book cost',
    description:
      'From now on. Stored transfers keep the fee they were given, and submitted payout files theirs.',
    schema: { params: BOOK, body: SetFeesBody, data: { 200: StaffMerchant } },
    async handle({ caller: { actor }, params, body = new Map() }) {
      const read = createStaffReader(body, Object.keys(SetFeesBody.properties));
      const { reason, ...feeTerms } = read.checked({
        ...readFees(read, ['fixed', 'percent']),
        reason: read.optionalStatement('reason'),
      });
      const { merchantId, mode, cell } = await requireBook(deps, params['id']);
      const inside = inCell(deps, deps.cells.named(cell));
      const request = { actor, merchant: merchantId, mode, feeTerms, reason };
      const merchant = await setFees(inside, request);
      return { status: 200, message: 'Fees set', data: renderMerchant(merchant) };
    },
  });
}

export function createStaffWalletOperation(deps: StaffDeps) {
  return staffOperation({
    method: 'POST',
    path: '/books/:id/wallets',
    operationId: 'createWallet',
    permission: 'merchants:write',
    summary: 'Create a wallet',
    description: 'Empty. A book may have several of one currency.',
    schema: { params: BOOK, body: WalletBody, data: { 201: CreatedWallet } },
    async handle({ caller: { actor }, params, body = new Map() }) {
      const read = createStaffReader(body, Object.keys(WalletBody.properties));
      const given = read.checked({
        currency: read.word('currency', CURRENCIES),
        name: read.text('name', (text) => readName(text, 'wallet')),
      });
      const { id: bookId, cell } = await requireBook(deps, params['id']);
      const inside = inCell(deps, deps.cells.named(cell));
      const { createdAt, ...wallet } = await createWallet(inside, { actor, bookId, ...given });
      const data = { ...wallet, createdAt: createdAt.toISOString() };
      return { status: 201, message: 'Wallet created', data };
    },
  });
}
