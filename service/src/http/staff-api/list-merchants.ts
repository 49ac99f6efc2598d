import { AdminRefused } from '../../domain/admin-refused.ts';
import { type StoredKey, standingOf } from '../../merchants/find-key.ts';
import { findMerchant } from '../../merchants/find-merchant.ts';
import { listKeys } from '../../merchants/list-keys.ts';
import { listMerchants } from '../../merchants/list-merchants.ts';
import { listWallets } from '../../merchants/list-wallets.ts';
import { listMembers } from '../../people/list-members.ts';
import type { Queryable } from '../../postgres/database.ts';
import { findInAny, mergePages } from '../../postgres/merge-pages.ts';
import { pathParameter } from '../schemas/staff-fields.ts';
import { MerchantDossier, MerchantList } from '../schemas/staff-merchant-schema.ts';
import { renderMerchant, renderStaffWallet } from './render-staff.ts';
import type { StaffDeps } from './staff-deps.ts';
import { staffOperation } from './staff-operation.ts';

const MERCHANTS_LISTED_MAX = 1_000;

export function listMerchantsOperation({ databases, now }: Pick<StaffDeps, 'databases' | 'now'>) {
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
      const { items, more } = await mergePages(databases, {
        limit: MERCHANTS_LISTED_MAX,
        read: async (database) => (await listMerchants({ database, now })).merchants,
        compare: (a, b) => a.name.toLowerCase().localeCompare(b.name.toLowerCase()),
      });
      return {
        status: 200,
        message: 'Merchants listed',
        data: {
          items: items.map(({ liveKeys, wallets, ...merchant }) => ({
            ...renderMerchant(merchant),
            liveKeys,
            wallets,
          })),
          more,
        },
      };
    },
  });
}

export function getMerchantOperation(deps: Pick<StaffDeps, 'databases' | 'database' | 'now'>) {
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
      data: { 200: MerchantDossier },
    },
    async handle({ params }) {
      const id = params['id'] ?? '';
      const found = await findInAny(deps.databases, (database) => readDossier(database, id, deps));
      if (found === undefined) throw new AdminRefused('MERCHANT_NOT_FOUND', {});
      const people = await listMembers(deps.database, { merchantId: found.id });
      return { status: 200, message: 'Merchant found', data: { ...found, people } };
    },
  });
}

async function readDossier(database: Queryable, id: string, { now }: Pick<StaffDeps, 'now'>) {
  const merchant = await findMerchant(database, id).catch((error: unknown) => {
    if (error instanceof AdminRefused) return undefined;
    throw error;
  });
  if (merchant === undefined) return undefined;
  const { wallets } = await listWallets(database, { merchantId: merchant.id });
  const { keys } = await listKeys(database, merchant.id);
  return {
    ...renderMerchant(merchant),
    wallets: wallets.map(renderStaffWallet),
    keys: keys.map((key) => renderStoredKey(key, now())),
  };
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
