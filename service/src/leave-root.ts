import { chownSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { BadConfig } from './config/config.ts';
import { StartRefused } from './config/start-refused.ts';
import type { SystemUser } from './postgres/embedded/system-users.ts';

/** The user-related functions of the process; node has them only on systems with such users. */
export type UserOfProcess = Readonly<{
  getuid?: () => number;
  getgroups?: () => number[];
  setgroups?: (groups: readonly (string | number)[]) => void;
  initgroups?: (name: string, gid: number) => void;
  setegid?: (gid: number) => void;
  seteuid?: (uid: number) => void;
  setgid?: (gid: number) => void;
  setuid?: (uid: number) => void;
}>;

type LeaveRootDeps = Readonly<{
  process: UserOfProcess;
  users: readonly SystemUser[];
  say: (line: string) => void;
}>;

type Folders = Readonly<{
  runAs: string | undefined;
  dataDir: string;
  /** Must be readable after the change: the service reads migrations and modules from it. */
  programDir: string;
}>;

/**
 * Gives up root for good: for the user that RUN_AS names, or else for the ordinary user who owns the data folder.
 * Called before anything is opened. Where the process stays root, it prints how to avoid that.
 */
export function leaveRoot(deps: LeaveRootDeps, folders: Folders): void {
  const uid = deps.process.getuid?.();
  const { runAs } = folders;
  if (uid !== 0) {
    assertIsAlready(deps, { uid, runAs });
    return;
  }
  if (runAs === undefined) leaveForOwner(deps, folders);
  else leaveFor(deps, folders, findOrdinaryUser(deps.users, runAs));
}

function assertIsAlready(
  { users }: LeaveRootDeps,
  { uid, runAs }: Readonly<{ uid: number | undefined; runAs: string | undefined }>,
): void {
  if (runAs === undefined || users.some((user) => user.name === runAs && user.uid === uid)) return;
  throw new BadConfig(['RUN_AS can change the user only when the service is started as root.']);
}

function findOrdinaryUser(users: readonly SystemUser[], runAs: string): SystemUser {
  const user = users.find(({ name }) => name === runAs);
  if (user !== undefined && user.uid !== 0) return user;
  throw new BadConfig([
    'RUN_AS must be an ordinary user of this machine; "useradd --system kafue" makes one.',
  ]);
}

function leaveFor(deps: LeaveRootDeps, { dataDir, programDir }: Folders, user: SystemUser): void {
  if (!isThere(dataDir)) mkdirSync(dataDir, { recursive: true });
  if (readdirSync(dataDir).length === 0) chownSync(dataDir, user.uid, user.gid);
  const foreign = findForeign(dataDir, user.uid);
  if (foreign !== undefined) {
    throw new StartRefused(
      `RUN_AS is "${user.name}", and ${foreign} belongs to another user. Stop the service, run ` +
        `"chown -R ${user.name} ${dataDir}", and start again.`,
    );
  }
  const unreadable = findUnreadable(deps, user, [programDir, dataDir]);
  if (unreadable !== undefined) {
    throw new StartRefused(
      `RUN_AS is "${user.name}", who may not read ${unreadable}. Let that user pass through the ` +
        'folders above it (chmod o+x), or move it.',
    );
  }
  become(deps, user);
}

/** Only where the owner can certainly use the existing files: otherwise a start that used to work would fail. */
function leaveForOwner(deps: LeaveRootDeps, { dataDir, programDir }: Folders): void {
  const owner = isThere(dataDir) ? findOwner(deps.users, dataDir) : undefined;
  if (
    owner === undefined ||
    findForeign(dataDir, owner.uid) !== undefined ||
    findUnreadable(deps, owner, [programDir, dataDir]) !== undefined
  ) {
    deps.say(
      'Kafue runs as root, which it does not need: set RUN_AS to an ordinary user, and it gives up ' +
        'root at the start.',
    );
    return;
  }
  become(deps, owner);
  deps.say(`Started as root: continues as user "${owner.name}", who owns the data folder.`);
}

function findOwner(users: readonly SystemUser[], folder: string): SystemUser | undefined {
  const { uid, gid } = statSync(folder);
  if (uid === 0) return undefined;
  return users.find((user) => user.uid === uid) ?? { name: `uid ${uid}`, uid, gid };
}

/** The folder, or an entry directly in it, that does not belong to the user. */
function findForeign(folder: string, uid: number): string | undefined {
  const paths = [folder, ...readdirSync(folder).map((name) => join(folder, name))];
  return paths.find((path) => statSync(path, { throwIfNoEntry: false })?.uid !== uid);
}

/** Tests by reading as that user for a moment, because modes, ACLs and mounts all matter. */
function findUnreadable(
  { process }: LeaveRootDeps,
  user: SystemUser,
  folders: readonly string[],
): string | undefined {
  const groups = process.getgroups?.() ?? [];
  process.setgroups?.([user.gid]);
  process.setegid?.(user.gid);
  process.seteuid?.(user.uid);
  try {
    return folders.find((folder) => !isReadable(folder));
  } finally {
    process.seteuid?.(0);
    process.setegid?.(0);
    process.setgroups?.(groups);
  }
}

function isReadable(folder: string): boolean {
  try {
    readdirSync(folder);
    return true;
  } catch {
    return false;
  }
}

function isThere(folder: string): boolean {
  return statSync(folder, { throwIfNoEntry: false }) !== undefined;
}

/** Groups first: they cannot be changed without root. */
function become({ process, users }: LeaveRootDeps, user: SystemUser): void {
  if (users.includes(user)) process.initgroups?.(user.name, user.gid);
  else process.setgroups?.([user.gid]);
  process.setgid?.(user.gid);
  process.setuid?.(user.uid);
  if (process.getuid?.() !== user.uid) throw new Error('the user of the process did not change');
}
