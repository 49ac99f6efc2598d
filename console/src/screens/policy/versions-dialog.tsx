import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { PolicyAnswer, PolicyDocument } from '../../api/policy-types.ts';
import { useBookApi } from '../../app/book-api.ts';
import { useBookKey } from '../../app/session.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Time } from '../../parts/time.tsx';
import { policy as texts } from '../../texts/en/policy.ts';
import { RuleCard } from './rule-card.tsx';
import { usePolicyThings } from './use-policy.ts';

type Given = Readonly<{ history: PolicyAnswer['history']; onClose: () => void }>;

/** Every version that was in force, with the people who published it; one can be read. */
export function VersionsDialog({ history, onClose }: Given) {
  const [shown, setShown] = useState<number>();
  if (shown !== undefined) {
    return (
      <Dialog title={texts.versionLine(shown)} size="wide" onClose={onClose}>
        <div className="form">
          <OldVersion version={shown} />
          <div className="actions">
            <Button onClick={() => setShown(undefined)}>{texts.allVersions}</Button>
          </div>
        </div>
      </Dialog>
    );
  }
  return (
    <Dialog title={texts.versionsTitle} onClose={onClose}>
      {history.length === 0 ? (
        <p className="soft">{texts.noVersions}</p>
      ) : (
        <ol className="answers" reversed>
          {history.map(({ version, publishedAt, by }) => (
            <li key={version}>
              <span className="two">
                <button type="button" className="as-link" onClick={() => setShown(version)}>
                  {texts.versionLine(version)}
                </button>
                <small>{texts.byNames(by.map(({ name }) => name))}</small>
              </span>
              <Time at={publishedAt} />
            </li>
          ))}
        </ol>
      )}
    </Dialog>
  );
}

function OldVersion({ version }: Readonly<{ version: number }>) {
  const api = useBookApi();
  const key = useBookKey();
  const things = usePolicyThings();
  const found = useQuery({
    queryKey: key('policy', version),
    queryFn: ({ signal }) =>
      api<{ document: PolicyDocument }>({ path: `/policy/versions/${version}`, signal }),
    // A version never changes.
    staleTime: Number.POSITIVE_INFINITY,
    meta: { isList: true },
  });
  return (
    <Loaded found={found}>
      {({ document: { rules } }) =>
        rules.length === 0 ? (
          <p className="soft">{texts.noRules}</p>
        ) : (
          <ol className="rules">
            {rules.map((rule, index) => (
              <RuleCard
                key={rule.name}
                compared={{ kind: 'same', rule, before: undefined, index }}
                names={things}
                replay={null}
              />
            ))}
          </ol>
        )
      }
    </Loaded>
  );
}
