import { useIsMutating, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Page } from '../../api/page.ts';
import type { PayoutFile } from '../../api/payout-file-types.ts';
import type { Wallet } from '../../api/types.ts';
import { useBookApi } from '../../app/book-api.ts';
import { useInactive } from '../../app/may-act.ts';
import { useBookKey } from '../../app/session.ts';
import { useNamedWallets } from '../../app/wallet-names.ts';
import { Amount } from '../../parts/amount.tsx';
import { toast } from '../../parts/announce.tsx';
import { Button } from '../../parts/button.tsx';
import { sayError } from '../../parts/failure.tsx';
import { SelectField } from '../../parts/field.tsx';
import { useHalfTyped } from '../../parts/half-typed.tsx';
import { files } from '../../texts/en/files.ts';
import { wallets as walletTexts } from '../../texts/en/wallets.ts';
import { outcomeOf } from '../files/file-state.tsx';
import { SubmitDialog } from './submit-dialog.tsx';
import { useRefreshFile, useRowChangesKey } from './use-file.ts';

const texts = files.submit;

/** What would be held and what would be left, with the button that submits. Always in sight. */
export function SubmitFoot({ file }: Readonly<{ file: PayoutFile }>) {
  const may = useInactive()('payouts:write');
  const wallets = useWallets();
  const [isOpen, setOpen] = useState(false);
  const [chosen, setChosen] = useState<string>();
  const { currency, walletId, total, sum, fees } = file;
  const { payable } = outcomeOf(file);
  const isStoring = useIsMutating({ mutationKey: useRowChangesKey(file.id) }) > 0;
  const isUnstored = useHalfTyped() !== undefined;
  // The draft would be submitted with the wallet or the rows that it had before.
  const why = chosen !== undefined || isStoring ? texts.whyStoring : whyNot(file);
  const inactive = may ?? why ?? (isUnstored ? texts.whyUnstored : undefined);
  const possible = wallets.filter((wallet) => currency === null || wallet.currency === currency);
  const wallet = wallets.find(({ id }) => id === walletId);
  return (
    <div className="sticky-foot">
      <div className="two">
        {currency !== null && (
          <>
            <b>
              <Amount currency={currency} amount={total} />{' '}
              {wallet === undefined
                ? texts.heldSomewhere
                : texts.held(wallet.name ?? walletTexts.name(currency))}
            </b>
            <small>
              <Amount currency={currency} amount={sum} /> {texts.inPayouts(payable)}{' '}
              <Amount currency={currency} amount={fees} /> {texts.inFees}{' '}
              <Balance file={file} currency={currency} /> {texts.byPolicy}
            </small>
          </>
        )}
      </div>
      {(possible.length > 1 || walletId === null) && may === undefined && (
        <WalletField file={file} wallets={possible} chosen={chosen} onChoose={setChosen} />
      )}
      <div className="push foot-act">
        <Button kind="main" inactive={inactive} onClick={() => setOpen(true)}>
          {texts.act(payable)}
        </Button>
        {inactive !== undefined && (
          <p className="help" aria-hidden="true">
            {inactive}
          </p>
        )}
      </div>
      {isOpen && <SubmitDialog file={file} wallets={wallets} onClose={() => setOpen(false)} />}
    </div>
  );
}

function whyNot(file: PayoutFile): string | undefined {
  const { state, counts, wallet } = file;
  if (state === 'checking') return texts.whyChecking;
  if (counts.problems > 0) return texts.whyProblems(counts.problems);
  if (outcomeOf(file).payable === 0) return texts.whyNone;
  if (wallet === null) return texts.whyWallet;
  return wallet.status === 'frozen' ? texts.whyFrozen : undefined;
}

function Balance({ file: { wallet }, currency }: Readonly<{ file: PayoutFile; currency: string }>) {
  if (wallet === null) return null;
  const { left, leftToday, suffices } = wallet;
  if (left.startsWith('-')) {
    return (
      <span className="bad-ink strong">
        <Amount currency={currency} amount={left.slice(1)} /> {texts.short}
      </span>
    );
  }
  return (
    <>
      {texts.leaves} <Amount currency={currency} amount={left} /> {texts.available}
      {!suffices && leftToday !== null && (
        <span className="bad-ink strong">
          {' '}
          <Amount currency={currency} amount={leftToday} /> {texts.today}
        </span>
      )}
    </>
  );
}

function useWallets(): readonly Wallet[] {
  const api = useBookApi();
  const key = useBookKey();
  const query = { limit: 100 };
  const found = useQuery({
    queryKey: key('wallets', query),
    queryFn: ({ signal }) => api<Page<Wallet>>({ path: '/wallets', query, signal }),
  });
  return useNamedWallets(found.data?.items);
}

function WalletField({
  file: { id, walletId },
  wallets,
  chosen,
  onChoose,
}: Readonly<{
  file: PayoutFile;
  wallets: readonly Wallet[];
  /** Being stored. */
  chosen: string | undefined;
  onChoose: (walletId: string | undefined) => void;
}>) {
  const api = useBookApi();
  const refresh = useRefreshFile();
  const choose = async (wanted: string) => {
    if (wanted === '' || chosen !== undefined) return;
    onChoose(wanted);
    try {
      await api({ method: 'PUT', path: `/payout-files/${id}`, body: { walletId: wanted } });
    } catch (error) {
      toast(sayError(error), 'bad');
    } finally {
      await refresh();
      onChoose(undefined);
    }
  };
  return (
    <SelectField
      label={texts.wallet}
      value={chosen ?? walletId ?? ''}
      options={[
        ...(walletId === null ? [{ value: '', label: texts.chooseWallet }] : []),
        ...wallets.map((wallet) => ({
          value: wallet.id,
          label: wallet.name ?? walletTexts.name(wallet.currency),
        })),
      ]}
      onChange={(wanted) => void choose(wanted)}
    />
  );
}
