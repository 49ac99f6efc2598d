import { useState } from 'react';
import type { Inquiry, StaffTransfer } from '../../api/staff-types.ts';
import { useInactive, useStaffAct } from '../../app/staff-api.ts';
import { formatOperator } from '../../format/format-operator.ts';
import { announce } from '../../parts/announce.tsx';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Refused } from '../../parts/failure.tsx';
import { Raw } from '../../parts/raw.tsx';
import { Duration, Time } from '../../parts/time.tsx';
import { nameOutcome } from '../../texts/en/decisions.ts';
import { doubt as texts } from '../../texts/en/doubt.ts';

type Asked = Readonly<{ at: string; inquiry: Inquiry }>;

type Asking = Readonly<{
  asked: Asked | undefined;
  error: unknown;
  isBusy: boolean;
  ask: () => Promise<void>;
}>;

/** Asks the operator about a transfer, and keeps the answer as it came while the page is open. */
export function useAsk(transferId: string): Asking {
  const act = useStaffAct();
  const [asked, setAsked] = useState<Asked>();
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const ask = async () => {
    setBusy(true);
    setError(undefined);
    try {
      const inquiry = await act<Inquiry>({ path: `/transfers/${transferId}/inquire` });
      setAsked({ at: new Date().toISOString(), inquiry });
      announce(texts.answer.means(nameOutcome(inquiry.outcome)), 'assertive');
    } catch (refusal) {
      setError(refusal);
    } finally {
      setBusy(false);
    }
  };
  return { asked, error, isBusy, ask };
}

export function AskButton({
  transfer,
  asking,
}: Readonly<{ transfer: StaffTransfer; asking: Asking }>) {
  const inactive = useInactive();
  const canAsk = transfer.state === 'submitted' || transfer.state === 'in_doubt';
  return (
    <Button
      icon="replay"
      isBusy={asking.isBusy}
      inactive={inactive('transfers:inquire') ?? (canAsk ? undefined : texts.cannotAsk)}
      onClick={() => void asking.ask()}
    >
      {texts.ask(formatOperator(transfer.operator))}
    </Button>
  );
}

/** The operator's answer as it came, without secrets and with the number masked. */
export function AnswerCard({ asking }: Readonly<{ asking: Asking }>) {
  const { asked, error } = asking;
  if (error !== undefined) return <Refused error={error} />;
  if (asked === undefined) return null;
  const { answer, outcome } = asked.inquiry;
  return (
    <Card
      title={texts.answer.title}
      isPadded
      aside={
        <>
          <Time at={asked.at} />
          {answer !== null && (
            <>
              , {texts.answer.took('')}
              <Duration ms={answer.elapsedMs} />
            </>
          )}
        </>
      }
    >
      {answer === null ? (
        <p className="soft">{texts.answer.none}</p>
      ) : (
        <Raw
          label={texts.answer.region}
          text={[answer.request, answer.httpStatus ?? texts.answer.noStatus, answer.text].join(
            '\n',
          )}
        />
      )}
      <p className="soft mt">
        {texts.answer.means(nameOutcome(outcome))} {answer?.cause}
      </p>
    </Card>
  );
}
