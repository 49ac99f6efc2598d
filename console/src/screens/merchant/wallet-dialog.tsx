import type { StaffWallet } from '../../api/staff-types.ts';
import { FreezeDialog } from './freeze-dialog.tsx';
import { FundDialog } from './fund-dialog.tsx';
import { MarkDialog } from './mark-dialog.tsx';
import { TakeBackDialog } from './take-back-dialog.tsx';

export type Change = 'fund' | 'takeBack' | 'freeze' | 'unfreeze' | 'limit' | 'low';

type Given = Readonly<{ wallet: StaffWallet; change: Change; onClose: () => void }>;

/** The dialog of one change to a wallet. */
export function WalletDialog({ wallet, change, onClose }: Given) {
  const given = { wallet, onClose };
  switch (change) {
    case 'fund':
      return <FundDialog {...given} />;
    case 'takeBack':
      return <TakeBackDialog {...given} />;
    case 'limit':
    case 'low':
      return <MarkDialog {...given} mark={change} />;
    default:
      return <FreezeDialog {...given} />;
  }
}
