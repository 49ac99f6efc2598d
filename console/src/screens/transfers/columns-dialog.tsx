import { useState } from 'react';
import { changePreferences, type Density, usePreferences } from '../../app/preferences.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { CheckField, SegmentField } from '../../parts/field.tsx';
import { transfers as texts } from '../../texts/en/transfers.ts';
import { COLUMN_CHOICES } from './transfer-columns.tsx';

type Given = Readonly<{
  chosen: readonly string[];
  onChoose: (columns: readonly string[]) => void;
  onClose: () => void;
}>;

export function ColumnsDialog({ chosen, onChoose, onClose }: Given) {
  const { density } = usePreferences();
  const [draft, setDraft] = useState(chosen);
  const [rows, setRows] = useState<Density>(density);
  return (
    <Dialog title={texts.columns.title} onClose={onClose}>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          onChoose(COLUMN_CHOICES.filter((choice) => draft.includes(choice)));
          // The choice holds here also when it cannot be kept.
          if (rows !== density) changePreferences({ density: rows }).catch(() => undefined);
          onClose();
        }}
      >
        <div className="stack-s">
          {COLUMN_CHOICES.map((choice) => (
            <CheckField
              key={choice}
              label={texts[choice]}
              isChecked={draft.includes(choice)}
              onChange={(isOn) =>
                setDraft(isOn ? [...draft, choice] : draft.filter((one) => one !== choice))
              }
            />
          ))}
        </div>
        <SegmentField
          label={texts.columns.density}
          value={rows}
          onChange={(value) => setRows(value === 'compact' ? 'compact' : 'normal')}
          options={[
            { value: 'normal', label: texts.columns.normal },
            { value: 'compact', label: texts.columns.compact },
          ]}
        />
        <div className="actions actions-end">
          <Button onClick={onClose}>{texts.columns.cancel}</Button>
          <Button kind="main" type="submit">
            {texts.columns.apply}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
