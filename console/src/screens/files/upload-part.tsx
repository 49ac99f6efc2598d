import { useState } from 'react';
import { useInactive } from '../../app/may-act.ts';
import { Refused } from '../../parts/failure.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Note } from '../../parts/note.tsx';
import { files } from '../../texts/en/files.ts';
import { ChooseFile } from './choose-file.tsx';
import { useUpload } from './use-upload.ts';

const texts = files.upload;

/** A place to drop a file on, and a button to choose one. */
export function UploadPart() {
  const { isBusy, error, problem, upload } = useUpload();
  const inactive = useInactive()('payouts:write');
  const [isOver, setOver] = useState(false);
  return (
    <div className="stack mb">
      {/* Dropping is the second way: the button in it does the same by keys. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <section
        className={isOver && inactive === undefined ? 'drop-zone drop-over' : 'drop-zone'}
        aria-label={texts.act}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          // Else the browser would leave the page and show the file.
          event.preventDefault();
          setOver(false);
          if (inactive === undefined) void upload(event.dataTransfer.files);
        }}
      >
        <Icon name="file" />
        <p className="two">
          {isBusy ? texts.busy : texts.drop}
          <small>{texts.dropHelp}</small>
        </p>
        <ChooseFile label={texts.act} isMain isBusy={isBusy} onChoose={upload} />
      </section>
      {problem !== undefined && (
        <Note tone="caution" isAlert>
          {problem}
        </Note>
      )}
      {error !== undefined && <Refused error={error} title={texts.refused} hasFields />}
    </div>
  );
}
