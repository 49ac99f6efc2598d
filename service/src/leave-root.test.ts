import assert from 'node:assert/strict';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { BadConfig } from './config/config.ts';
import { StartRefused } from './config/start-refused.ts';
import { leaveRoot, type UserOfProcess } from './leave-root.ts';

const KAFUE = { name: 'kafue', uid: 4_321, gid: 4_322 };
const USERS = [{ name: 'root', uid: 0, gid: 0 }, KAFUE];
const PROGRAM = tmpdir();
const isRoot = process.getuid?.() === 0;
const needsRoot = isRoot ? {} : { skip: 'files can be given away only as root' };

/** A process that records the calls and changes nothing. */
function createProcess(uid: number) {
  let current = uid;
  const calls: string[] = [];
  const fake: UserOfProcess = {
    getuid: () => current,
    getgroups: () => [0],
    setgroups: (groups) => void calls.push(`setgroups ${groups.join()}`),
    initgroups: (name, gid) => void calls.push(`initgroups ${name} ${gid}`),
    setegid: (gid) => void calls.push(`setegid ${gid}`),
    seteuid: (euid) => void calls.push(`seteuid ${euid}`),
    setgid: (gid) => void calls.push(`setgid ${gid}`),
    setuid(to) {
      calls.push(`setuid ${to}`);
      current = to;
    },
  };
  return { fake, calls };
}

describe('a start as root', () => {
  let parent: string;
  let dataDir: string;
  let lines: string[] = [];

  beforeEach(() => {
    parent = mkdtempSync(join(tmpdir(), 'kafue-root-'));
    chmodSync(parent, 0o755);
    dataDir = join(parent, 'data');
    lines = [];
  });
  afterEach(() => rmSync(parent, { recursive: true }));

  function leave(runAs: string | undefined, uid = 0): readonly string[] {
    const { fake, calls } = createProcess(uid);
    const deps = { process: fake, users: USERS, say: (line: string) => void lines.push(line) };
    leaveRoot(deps, { runAs, dataDir, programDir: PROGRAM });
    return calls;
  }
  const giveToKafue = (path: string) => chownSync(path, KAFUE.uid, KAFUE.gid);
  const BECAME_KAFUE = ['initgroups kafue 4322', 'setgid 4322', 'setuid 4321'];

  it('stays root where the data folder is new or belongs to root, and says how to avoid that', () => {
    assert.deepEqual(leave(undefined), []);
    assert.equal(lines.length, 1);
    assert.match(lines[0] ?? '', /RUN_AS/);
    assert.equal(statSync(dataDir, { throwIfNoEntry: false }), undefined);
  });

  it('continues as the user of RUN_AS, who gets the new data folder', needsRoot, () => {
    assert.deepEqual(leave('kafue').slice(-3), BECAME_KAFUE);
    const { uid, gid } = statSync(dataDir);
    assert.deepEqual([uid, gid], [KAFUE.uid, KAFUE.gid]);
    assert.deepEqual(lines, []);
  });

  it(
    'restores what it changed for the check as that user, before the final change',
    needsRoot,
    () => {
      assert.deepEqual(leave('kafue').slice(0, -3), [
        'setgroups 4322',
        'setegid 4322',
        'seteuid 4321',
        'seteuid 0',
        'setegid 0',
        'setgroups 0',
      ]);
    },
  );

  it('refuses a data folder with files of another user, and names the command', needsRoot, () => {
    mkdirSync(dataDir);
    giveToKafue(dataDir);
    writeFileSync(join(dataDir, 'webhook-keys'), '');
    assert.throws(
      () => leave('kafue'),
      (error) =>
        error instanceof StartRefused &&
        error.message.includes(`chown -R kafue ${dataDir}`) &&
        error.message.includes('webhook-keys'),
    );
  });

  it('continues as the owner of the data folder and of all files in it', needsRoot, () => {
    mkdirSync(dataDir);
    writeFileSync(join(dataDir, 'demo.json'), '');
    giveToKafue(dataDir);
    giveToKafue(join(dataDir, 'demo.json'));
    assert.deepEqual(leave(undefined).slice(-3), BECAME_KAFUE);
    assert.match(lines.join(), /continues as user "kafue"/);
  });

  it('stays root where a file in that folder belongs to another user', needsRoot, () => {
    mkdirSync(dataDir);
    giveToKafue(dataDir);
    writeFileSync(join(dataDir, 'demo.json'), '');
    assert.deepEqual(leave(undefined), []);
    assert.match(lines.join(), /RUN_AS/);
  });

  it('refuses a RUN_AS that is unknown, root, or not possible', () => {
    for (const [runAs, uid] of [
      ['no-such-user', 0],
      ['root', 0],
      ['kafue', 1_000],
    ] as const) {
      assert.throws(
        () => leave(runAs, uid),
        (error) => error instanceof BadConfig && error.message.includes('RUN_AS'),
        runAs,
      );
    }
  });

  it('changes and prints nothing for an ordinary user', () => {
    assert.deepEqual(leave(undefined, 1_000), []);
    assert.deepEqual(leave('kafue', KAFUE.uid), []);
    assert.deepEqual(lines, []);
  });
});
