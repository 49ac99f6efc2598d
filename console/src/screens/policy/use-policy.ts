import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Screener } from '../../api/control-types.ts';
import type { ApiKey } from '../../api/developer-types.ts';
import type { Page } from '../../api/page.ts';
import type { PolicyAnswer, PolicyDocument, PolicyDraft } from '../../api/policy-types.ts';
import type { Wallet } from '../../api/types.ts';
import { useBookApi } from '../../app/book-api.ts';
import { oneAfterAnother } from '../../app/one-after-another.ts';
import { useBookKey, useMay } from '../../app/session.ts';
import { useNamedWallets } from '../../app/wallet-names.ts';
import { shortenId } from '../../format/format-id.ts';
import { nameOfWallet } from '../transfers/transfer-filters.ts';
import { createOwnSaves } from './own-saves.ts';
import type { PolicyNames } from './rule-sentence.ts';

export function usePolicy() {
  const api = useBookApi();
  const key = useBookKey();
  return useQuery({
    queryKey: key('policy'),
    queryFn: ({ signal }) => api<PolicyAnswer>({ path: '/policy', signal }),
    // Payouts do not change it.
    meta: { isList: true },
  });
}

/** Acts on the draft; each answer is seen on the whole page. */
export function usePolicyAct() {
  const api = useBookApi();
  const key = useBookKey();
  const queries = useQueryClient();
  const act = async <T>(given: Parameters<typeof api>[0]): Promise<T> => {
    try {
      return await api<T>(given);
    } finally {
      await queries.invalidateQueries({ queryKey: key('policy') });
    }
  };
  return {
    /** `read`: the draft that the document was made from, null for the first one. One that was changed is refused. */
    save: (document: PolicyDocument, read: PolicyDraft | null) =>
      act<PolicyDraft>({
        method: 'PUT',
        path: '/policy/draft',
        body: document,
        headers: read === null ? { 'if-none-match': '*' } : { 'if-match': `"${read.contentHash}"` },
      }),
    drop: ({ contentHash }: PolicyDraft) =>
      act({
        method: 'DELETE',
        path: '/policy/draft',
        headers: { 'if-match': `"${contentHash}"` },
      }),
    /** Publishes exactly the draft that is shown: the service refuses if it has changed since. */
    publish: ({ contentHash }: PolicyDraft) =>
      act({
        method: 'POST',
        path: '/policy/draft/publish',
        headers: { 'if-match': `"${contentHash}"` },
      }),
    confirm: ({ contentHash }: PolicyDraft) =>
      act({
        method: 'POST',
        path: '/policy/draft/confirm',
        headers: { 'if-match': `"${contentHash}"` },
      }),
  };
}

export type DraftChange = (document: PolicyDocument) => PolicyDocument;

/**
 * Changes the draft, one change after the other: each begins with what the one before left, although the screen may
 * not show it yet. A save that began from what was on the screen would take the save before it back. `read`: the hash
 * of the draft when the reader began the change. What another person changed since is not overwritten: it is refused.
 */
export function useDraftChange(): (change: DraftChange, read: string) => Promise<void> {
  const key = useBookKey();
  const queries = useQueryClient();
  const { save } = usePolicyAct();
  const [inTurn] = useState(oneAfterAnother);
  const [saves] = useState(createOwnSaves);
  return (change, read) =>
    inTurn(async () => {
      const draft = queries.getQueryData<PolicyAnswer>(key('policy'))?.draft;
      if (!draft) return;
      const contentHash = saves.lastSince(read);
      try {
        const saved = await save(change(draft.document), { ...draft, contentHash });
        saves.add(contentHash, saved.contentHash);
      } catch (error) {
        saves.clear();
        throw error;
      }
    });
}

export type PolicyThings = PolicyNames &
  Readonly<{
    wallets: readonly Readonly<{ id: string; name: string }>[];
    keys: readonly Readonly<{ id: string; name: string }>[];
    screeners: readonly string[];
  }>;

/** What rules can name: wallets, keys and screeners of the book. */
export function usePolicyThings(): PolicyThings {
  const api = useBookApi();
  const key = useBookKey();
  const may = useMay();
  const found = useQuery({
    queryKey: key('wallets', { limit: 100 }),
    queryFn: ({ signal }) => api<Page<Wallet>>({ path: '/wallets', query: { limit: 100 }, signal }),
    meta: { isList: true },
  }).data?.items;
  const wallets = useNamedWallets(found);
  const keys = useQuery({
    queryKey: key('keys'),
    queryFn: ({ signal }) => api<{ items: readonly ApiKey[] }>({ path: '/keys', signal }),
    enabled: may('keys:read'),
    meta: { isList: true },
  }).data?.items;
  const screeners = useQuery({
    queryKey: key('screeners'),
    queryFn: ({ signal }) => api<{ items: readonly Screener[] }>({ path: '/screeners', signal }),
    meta: { isList: true },
  }).data?.items;
  const named = {
    wallets: wallets.map((one) => ({ id: one.id, name: nameOfWallet(one) })),
    keys: (keys ?? []).map(({ id, name }) => ({ id, name })),
  };
  const currencies = new Set(wallets.map(({ currency }) => currency));
  return {
    ...named,
    screeners: (screeners ?? []).map(({ name }) => name),
    currency: currencies.size === 1 ? [...currencies][0] : undefined,
    nameOf: (id) =>
      [...named.wallets, ...named.keys].find((one) => one.id === id)?.name ?? shortenId(id),
  };
}
