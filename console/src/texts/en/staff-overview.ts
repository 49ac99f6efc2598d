import { plural } from '../plural.ts';

const payouts = (count: number) => plural(count, { one: 'payout', other: 'payouts' });

export const staffOverview = {
  intro: (day: string) => `${day}, all merchants, live books`,
  figures: {
    doubts: 'In doubt',
    needPerson: (count: number) =>
      count === 0 ? 'none needs a person' : `${count} ${count === 1 ? 'needs' : 'need'} a person`,
    none: 'none',
    oldest: 'Oldest in a queue',
    queue: (state: string, count: number) => `${state}, ${payouts(count)}`,
    noQueue: 'nothing waits',
    incidents: 'Incidents open',
    incidentsNone: 'no contradictions',
    incidentsSome: 'close each with a note',
    webhooks: 'Webhooks failing',
    webhooksNone: 'all accept their events',
    webhooksSome: (merchants: number, events: number) =>
      `of ${plural(merchants, { one: 'merchant', other: 'merchants' })}, ${plural(events, { one: 'event waits', other: 'events wait' })}`,
  },
  operators: 'Operators',
  plots: {
    timeToPaid: 'Time to paid',
    perDay: 'per day (UTC), last 14 days',
    median: 'median',
    p99: '99th',
    today: 'median today',
    noneToday: 'none paid today',
    timeSentence: (median: string, p99: string) =>
      `Time to paid per day over 14 days. The last day with payouts has a median of ${median} and a 99th percentile of ${p99}.`,
    timeNone: 'Nothing was paid in the last 14 days.',
    doubts: 'Doubts opened and ended',
    opened: 'opened',
    ended: 'ended',
    openNow: 'open now',
    doubtSentence: (opened: number, ended: number) =>
      `Doubts per day over 14 days: ${opened} were opened and ${ended} ended in all.`,
  },
  queues: {
    title: 'Unfinished payouts',
    caption: 'Unfinished payouts by state and mode',
    state: 'State',
    mode: 'Mode',
    count: 'Payouts',
    oldest: 'Oldest',
    none: 'Nothing is unfinished.',
  },
  webhooks: {
    title: 'Webhooks failing',
    caption: 'Endpoints that do not accept their events',
    endpoint: 'Endpoint',
    merchant: 'Merchant',
    since: 'Failing for',
    waiting: 'Events wait',
    act: 'Action',
    replay: 'Send again…',
    replayOne: (url: string) => `Send again… to ${url}`,
    replayTitle: 'Send failed events again',
    replayDetail: (url: string) =>
      `Every event that failed is sent once more to ${url}. The merchant must be ready to see an event twice.`,
    replayAct: 'Send them again',
    replayed: (count: number) =>
      `${plural(count, { one: 'event is', other: 'events are' })} sent again.`,
    replayedSome: (count: number) =>
      `${plural(count, { one: 'event is', other: 'events are' })} sent again, and more have failed. Send again once more.`,
    disabled: 'disabled',
    replayDisabled: 'Nothing is sent to a disabled endpoint. Its merchant enables it first',
    never: '–',
    none: 'Every endpoint accepts its events.',
  },
  work: {
    title: 'Work for people',
    none: 'Nothing waits for people.',
    second: (name: string, decision: string) =>
      `Confirm or withdraw: ${name} says that ${decision}`,
    proposed: (name: string, decision: string) =>
      `Needs a second person: ${name} says that ${decision}`,
    takeBack: (name: string) => `Needs a second person: ${name} takes a funding back`,
    more: (count: number) =>
      plural(count, { one: 'more proposal waits for you', other: 'more proposals wait for you' }),
    others: (count: number) =>
      plural(count, {
        one: 'proposal waits for another person',
        other: 'proposals wait for another person',
      }),
    look: 'Look',
    open: 'Open',
    kinds: {
      doubts: (count: number) =>
        plural(count, { one: 'doubt needs a person', other: 'doubts need a person' }),
      incidents: (count: number) =>
        plural(count, { one: 'incident is open', other: 'incidents are open' }),
      webhooks: (count: number) =>
        plural(count, { one: 'webhook endpoint fails', other: 'webhook endpoints fail' }),
      floats: (count: number) => plural(count, { one: 'float is low', other: 'floats are low' }),
      routes: (count: number) =>
        plural(count, { one: 'route is not open', other: 'routes are not open' }),
    },
    details: {
      doubts: 'The operator cannot or does not answer; two people decide by proof',
      incidents: 'Something contradicts what is recorded',
      webhooks: 'Merchants do not hear what became of their payouts',
      floats: 'Payouts fail once an account with an operator is empty: top it up',
      routes: 'Payouts wait or take another route',
    },
  },
} as const;
