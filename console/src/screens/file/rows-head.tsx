import { useId, useState } from 'react';
import type { PayoutFile } from '../../api/payout-file-types.ts';
import { files } from '../../texts/en/files.ts';
import type { RowView } from './use-rows.ts';

const texts = files.table;

type Given = Readonly<{
  file: PayoutFile;
  view: RowView;
  q: string;
  onView: (view: RowView) => void;
  onFind: (q: string) => void;
}>;

/** Which rows are shown. */
export function RowsHead({ file, view, q, onView, onFind }: Given) {
  const name = useId();
  const [typed, setTyped] = useState(q);
  return (
    <div className="card-head">
      <h2>{texts.title}</h2>
      <form
        className="find-row"
        role="search"
        onSubmit={(event) => {
          event.preventDefault();
          onFind(typed.trim());
        }}
      >
        <input
          type="search"
          className="input input-sm"
          aria-label={texts.find}
          placeholder={texts.find}
          maxLength={100}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
      </form>
      <div className="seg seg-sm" role="group" aria-label={texts.which}>
        {viewsOf(file, view).map(([value, label]) => (
          <label key={value}>
            <input
              type="radio"
              name={name}
              checked={value === view}
              onChange={() => onView(value)}
            />
            {label}
          </label>
        ))}
      </div>
    </div>
  );
}

function viewsOf(
  { state, counts }: PayoutFile,
  view: RowView,
): readonly (readonly [RowView, string])[] {
  const { rows, problems, warnings, dropped, refused } = counts;
  const isDraft = state === 'draft' || state === 'checking';
  const all: readonly (readonly [RowView, string, boolean])[] = [
    ['first', isDraft ? texts.first : texts.all(rows), true],
    ['correct', texts.correct(problems), isDraft],
    ['problems', texts.problems(problems + warnings), isDraft],
    ['all', texts.all(rows), isDraft],
    ['dropped', texts.dropped(dropped), dropped > 0],
    ['refused', texts.refused(refused), refused > 0],
  ];
  return all
    .filter(([value, , isShown]) => isShown || value === view)
    .map(([value, label]) => [value, label]);
}
