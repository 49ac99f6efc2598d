import { useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import type { TeamInvitation } from '../../api/team-types.ts';
import { useBook, useBookKey } from '../../app/session.ts';
import { toast } from '../../parts/announce.tsx';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { StepUp } from '../../parts/step-up.tsx';
import { shell } from '../../texts/en/shell.ts';
import { team } from '../../texts/en/team.ts';

const texts = team.withdrawAsk;

type Given = Readonly<{ invitation: TeamInvitation; onClose: () => void }>;

export function WithdrawQuestion({ invitation, onClose }: Given) {
  const { merchant } = useBook();
  const key = useBookKey();
  const queries = useQueryClient();
  return (
    <Dialog title={texts.title(invitation.email)} onClose={onClose}>
      <StepUp
        title={shell.stepUp.title}
        actLabel={texts.act}
        isDanger
        aside={<Button onClick={onClose}>{texts.keep}</Button>}
        onAct={async () => {
          await call({
            method: 'DELETE',
            path: `/merchants/${merchant.id}/invitations/${invitation.id}`,
          });
          toast(texts.done);
          onClose();
          await queries.invalidateQueries({ queryKey: key('people') });
        }}
      >
        <p>{texts.detail}</p>
      </StepUp>
    </Dialog>
  );
}
