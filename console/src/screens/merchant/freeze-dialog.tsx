import type { StaffWallet } from '../../api/staff-types.ts';
import { useInactive, useStaffAct } from '../../app/staff-api.ts';
import { Amount } from '../../parts/amount.tsx';
import { toast } from '../../parts/announce.tsx';
import { Says } from '../../parts/says.tsx';
import { merchant } from '../../texts/en/merchants.ts';
import { ActDialog } from '../staff/act-dialog.tsx';

type Given = Readonly<{ wallet: StaffWallet; onClose: () => void }>;

/** Freezes a wallet that is active, unfreezes one that is frozen. */
export function FreezeDialog({ wallet, onClose }: Given) {
  const { id, name, currency, available, status } = wallet;
  const act = useStaffAct();
  const inactive = useInactive();
  const isFreeze = status === 'active';
  const texts = isFreeze ? merchant.freeze : merchant.unfreeze;
  return (
    <ActDialog
      title={texts.title(name)}
      actLabel={texts.do(name)}
      isDanger={isFreeze}
      inactive={inactive('merchants:write')}
      onClose={onClose}
      onAct={async () => {
        await act({ path: `/wallets/${id}/${isFreeze ? 'freeze' : 'unfreeze'}` });
        toast(texts.done(name));
      }}
    >
      <Says lead={texts.says} book={wallet}>
        <p className="big">
          {name}, <Amount currency={currency} amount={available} />
        </p>
        <p className="small">{texts.detail}</p>
      </Says>
    </ActDialog>
  );
}
