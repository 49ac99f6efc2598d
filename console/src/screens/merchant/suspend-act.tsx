import { useState } from 'react';
import type { Merchant } from '../../api/staff-types.ts';
import { useInactive, useStaffAct } from '../../app/staff-api.ts';
import { sumByCurrency } from '../../format/format-amount.ts';
import { Sums } from '../../parts/amount.tsx';
import { toast } from '../../parts/announce.tsx';
import { Button } from '../../parts/button.tsx';
import { ModeWord } from '../../parts/words.tsx';
import { merchant as texts } from '../../texts/en/merchants.ts';
import { ReasonDialog } from '../staff/reason-dialog.tsx';

/** Suspends a merchant, or lets it pay again; both with a reason. */
export function SuspendAct({ merchant }: Readonly<{ merchant: Merchant }>) {
  const act = useStaffAct();
  const inactive = useInactive();
  // What was asked, not what is possible now: another person may act while the question is open.
  const [asked, setAsked] = useState<'suspend' | 'resume'>();
  const { id, name, suspendedAt } = merchant;
  const possible = suspendedAt === null ? 'suspend' : 'resume';
  const isSuspend = asked === 'suspend';
  const words = texts[asked ?? possible];
  return (
    <>
      <Button
        kind={possible === 'suspend' ? 'danger' : 'main'}
        inactive={inactive('merchants:write')}
        onClick={() => setAsked(possible)}
      >
        {texts[possible].act}
      </Button>
      {asked !== undefined && (
        <ReasonDialog
          title={words.title(name)}
          actLabel={words.do(name)}
          isDanger={isSuspend}
          {...(isSuspend ? { keepLabel: texts.suspend.keep } : {})}
          inactive={inactive('merchants:write')}
          onClose={() => setAsked(undefined)}
          onAct={async (reason) => {
            await act({ path: `/merchants/${id}/${asked}`, body: { reason } });
            toast(words.done(name));
          }}
        >
          <Consequence merchant={merchant} detail={words.detail} />
        </ReasonDialog>
      )}
    </>
  );
}

/** It concerns both books, so it names both. */
function Consequence({ merchant, detail }: Readonly<{ merchant: Merchant; detail: string }>) {
  const held = sumByCurrency(
    merchant.wallets
      .filter(({ mode }) => mode === 'live')
      .map(({ currency, held: amount }) => ({ currency, amount })),
  );
  return (
    <div className="says says-live">
      <p className="small">
        <ModeWord mode="live" /> <ModeWord mode="test" /> {merchant.name}:
      </p>
      <p>{detail}</p>
      {held.length > 0 && (
        <p className="small">
          {texts.suspend.held}: <Sums sums={held} />
        </p>
      )}
    </div>
  );
}
