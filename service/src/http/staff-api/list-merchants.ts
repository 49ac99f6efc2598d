import { type StoredKey, standingOf } from '../../merchants/find-key.ts';
import { findMerchant } from '../../merchants/find-merchant.ts';
import { findMerchantPlace } from '../../merchants/find-merchant-place.ts';
import { listKeys } from '../../merchants/list-keys.ts';
import { listMerchants } from '../../merchants/list-merchants.ts';
import { listWalletsForStaff } from '../../merchants/list-wallets-for-staff.ts';
import { listMembers } from '../../people/list-members.ts';
import { readEmails } from '../../people/read-emails.ts';
import { pathParameter } from '../schemas/staff-fields.ts';
import { MerchantDetails, MerchantList } from '../schemas/staff-merchant-schema.ts';
import { renderMerchant, renderStaffWallet } from './render-staff.ts';
import type { StaffDeps } from './staff-deps.ts';
import { staffOperation } from './staff-operation.ts';

export function listMerchantsOperation(deps: Pick<StaffDeps, 'directory' | 'cells' | 'now'>) {
  return staffOperation({
    method: 'GET',
    path: '/merchants',
    operationId: 'listMerchants',
    permission: 'operations:read',
    readsPage: true,
    summary: 'List merchants',
    description: 'By name, with how many keys and wallets each has.',
    schema: { data: { 200: MerchantList } },
    async handle() {
      const { merchants, ...page } = await listMerchants(deps);
      return {
        status: 200,
        message: 'Merchants listed',
        data: {
          items: merchants.map(({ liveKeys, wallets, ...merchant }) => ({
            ...renderMerchant(merchant),
            liveKeys,
            wallets,
          })),
          ...page,
        },
      };
    },
  });
}

export function getMerchantOperation(deps: Pick<StaffDeps, 'directory' | 'cells' | 'now'>) {
  return staffOperation({
    method: 'GET',
    path: '/merchants/:id',
    operationId: 'getMerchant',
    permission: 'operations:read',
    readsPage: true,
    summary: 'Get a merchant with its books, wallets, keys and people',
    description: 'Keys are shown without their secrets, which are not stored.',
    schema: {
      params: pathParameter('id', 'The id of the merchant.'),
      data: { 200: MerchantDetails },
    },
    async handle({ params }) {
      const { directory, cells, now } = deps;
      const { id, cell } = await findMerchantPlace(directory, params['id'] ?? '');
      const { database } = cells.named(cell);
      const { wallets } = await listWalletsForStaff(database, { merchantId: id });
      const { keys } = await listKeys(directory, id);
      const members = await listMembers(directory, { merchantId: id });
      const emails = await readEmails(
        directory,
        members.map((member) => member.id),
      );
      const data = {
        ...renderMerchant(await findMerchant(database, id)),
        wallets: wallets.map(renderStaffWallet),
        keys: keys.map((key) => renderStoredKey(key, now())),
        people: members.map((member) => ({ ...member, email: emails.get(member.id) ?? null })),
      };
      return { status: 200, message: 'Merchant found', data };
    },
  });
}

export function renderStoredKey(key: StoredKey, now: Date) {
  const { merchantId: _id, merchant: _name, ...shown } = key;
  const standing = standingOf(key, now);
  return {
    ...shown,
    createdAt: key.createdAt.toISOString(),
    expiresAt: key.expiresAt?.toISOString() ?? null,
    revokedAt: key.revokedAt?.toISOString() ?? null,
    lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
    state: standing === 'live' ? 'active' : standing,
  };
}
