import type { ReactNode } from 'react';
import { shell } from '../texts/en/shell.ts';
import { Button } from './button.tsx';
import { CopyButton } from './copy-button.tsx';
import { Dialog } from './dialog.tsx';
import { Note } from './note.tsx';

type Given = Readonly<{
  title: string;
  /** What it is: "API key". */
  what: string;
  secret: string;
  /** What else is worth knowing. */
  children?: ReactNode;
  keptLabel?: string;
  onKept: () => void;
}>;

/** A secret that is shown this once: the dialog closes only by the button that says that it is kept. */
export function SecretOnce({ title, what, secret, children, keptLabel, onKept }: Given) {
  return (
    <Dialog title={title} isFirm onClose={onKept}>
      <div className="form">
        <Note tone="caution">{shell.secret.once}</Note>
        <div className="secret-once">
          <code className="break">{secret}</code>
          <CopyButton text={secret} what={what} />
        </div>
        {children}
        <div className="actions actions-end">
          <span />
          <Button kind="main" onClick={onKept}>
            {keptLabel ?? shell.secret.kept}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
