import { useState } from 'react';
import { hasCode } from '../../api/api-error.ts';
import type { PayoutFile } from '../../api/payout-file-types.ts';
import type { Wallet } from '../../api/types.ts';
import { useBookApi } from '../../app/book-api.ts';
import { usePreferences } from '../../app/preferences.ts';
import { useBook } from '../../app/session.ts';
import { formatSums } from '../../format/format-amount.ts';
import { instantOf } from '../../format/zoned-time.ts';
import { Sums } from '../../parts/amount.tsx';
import { toast } from '../../parts/announce.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { TextField } from '../../parts/field.tsx';
import { Note } from '../../parts/note.tsx';
import { PaidWhen } from '../../parts/paid-when.tsx';
import { Says } from '../../parts/says.tsx';
import { files } from '../../texts/en/files.ts';
import { shell } from '../../texts/en/shell.ts';
import { outcomeOf } from '../files/file-state.tsx';
import { nameOfWallet } from '../transfers/transfer-filters.ts';
import { useRefreshFile } from './use-file.ts';

const texts = files.submit;

type Given = Readonly<{ file: PayoutFile; wallets: readonly Wallet[]; onClose: () => void }>;

/**
 * Repeats count and sum, and asks when to pay. Both stay as the reader saw them. If another person corrects rows
 * meanwhile, nothing is submitted, and the new figures are shown first.
 */
export function SubmitDialog({ file: latest, wallets, onClose }: Given) {
  const [file, setFile] = useState(latest);
  const api = useBookApi();
  const refresh = useRefreshFile();
  const { mode } = useBook();
  const { timeZone } = usePreferences();
  const [payAt, setPayAt] = useState('');
  const { id, version, walletId, currency, sum, total, counts } = file;
  const wallet = wallets.find((one) => one.id === walletId);
  const { payable } = outcomeOf(file);
  // An invalid time is sent unchanged: the service refuses it. Left out, the file would be paid at once.
  const at = payAt === '' ? undefined : (instantOf(payAt, timeZone)?.toISOString() ?? payAt);
  const sums = [{ currency: currency ?? '', sum }];
  return (
    <Confirm
      title={texts.title}
      keepLabel={texts.keep}
      actLabel={shell.inTest(texts.button(payable, formatSums(sums)), mode)}
      count={payable}
      onClose={onClose}
      onAct={async () => {
        try {
          await api({
            method: 'POST',
            path: `/payout-files/${id}/submit`,
            // Refused if another person has corrected rows since.
            body: { version, walletId, ...(at === undefined ? {} : { payAt: at }) },
          });
          toast(texts.done(payable, formatSums(sums)));
        } catch (error) {
          if (hasCode(error, 'CONTENT_CHANGED')) {
            setFile(await api<PayoutFile>({ path: `/payout-files/${id}` }));
          }
          throw error;
        } finally {
          await refresh();
        }
      }}
    >
      <Says lead={texts.lead}>
        <p className="big">
          <Sums sums={sums} /> <span className="thin">{texts.inCount(payable)}</span>
        </p>
        <p>
          <Sums sums={[{ currency: currency ?? '', sum: total }]} />{' '}
          {texts.withFees(wallet === undefined ? undefined : nameOfWallet(wallet))}
        </p>
        <PaidWhen at={at} lead={texts.paidAt} atOnce={texts.paidAtOnce} />
      </Says>
      {counts.warnings > 0 && <Note tone="caution">{texts.warnings(counts.warnings)}</Note>}
      <TextField
        label={texts.payAt}
        help={texts.payAtHelp}
        isOptional
        type="datetime-local"
        value={payAt}
        onChange={setPayAt}
      />
      <p className="soft">{texts.detail}</p>
    </Confirm>
  );
}
