import { formatClock } from '../format/format-time.ts';
import { Button } from '../parts/button.tsx';
import { Note } from '../parts/note.tsx';
import { shell } from '../texts/en/shell.ts';
import { usePreferences } from './preferences.ts';
import { useStreamState } from './stream.tsx';

export function OfflineBar() {
  const { state, tryNow } = useStreamState();
  const { timeZone } = usePreferences();
  if (state.kind !== 'lost') return null;
  return (
    <div className="offline" role="status">
      <Note
        tone="caution"
        action={
          <Button size="sm" onClick={tryNow}>
            {shell.offline.tryNow}
          </Button>
        }
      >
        <b>{shell.offline.title(formatClock(state.since, timeZone))}</b> {shell.offline.detail}
      </Note>
    </div>
  );
}
