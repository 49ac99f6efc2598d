import { type ComponentProps, useState } from 'react';
import { Button } from './button.tsx';
import { Confirm } from './confirm.tsx';

type Given = Readonly<{ label: string; inactive: string | undefined }> &
  Omit<ComponentProps<typeof Confirm>, 'isDanger' | 'inactive' | 'onClose'>;

/** A button that asks before it takes something back. */
export function DangerAct({ label, inactive, ...question }: Given) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button kind="danger" inactive={inactive} onClick={() => setOpen(true)}>
        {label}
      </Button>
      {isOpen && <Confirm isDanger onClose={() => setOpen(false)} {...question} />}
    </>
  );
}
