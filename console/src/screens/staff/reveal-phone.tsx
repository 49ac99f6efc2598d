import { useState } from 'react';
import { useInactive, useStaffAct } from '../../app/staff-api.ts';
import { toast } from '../../parts/announce.tsx';
import { Button } from '../../parts/button.tsx';
import { sayError } from '../../parts/failure.tsx';
import { Phone } from '../../parts/words.tsx';
import { doubt as texts } from '../../texts/en/doubt.ts';

/** The masked number, and a button that shows it in full; that it was shown is recorded. */
export function RevealPhone({
  transferId,
  masked,
}: Readonly<{ transferId: string; masked: string }>) {
  const act = useStaffAct();
  const inactive = useInactive();
  const [shown, setShown] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const reveal = async () => {
    setBusy(true);
    try {
      const { phone } = await act<{ phone: string }>({
        path: `/transfers/${transferId}/reveal-phone`,
      });
      setShown(phone);
      toast(texts.phone.shown, 'info');
    } catch (error) {
      toast(sayError(error), 'bad');
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <Phone phone={shown ?? masked} />
      {shown === undefined && (
        <Button
          kind="plain"
          size="sm"
          icon="eye"
          isBusy={isBusy}
          inactive={inactive('operations:read')}
          onClick={() => void reveal()}
        >
          {texts.phone.show}
        </Button>
      )}
    </>
  );
}
