import { Button } from '../../parts/button.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Note } from '../../parts/note.tsx';
import { merchant } from '../../texts/en/merchants.ts';

type Given = Readonly<{
  title: string;
  label: string;
  text: string;
  detail: string;
  onClose: () => void;
}>;

/** A secret or a link that is never shown again. */
export function ShownOnce({ title, label, text, detail, onClose }: Given) {
  return (
    <Dialog title={title} isFirm onClose={onClose}>
      <div className="form">
        <div className="field">
          <span className="label">{label}</span>
          <p>
            <code className="break">{text}</code>
            <CopyButton text={text} what={label} />
          </p>
        </div>
        <Note tone="caution">{detail}</Note>
        <div className="actions actions-end">
          <Button kind="main" onClick={onClose}>
            {merchant.keys.done}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
