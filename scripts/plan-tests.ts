import { basename } from 'node:path';
import { splitTests } from './split-tests.ts';

/** Files for each process that is shared: enough processes for every core to have something to do at the end. */
const SHARED_FILES_MAX = 60;

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
  'service/test/process/kill-nine.test.ts',
  'service/test/process/fairness.test.ts',
  'service/test/process/start.test.ts',
  'service/test/live/rate-limits.test.ts',
  'service/test/live/restore.test.ts',
];

type Group = Readonly<{ name: string; files: RegExp }>;

/** Their files wait one after the other for what happens later: they take longer than any other process. */
const CONTRACT: readonly Group[] = [
  { name: 'contract-1', files: /^service\/test\/contract\/[a-p]/ },
  { name: 'contract-2', files: /^service\/test\/contract\/[q-z]/ },
];

/**
 * These share a process, and with it the service and the browser that they open: see open-contract.ts, browser.ts
 * and, for the packed SDK, consumer-project.ts.
 * Files that start the service with settings of their own share the browser alone. The staff see all merchants, so the
 * screens of the staff, and the lists that hold for all merchants, have a service of their own.
 */
const GROUPS: readonly Group[] = [
  ...CONTRACT,
  {
    name: 'console-1',
    files:
      /^console\/test\/(?:account|approvals|browser|docs-page|files|limits|policy|schedules|sign-in|sign-in-page|slow-answers)\.test/,
  },
  {
    name: 'console-2',
    files:
      /^console\/test\/(?:developers|float|overview|pay|pay-again|pay-with-policy|team|transfers|wallets)\.test/,
  },
  { name: 'console-staff', files: /^console\/test\/staff-/ },
  { name: 'cli', files: /^cli\/[^/]+\.test/ },
  { name: 'packed-sdk', files: /^sdk\/test\/(?:consumers|readme)\.test/ },
];

export type TestProcess = Readonly<{ name: string; files: readonly string[] }>;

/** Which process runs which test files, in the order in which they start. */
export function planTests(root: string, files: readonly string[]): readonly TestProcess[] {
  const { alone, shared } = splitTests(root, files);
  const groups = GROUPS.map(({ name, files: these }) => ({
    name,
    files: alone.filter((file) => these.test(file)),
  }));
  const apart = alone.filter((file) => !groups.some((group) => group.files.includes(file)));
  const long = LONGEST.filter((file) => apart.includes(file));
  const short = apart.filter((file) => !long.includes(file));
  const used = groups.filter((group) => group.files.length > 0);
  const isFirst = ({ name }: TestProcess): boolean => CONTRACT.some((one) => one.name === name);
  return [
    ...used.filter(isFirst),
    ...long.map(ownProcess),
    ...used.filter((group) => !isFirst(group)),
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
