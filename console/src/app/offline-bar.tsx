import { formatClock } from '../format/format-time.ts';
import { Button } from '../parts/button.tsx';
import { Note } from '../parts/note.tsx';
import { shell } from '../texts/en/shell.ts';
import { usePreferences } from './preferences.ts';
import { useStreamState } from './stream.tsx';

/** Shown while the stream is closed: says why, and that the page does not update itself. */
export function OfflineBar() {
  const { state, tryNow } = useStreamState();
  const { timeZone } = usePreferences();
  if (state.kind !== 'lost' && state.kind !== 'too many') return null;
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
        {state.kind === 'lost' ? (
          <>
            <b>{shell.offline.title(formatClock(state.since, timeZone))}</b> {shell.offline.detail}
          </>
        ) : (
          <>
            <b>{shell.tooManyTabs.title}</b> {shell.tooManyTabs.detail}
          </>
        )}
      </Note>
    </div>
  );
}
