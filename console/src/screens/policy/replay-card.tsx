import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import type { PolicyDraft, Replay } from '../../api/policy-types.ts';
import { useBookApi } from '../../app/book-api.ts';
import { usePreferences } from '../../app/preferences.ts';
import { useBook, useBookKey } from '../../app/session.ts';
import { formatCount } from '../../format/format-amount.ts';
import { formatTime } from '../../format/format-time.ts';
import { announce } from '../../parts/announce.tsx';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Refused } from '../../parts/failure.tsx';
import { Id } from '../../parts/words.tsx';
import { policy } from '../../texts/en/policy.ts';

const texts = policy.replay;

const REPLAY_DAYS = 30;
const DAY_MS = 86_400_000;
/** A million payouts take up to a minute. */
const REPLAY_TIMEOUT_MS = 120_000;

type Given = Readonly<{
  draft: PolicyDraft;
  version: number | null;
  inactive: string | undefined;
}>;

/** What the draft would have done with the payouts of the last 30 days, beside the version in force. */
export function ReplayCard({ draft, version, inactive }: Given) {
  const { run, stop, isRunning, error } = useReplay();
  const { replay } = draft;
  const { timeZone } = usePreferences();
  const say = (at: string) => formatTime(new Date(at), { now: new Date(), timeZone });
  return (
    <Card
      title={texts.title}
      {...(replay === null ? {} : { aside: texts.fromTo(say(replay.from), say(replay.to)) })}
      foot={
        <span className="actions">
          <Button size="sm" icon="replay" isBusy={isRunning} inactive={inactive} onClick={run}>
            {replay === null ? texts.act : texts.again}
          </Button>
          {isRunning && (
            <Button size="sm" kind="plain" onClick={stop}>
              {texts.stop}
            </Button>
          )}
        </span>
      }
    >
      <div className="card-pad pt-0">
        <p className="soft small" role="status">
          {isRunning
            ? texts.running
            : replay === null
              ? texts.none
              : texts.lead(replay.transfers, (version ?? 0) + 1)}
        </p>
        {replay?.isExact === false && <p className="help">{texts.notExact}</p>}
        {error !== undefined && <Refused error={error} />}
      </div>
      {replay !== null && <ReplayTable replay={replay} version={version} />}
      {replay !== null && <Samples replay={replay} />}
    </Card>
  );
}

function useReplay() {
  const api = useBookApi();
  const key = useBookKey();
  const queries = useQueryClient();
  const stopper = useRef<AbortController>(undefined);
  const [state, setState] = useState<Readonly<{ isRunning: boolean; error?: unknown }>>({
    isRunning: false,
  });
  const run = async () => {
    const stopping = new AbortController();
    stopper.current = stopping;
    setState({ isRunning: true });
    const to = new Date();
    const from = new Date(to.getTime() - REPLAY_DAYS * DAY_MS);
    try {
      await api({
        method: 'POST',
        path: '/policy/draft/replay',
        body: { from: from.toISOString(), to: to.toISOString() },
        signal: stopping.signal,
        timeoutMs: REPLAY_TIMEOUT_MS,
      });
      await queries.invalidateQueries({ queryKey: key('policy') });
      setState({ isRunning: false });
    } catch (error) {
      if (stopping.signal.aborted) announce(texts.stopped, 'assertive');
      setState(stopping.signal.aborted ? { isRunning: false } : { isRunning: false, error });
    }
  };
  return { ...state, run: () => void run(), stop: () => stopper.current?.abort() };
}

type Row = Readonly<{
  name: string;
  before: number | undefined;
  now: number;
  isLessGuarded: boolean;
}>;

function ReplayTable({ replay, version }: Readonly<{ replay: Replay; version: number | null }>) {
  const { inForce, transfers } = replay;
  const isBeside = inForce !== null && version !== null;
  const row = (name: 'approvals' | 'screened' | 'refused' | 'warned'): Row => ({
    name: texts.rows[name],
    before: isBeside ? inForce[name] : undefined,
    now: replay[name],
    isLessGuarded: isBeside && replay[name] < inForce[name],
  });
  const rows = [row('approvals'), row('screened'), row('refused'), row('warned')];
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className="table-wrap" role="region" aria-label={texts.region} tabIndex={0}>
      <table className="data" aria-label={texts.caption}>
        <thead>
          <tr>
            <th scope="col" className="rowhead">
              {texts.outcome}
            </th>
            {isBeside && (
              <th scope="col" className="num">
                {texts.version(version)}
              </th>
            )}
            <th scope="col" className="num">
              {texts.version((version ?? 0) + 1)}
            </th>
            {isBeside && (
              <th scope="col" className="num">
                {texts.change}
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, before, now, isLessGuarded }) => (
            <tr key={name}>
              <th scope="row" className="rowhead nowrap">
                {name}
              </th>
              {before !== undefined && <td className="num">{formatCount(before)}</td>}
              <td className="num">{formatCount(now)}</td>
              {before !== undefined && (
                <td className={isLessGuarded ? 'num bad-ink strong' : 'num'}>
                  {sayChange(now - before)}
                </td>
              )}
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{texts.all}</th>
            {isBeside && <td className="num">{formatCount(transfers)}</td>}
            <td className="num">{formatCount(transfers)}</td>
            {isBeside && <td />}
          </tr>
        </tfoot>
      </table>
    </div>
  );
}

function sayChange(change: number): string {
  if (change === 0) return '0';
  return change > 0 ? `+${formatCount(change)}` : `\u2212${formatCount(-change)}`;
}

/** A few payouts of each rule, to look at before it is published. */
function Samples({ replay: { byRule } }: Readonly<{ replay: Replay }>) {
  const { id } = useBook();
  const some = byRule.filter(({ samples }) => samples.length > 0);
  if (some.length === 0) return null;
  return (
    <details className="card-pad samples">
      <summary>{texts.show}</summary>
      {some.map(({ rule, samples }) => (
        <section key={rule} className="mt">
          <h3 className="small">{texts.samples(rule)}</h3>
          <ul className="list-plain">
            {samples.map((transferId) => (
              <li key={transferId}>
                <Link to={`/b/${id}/transfers/${transferId}`} target="_blank">
                  <Id id={transferId} />
                </Link>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </details>
  );
}
