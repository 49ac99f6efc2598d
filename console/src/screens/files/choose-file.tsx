import { useRef } from 'react';
import { useInactive } from '../../app/may-act.ts';
import { Button } from '../../parts/button.tsx';
import { files } from '../../texts/en/files.ts';

const TYPES = '.csv,.txt,.tsv,.xlsx';

type Given = Readonly<{
  label: string;
  isMain?: boolean;
  isBusy: boolean;
  onChoose: (given: FileList | null) => Promise<void>;
}>;

/** A button that opens the system's own choice of files. */
export function ChooseFile({ label, isMain = false, isBusy, onChoose }: Given) {
  const inactive = useInactive()('payouts:write');
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button
        {...(isMain ? { kind: 'main' } : {})}
        isBusy={isBusy}
        inactive={inactive}
        onClick={() => input.current?.click()}
      >
        {label}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        accept={TYPES}
        aria-label={files.upload.choose}
        onChange={({ target }) => {
          // The same file can be chosen again after it was corrected.
          void onChoose(target.files).finally(() => {
            target.value = '';
          });
        }}
      />
    </>
  );
}
