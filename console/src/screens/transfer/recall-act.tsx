import { useQueryClient } from '@tanstack/react-query';
import type { Transfer } from '../../api/types.ts';
import { useBookApi } from '../../app/book-api.ts';
import { useInactive } from '../../app/may-act.ts';
import { useBook, useBookKey } from '../../app/session.ts';
import { addAmounts, formatSums } from '../../format/format-amount.ts';
import { Amount } from '../../parts/amount.tsx';
import { toast } from '../../parts/announce.tsx';
import { DangerAct } from '../../parts/danger-act.tsx';
import { Says } from '../../parts/says.tsx';
import { approvals } from '../../texts/en/approvals.ts';
import { shell } from '../../texts/en/shell.ts';

const texts = approvals.recall;

/** Its maker takes back what still waits for approval. */
export function RecallAct({ transfer }: Readonly<{ transfer: Transfer }>) {
  const { id, currency, amount, fee, reference } = transfer;
  const { mode } = useBook();
  const api = useBookApi();
  const key = useBookKey();
  const queries = useQueryClient();
  const inactive = useInactive()('payouts:write');
  const sum = formatSums([{ currency, sum: amount }]);
  return (
    <DangerAct
      label={texts.act}
      inactive={inactive}
      title={texts.title}
      keepLabel={texts.keep}
      actLabel={shell.inTest(texts.button(sum), mode)}
      onAct={async () => {
        await api({ method: 'POST', path: `/transfers/${id}/recall` });
        toast(texts.done(sum));
        await queries.invalidateQueries({ queryKey: key('transfer', id) });
      }}
    >
      <Says lead={texts.lead}>
        <p className="strong">
          {texts.one} <Amount currency={currency} amount={amount} />{' '}
          <span className="id">{reference}</span>
        </p>
      </Says>
      <p>{texts.detail(formatSums([{ currency, sum: addAmounts([amount, fee]) }]))}</p>
    </DangerAct>
  );
}
