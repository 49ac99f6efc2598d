import { type ReactNode, useState } from 'react';
import { TextAreaField } from '../../parts/field.tsx';
import { merchant as texts } from '../../texts/en/merchants.ts';
import { ActDialog } from './act-dialog.tsx';

const REASON_LENGTH_MAX = 500;

type Given = Readonly<{
  title: string;
  actLabel: string;
  keepLabel?: string;
  isDanger?: boolean;
  needsStepUp?: boolean;
  inactive: string | undefined;
  /** What follows from it. */
  children: ReactNode;
  onAct: (reason: string) => Promise<unknown>;
  onClose: () => void;
}>;

/** An act that needs a reason for the record. */
export function ReasonDialog({ children, inactive, onAct, ...rest }: Given) {
  const [reason, setReason] = useState('');
  return (
    <ActDialog
      {...rest}
      inactive={inactive ?? (reason.trim() === '' ? texts.reasonFirst : undefined)}
      onAct={() => onAct(reason.trim())}
    >
      <TextAreaField
        label={texts.reason}
        help={texts.reasonHelp}
        maxLength={REASON_LENGTH_MAX}
        value={reason}
        onChange={setReason}
      />
      {children}
    </ActDialog>
  );
}
