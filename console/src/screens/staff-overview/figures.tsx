import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { StaffOverview } from '../../api/staff-types.ts';
import { Age } from '../../parts/time.tsx';
import { staffOverview } from '../../texts/en/staff-overview.ts';
import { states } from '../../texts/en/states.ts';
import { countFailing } from './count-failing.ts';
import { findOldest } from './find-oldest.ts';

const texts = staffOverview.figures;

/** What is wrong, in four figures; each leads to where it is mended. */
export function Figures({ overview }: Readonly<{ overview: StaffOverview }>) {
  const { doubts, incidents, webhooks } = overview;
  const oldest = findOldest(overview);
  const { endpoints, merchants, waiting } = countFailing(webhooks.failing);
  return (
    <div className="grid g4 g-tight">
      <Figure
        to="/staff/doubts"
        search={{ mode: 'live' }}
        word={texts.doubts}
        isDoubt={doubts.count > 0}
        detail={doubts.count === 0 ? texts.none : texts.needPerson(doubts.needPerson)}
      >
        {doubts.count}
      </Figure>
      <Figure
        to="/staff/transfers"
        search={oldest === undefined ? {} : { state: oldest.state, mode: oldest.mode }}
        word={texts.oldest}
        detail={
          oldest === undefined
            ? texts.noQueue
            : texts.queue(states[oldest.state].word, oldest.count)
        }
      >
        {oldest === undefined ? '–' : <Age since={oldest.oldestAt} />}
      </Figure>
      <Figure
        to="/staff/incidents"
        word={texts.incidents}
        detail={incidents.open === 0 ? texts.incidentsNone : texts.incidentsSome}
      >
        {incidents.open}
      </Figure>
      <Figure
        to="/staff/overview"
        hash="webhooks"
        word={texts.webhooks}
        detail={endpoints === 0 ? texts.webhooksNone : texts.webhooksSome(merchants, waiting)}
      >
        {endpoints}
      </Figure>
    </div>
  );
}

function Figure({
  to,
  search = {},
  hash,
  word,
  detail,
  isDoubt = false,
  children,
}: Readonly<{
  to: string;
  search?: Readonly<Record<string, string>>;
  hash?: string;
  word: string;
  detail: string;
  isDoubt?: boolean;
  children: ReactNode;
}>) {
  return (
    <Link
      className="card card-pad kpi"
      to={to}
      search={search}
      {...(hash === undefined ? {} : { hash })}
    >
      <span className="faint small">{word}</span>
      <span className={isDoubt ? 'huge doubt-ink' : 'huge'}>{children}</span>
      <span className="small soft">{detail}</span>
    </Link>
  );
}
