import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { hasCode } from '../api/api-error.ts';
import { call } from '../api/call.ts';
import type { Session, SteppedUp } from '../api/types.ts';
import { usePreferences } from '../app/preferences.ts';
import { SESSION_KEY, useSession } from '../app/session.ts';
import { formatClock } from '../format/format-time.ts';
import { shell } from '../texts/en/shell.ts';
import { ActEnd } from './act-end.tsx';
import { Button } from './button.tsx';
import { useKeepOpen } from './dialog.tsx';
import { useHalfTyped } from './half-typed.tsx';
import { Icon } from './icon.tsx';
import { passkey } from './passkey.ts';
import { isWholeCode, SecondFactorField } from './second-factor-field.tsx';

type Given = Readonly<{
  title: string;
  /** The `Says` box: what the second factor confirms. */
  children?: ReactNode;
  actLabel: string;
  isDanger?: boolean;
  inactive?: string | undefined;
  /** Another way out, at the left. */
  aside?: ReactNode;
  onAct: () => Promise<unknown>;
}>;

/** Until when the second factor holds; undefined: it must be shown again. */
function useSteppedUpUntil(): Date | undefined {
  const { steppedUpUntil } = useSession();
  if (steppedUpUntil === null) return undefined;
  const until = new Date(steppedUpUntil);
  return until.getTime() > Date.now() ? until : undefined;
}

/**
 * Asks for the second factor beside the thing that it confirms, then acts. Within five minutes of the last time it is
 * not asked again, and the box says until when.
 */
export function StepUp({
  title,
  children,
  actLabel,
  isDanger = false,
  inactive: reason,
  aside,
  onAct,
}: Given) {
  const halfTyped = useHalfTyped();
  const inactive = reason ?? halfTyped;
  const until = useSteppedUpUntil();
  const { timeZone } = usePreferences();
  const { hasSecondFactor } = useSession();
  const queries = useQueryClient();
  const [code, setCode] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [isAsked, setAsked] = useState(false);
  const [error, setError] = useState<unknown>();
  const isFresh = until !== undefined && !isAsked;
  const hasProof = isFresh || isWholeCode(code);
  useKeepOpen(isBusy);

  const run = async (prove: () => Promise<SteppedUp | undefined>) => {
    setBusy(true);
    setError(undefined);
    try {
      const proof = await prove();
      // At once: the next dialog would ask for a second factor again, until the session is loaded again.
      if (proof !== undefined) {
        queries.setQueryData<Session>(SESSION_KEY, (session) =>
          session === undefined ? session : { ...session, steppedUpUntil: proof.until },
        );
      }
      setAsked(false);
      await onAct();
    } catch (refusal) {
      if (hasCode(refusal, 'STEP_UP_REQUIRED')) setAsked(true);
      else setError(refusal);
    } finally {
      setCode('');
      setBusy(false);
      await queries.invalidateQueries({ queryKey: SESSION_KEY });
    }
  };
  const byCode = () =>
    run(async () =>
      isFresh
        ? undefined
        : call({ method: 'POST', path: '/session/step-up', body: { code: code.trim() } }),
    );
  return (
    <form
      className="step-up"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBusy && inactive === undefined && hasProof) void byCode();
      }}
    >
      <header>
        <Icon name="shield" />
        {title}
      </header>
      <div className="card-pad form">
        {children}
        {isFresh ? (
          <p className="help">{shell.stepUp.validUntil(formatClock(until, timeZone))}</p>
        ) : (
          <div className="step-row">
            <SecondFactorField code={code} onCode={setCode} />
            <span className="faint">{shell.stepUp.or}</span>
            <Button
              size="lg"
              icon="fingerprint"
              isBusy={isBusy}
              inactive={inactive}
              onClick={() => void run(() => passkey.stepUp())}
            >
              {shell.stepUp.passkey}
            </Button>
          </div>
        )}
        {!isFresh && !hasSecondFactor && <p className="help">{shell.stepUp.notYours}</p>}
        <ActEnd
          {...{ error, isBusy, aside, actLabel, isDanger }}
          inactive={inactive ?? (hasProof ? undefined : shell.stepUp.missing)}
        />
      </div>
    </form>
  );
}
