import { access, chmod, constants, glob, mkdtemp, rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { removeEmbeddedPostgres } from '../service/src/postgres/embedded/remove-embedded-postgres.ts';
import { endProgramsIn } from './end-programs-in.ts';
import { availableBytes } from './fit-memory.mjs';

const GIB = 1_024 ** 3;
/** Linux keeps the files of this folder in memory. */
const FOLDER_IN_MEMORY = '/dev/shm';
/** A whole run has at most about 2 GiB of databases, browser profiles and a fresh clone at a time. */
const FREE_MIN_BYTES = 4 * GIB;
/** The programs of a run need the rest. */
const MEMORY_MIN_BYTES = 12 * GIB;

/**
 * Creates a folder for the temporary files of a run, in memory if the machine has enough of it. There a database is
 * created and dropped with a tenth of the CPU time and without waiting for a disk. PostgreSQL keeps its settings, and
 * its files are still there after it is killed.
 */
export async function createTemporaryFolder(): Promise<string> {
  if (await hasRoomInMemory()) {
    const folder = await createIn(FOLDER_IN_MEMORY);
    if (await allowsPrograms(folder)) return folder;
    await rm(folder, { recursive: true });
  }
  return createIn(tmpdir());
}

/** Removes it with all that is in it. A test that was stopped may have left programs and database servers: they end first. */
export async function removeTemporaryFolder(folder: string): Promise<void> {
  await endProgramsIn(folder);
  for await (const file of glob('{*,*/*,*/*/*}/postgres/postmaster.pid', { cwd: folder })) {
    await removeEmbeddedPostgres({ dataDir: join(folder, dirname(dirname(file))) });
  }
  await rm(folder, { recursive: true, force: true });
}

async function createIn(parent: string): Promise<string> {
  const folder = await mkdtemp(join(parent, 'kafue-run-'));
  // As root, the database server runs as another user.
  await chmod(folder, 0o1777);
  return folder;
}

async function hasRoomInMemory(): Promise<boolean> {
  if (availableBytes() < MEMORY_MIN_BYTES) return false;
  try {
    const { bavail, bsize } = await statfs(FOLDER_IN_MEMORY);
    return bavail * bsize >= FREE_MIN_BYTES;
  } catch {
    return false;
  }
}

/** Some systems forbid to run programs from there, and a fresh clone has some. */
async function allowsPrograms(folder: string): Promise<boolean> {
  const program = join(folder, 'program');
  try {
    await writeFile(program, '', { mode: 0o755 });
    await access(program, constants.X_OK);
    return true;
  } catch {
    return false;
  } finally {
    await rm(program, { force: true });
  }
}
