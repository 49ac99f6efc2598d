import { basename } from 'node:path';
import { splitTests } from './split-tests.ts';

/** Files for each process that is shared: enough processes for every core to have something to do at the end. */
const SHARED_FILES_MAX = 40;

/**
 * Those that take longest, the longest first. They start first, because one that starts late goes on alone after
 * all others have ended.
 */
export const LONGEST: readonly string[] = [
  'docs/guides/guides.test.ts',
  'scripts/checks.test.ts',
  'service/test/live/conformance.test.ts',
  'faults/run-seed.test.ts',
  'service/src/postgres/embedded/cluster-place.test.ts',
  'service/test/live/live-chaos.test.ts',
  'service/test/process/webhooks.test.ts',
  'abuse/run-abuse.test.ts',
  'faults/simulation/simulation.test.ts',
  'docs/runbooks/in-doubt.test.ts',
  'console/test/transfers.test.ts',
  'console/test/staff-screens.test.ts',
  'console/test/developers.test.ts',
  'console/test/pay.test.ts',
  'console/test/overview.test.ts',
  'console/test/team.test.ts',
  'service/test/process/kill-nine.test.ts',
  'service/test/process/fairness.test.ts',
  'cli/pay.test.ts',
];

/** These pay through a service that the files of one process share: see open-contract.ts. */
const WITH_ONE_SERVICE = 'service/test/contract/';

export type TestProcess = Readonly<{ name: string; files: readonly string[] }>;

/** Which process runs which test files, in the order in which they start. */
export function planTests(root: string, files: readonly string[]): readonly TestProcess[] {
  const { alone, shared } = splitTests(root, files);
  const contract = alone.filter((file) => file.startsWith(WITH_ONE_SERVICE));
  const apart = alone.filter((file) => !contract.includes(file));
  const long = LONGEST.filter((file) => apart.includes(file));
  const short = apart.filter((file) => !long.includes(file));
  return [
    ...long.map(ownProcess),
    ...(contract.length > 0 ? [{ name: 'contract', files: contract }] : []),
    ...sharedProcesses(shared),
    ...short.map(ownProcess),
  ];
}

function ownProcess(file: string): TestProcess {
  return { name: `${file.split('/')[0]}-${basename(file, '.test.ts')}`, files: [file] };
}

/** Neighbours go to different processes: files of one folder take about as long as each other. */
function sharedProcesses(files: readonly string[]): readonly TestProcess[] {
  const count = Math.ceil(files.length / SHARED_FILES_MAX);
  return Array.from({ length: count }, (_, process) => ({
    name: `shared-${process + 1}`,
    files: files.filter((_, index) => index % count === process),
  }));
}
