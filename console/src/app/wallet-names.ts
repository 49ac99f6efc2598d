import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Overview } from '../api/transfer-types.ts';
import type { Wallet } from '../api/types.ts';
import { wallets as texts } from '../texts/en/wallets.ts';
import { useBookApi } from './book-api.ts';
import { useBookKey } from './session.ts';

const FRESH_MS = 60_000;
const NO_WALLETS: readonly Wallet[] = [];

/** The names of the wallets of the book. The API returns them with the overview only, not with wallets. */
export function useWalletNames(): (wallet: Readonly<{ id: string; currency: string }>) => string {
  const named = useOverviewWallets();
  return ({ id, currency }) => named?.find((one) => one.id === id)?.name ?? texts.name(currency);
}

/** The same wallets with their names; the same list as long as neither changes. */
export function useNamedWallets(wallets: readonly Wallet[] | undefined): readonly Wallet[] {
  const named = useOverviewWallets();
  return useMemo(() => {
    const names = new Map(named?.map(({ id, name }) => [id, name]));
    return (wallets ?? NO_WALLETS).map((wallet) => {
      const name = names.get(wallet.id);
      return name === undefined ? wallet : { ...wallet, name };
    });
  }, [wallets, named]);
}

function useOverviewWallets() {
  const api = useBookApi();
  const key = useBookKey();
  return useQuery({
    queryKey: key('overview'),
    queryFn: ({ signal }) => api<Overview>({ path: '/overview', signal }),
    staleTime: FRESH_MS,
  }).data?.wallets;
}
