import type { FaultPlan, LinkFault, SystemPlan } from './plan.ts';
import type { Calm, DrawnKind, PlanSize } from './plan-size.ts';
import type { Random } from './random.ts';

/** No fault happens before the clients have started. */
const FIRST_MIN_MS = 300;
const DOWN_MAX_MS = 1_000;
const PAUSE_MIN_MS = 100;
/** Longer than a client's timeout. */
const PAUSE_MAX_MS = 4_000;
const SHORT_PAUSE_MAX_MS = 2_000;
const LINK_FAULT_MIN_MS = 100;
const LINK_FAULT_MAX_MS = 1_500;
const HOUR_MS = 3_600_000;
const TEN_YEARS_MS = 10 * 365 * 24 * HOUR_MS;
const IDLE_SOCKETS_MAX = 300;
const REPEATS_MAX = 100;

type Kind = DrawnKind;
type Kinds = readonly [Kind, ...Kind[]];

const ANYWHERE: Kinds = [
  'kill service',
  'kill service',
  'kill service',
  'pause service',
  'pause service past its leases',
  'move clock',
  'pause everything',
  'kill postmaster',
  'kill backend',
  'pause postgres',
  'disk error',
  'hold wallets',
  'operator link',
  'operator link',
  'kill operator',
  'pause operator',
  'operator condition',
  'kill receiver',
  'repeat callbacks',
  'forge callbacks',
  'forge callbacks',
  'huge callbacks',
  'idle clients',
  'rude clients',
];
/** Faults that need a shared database. */
const WITH_SHARED: Kinds = [
  'database link',
  'database link',
  'database link',
  'stop service',
  'use up connections',
];

/** Drawn separately, so that the faults of existing seeds do not change. */
const FURTHER: Kinds = ['hold wallet', 'turn day', 'create endpoint', 'create endpoint'];
const FURTHER_MAX = 3;
/** In a calm seed: longer than the lock timeout of a group of orders. */
const CALM_HOLD_MIN_MS = 2_500;
const CALM_HOLD_MAX_MS = 4_500;
const STANDBY_MIN_MS = 300;
const WALLETS = 4;

const LINK_FAULTS: readonly [LinkFault, ...LinkFault[]] = [
  'cut',
  'refuse',
  'half-open',
  'delay',
  'slow',
  'drop answers',
  'drop answers',
  'cut answers',
];

/** The faults and their times. Faults may overlap: a server may be killed while the service restarts. */
export function makeFaults(
  random: Random,
  size: PlanSize,
  system: SystemPlan,
): readonly FaultPlan[] {
  const count = random.between(size.faultsMin, size.faultsMax);
  const all: Kinds = system.database === 'shared' ? [...ANYWHERE, ...WITH_SHARED] : ANYWHERE;
  const kinds = size.focus?.faults ?? all;
  const faults = Array.from({ length: count }, () => {
    const atMs = random.between(FIRST_MIN_MS, size.windowMs);
    return makeFault(random, { kind: random.pick(kinds), atMs, system });
  });
  if (system.smallDisk) {
    const atMs = random.between(FIRST_MIN_MS, Math.ceil(size.windowMs / 2));
    faults.push({ kind: 'fill disk', atMs, fullMs: random.between(500, SHORT_PAUSE_MAX_MS) });
  }
  return faults.sort((one, other) => one.atMs - other.atMs);
}

/** The separately drawn faults; none in a plan that is restricted to certain faults. */
export function makeFurtherFaults(
  random: Random,
  size: PlanSize,
  system: SystemPlan,
): readonly FaultPlan[] {
  if (size.focus?.faults !== undefined || size.faultsMax === 0) return [];
  const shared: readonly Kind[] = system.database === 'shared' ? ['lose standby'] : [];
  const routes: readonly Kind[] = system.secondAccount === null ? [] : ['change routes'];
  const kinds: Kinds = [...FURTHER, ...shared, ...routes];
  return Array.from({ length: random.between(0, FURTHER_MAX) }, () => {
    const atMs = random.between(FIRST_MIN_MS, size.windowMs);
    return makeFault(random, { kind: random.pick(kinds), atMs, system });
  });
}

/** The events of a calm seed: a new endpoint, and perhaps a locked wallet. */
export function makeCalmFaults(random: Random, calm: Calm): readonly FaultPlan[] {
  const holdMs = random.between(CALM_HOLD_MIN_MS, CALM_HOLD_MAX_MS);
  const wallet = random.between(0, WALLETS - 1);
  const hold: FaultPlan = { kind: 'hold wallet', atMs: FIRST_MIN_MS, wallet, holdMs };
  return [
    ...(calm === 'locked wallet' ? [hold] : []),
    { kind: 'create endpoint', atMs: 2 * FIRST_MIN_MS, mode: random.pick(['test', 'live']) },
  ];
}

type Drawn = Readonly<{ kind: Kind; atMs: number; system: SystemPlan }>;

function makeFault(random: Random, { kind, atMs, system }: Drawn): FaultPlan {
  const service = random.between(0, system.services - 1);
  const names = system.operators.map(({ name }) => name);
  const operator = names[random.between(0, names.length - 1)] ?? 'mtn';
  const forMs = random.between(LINK_FAULT_MIN_MS, LINK_FAULT_MAX_MS);
  switch (kind) {
    case 'kill service': {
      // Half of the restarts are immediate, so that the new process finds the old one's leases still valid.
      const downMs = random.chance(500) ? 0 : random.between(1, DOWN_MAX_MS);
      return { kind, atMs, service, downMs };
    }
    case 'stop service':
      return { kind, atMs, service };
    case 'pause service':
      return { kind, atMs, service, pauseMs: random.between(PAUSE_MIN_MS, PAUSE_MAX_MS) };
    case 'pause service past its leases':
      return { kind, atMs, service, pauseMs: random.between(500, SHORT_PAUSE_MAX_MS) };
    case 'move clock':
      return { kind, atMs, service, byMs: random.pick([HOUR_MS, -HOUR_MS, TEN_YEARS_MS]) };
    case 'kill postmaster':
    case 'huge callbacks':
    case 'rude clients':
      return { kind, atMs };
    case 'kill backend':
    case 'forge callbacks':
      return { kind, atMs, perMille: random.between(0, 999) };
    case 'pause postgres':
    case 'pause everything':
      return { kind, atMs, pauseMs: random.between(PAUSE_MIN_MS, SHORT_PAUSE_MAX_MS) };
    case 'fill disk':
      return { kind, atMs, fullMs: forMs };
    case 'disk error':
      return { kind, atMs, withinMs: forMs };
    case 'hold wallet': {
      const holdMs = random.between(PAUSE_MIN_MS, PAUSE_MAX_MS);
      return { kind, atMs, wallet: random.between(0, WALLETS - 1), holdMs };
    }
    case 'turn day':
      return { kind, atMs };
    case 'lose standby':
      return { kind, atMs, forMs: random.between(STANDBY_MIN_MS, LINK_FAULT_MAX_MS) };
    case 'change routes':
      return { kind, atMs, service, restart: random.chance(600), forMs };
    case 'create endpoint':
      return { kind, atMs, mode: random.pick(['test', 'live']) };
    case 'hold wallets':
    case 'use up connections':
      return { kind, atMs, holdMs: random.between(PAUSE_MIN_MS, SHORT_PAUSE_MAX_MS) };
    case 'database link':
      return { kind, atMs, condition: random.pick(LINK_FAULTS), forMs };
    case 'operator link':
      return { kind, atMs, operator, condition: random.pick(LINK_FAULTS), forMs };
    case 'kill operator':
      return { kind, atMs, operator, downMs: random.between(0, DOWN_MAX_MS) };
    case 'pause operator':
      return { kind, atMs, operator, pauseMs: random.between(PAUSE_MIN_MS, SHORT_PAUSE_MAX_MS) };
    case 'operator condition': {
      const condition = random.pick(['down', 'hang', 'slow'] as const);
      return { kind, atMs, operator, condition, forMs };
    }
    case 'kill receiver':
      return { kind, atMs, downMs: random.between(0, DOWN_MAX_MS) };
    case 'repeat callbacks':
      return { kind, atMs, perMille: random.between(0, 999), times: REPEATS_MAX };
    case 'idle clients':
      return { kind, atMs, sockets: random.between(50, IDLE_SOCKETS_MAX), forMs };
    default: {
      const unhandled: never = kind;
      throw new Error(`unhandled ${String(unhandled)}`);
    }
  }
}
