import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Transfer } from '../../api/types.ts';
import { useBookApi } from '../../app/book-api.ts';
import { useInactive } from '../../app/may-act.ts';
import { useBook, useBookKey } from '../../app/session.ts';
import { addAmounts, formatSums } from '../../format/format-amount.ts';
import { Amount } from '../../parts/amount.tsx';
import { toast } from '../../parts/announce.tsx';
import { Button } from '../../parts/button.tsx';
import { Confirm } from '../../parts/confirm.tsx';
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
  const [isOpen, setOpen] = useState(false);
  const sum = formatSums([{ currency, sum: amount }]);
  return (
    <>
      <Button kind="danger" inactive={inactive} onClick={() => setOpen(true)}>
        {texts.act}
      </Button>
      {isOpen && (
        <Confirm
          title={texts.title}
          keepLabel={texts.keep}
          isDanger
          actLabel={shell.inTest(texts.button(sum), mode)}
          onClose={() => setOpen(false)}
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
        </Confirm>
      )}
    </>
  );
}
