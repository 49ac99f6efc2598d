import type { ReactNode } from 'react';
import { Button } from '../../parts/button.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { StepUp } from '../../parts/step-up.tsx';
import { shell } from '../../texts/en/shell.ts';

type Given = Readonly<{
  title: string;
  actLabel: string;
  keepLabel?: string;
  isDanger?: boolean;
  /** Asks for the second factor, in the same box as what it confirms. */
  needsStepUp?: boolean;
  inactive?: string | undefined;
  children: ReactNode;
  /** Resolves to 'stay': the dialog shows what came of it and is closed by the reader. */
  onAct: () => Promise<unknown>;
  onClose: () => void;
}>;

/** A form that does one thing, with its second factor where one is needed. It stays open when it is refused. */
export function ActDialog(given: Given) {
  const { title, actLabel, keepLabel = shell.cancel, children, onAct, onClose } = given;
  const { isDanger = false, needsStepUp = false, inactive } = given;
  if (!needsStepUp) {
    return (
      <Confirm
        title={title}
        actLabel={actLabel}
        keepLabel={keepLabel}
        isDanger={isDanger}
        inactive={inactive}
        onAct={onAct}
        onClose={onClose}
      >
        {children}
      </Confirm>
    );
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <div className="act-dialog">
        <StepUp
          title={shell.stepUp.title}
          actLabel={actLabel}
          isDanger={isDanger}
          inactive={inactive}
          aside={<Button onClick={onClose}>{keepLabel}</Button>}
          onAct={async () => {
            if ((await onAct()) !== 'stay') onClose();
          }}
        >
          {children}
        </StepUp>
      </div>
    </Dialog>
  );
}
