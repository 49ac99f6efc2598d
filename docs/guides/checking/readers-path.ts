import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PROGRAM_NAMES, PROGRAMS, programFile } from '../../../scripts/program-file.ts';
import { volume } from '../../../scripts/test-volume.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/**
 * The path of a reader's shell: without the project's own Node.js in front. npm itself takes longer to start than
 * most of what the guides run by it, so outside of the full tests small scripts stand in for it.
 */
export async function readersPath(clone: string): Promise<string> {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const path = folders.filter((folder) => !folder.startsWith(ROOT)).join(delimiter);
  const hasStandIns = volume({ usual: true, full: false });
  return hasStandIns ? `${await writeStandIns(clone, path)}${delimiter}${path}` : path;
}

const RUN = /^node scripts\/run\.mjs (?:--\S+ )*(\S+\.ts)/;
const COMPILE_CACHE = process.env['NODE_COMPILE_CACHE'] ?? '';

/** The command with the program that this run has bundled, where it has. */
function bundled(command: string): string {
  return command.replace(RUN, (line, source: string) => {
    const file = programOf(source);
    if (file === undefined || file.endsWith('.ts')) return line;
    return `env 'NODE_COMPILE_CACHE=${COMPILE_CACHE}' node_modules/.bin/node '${file}'`;
  });
}

function programOf(source: string): string | undefined {
  const name = PROGRAM_NAMES.find((known) => PROGRAMS[known] === source);
  return name === undefined ? undefined : programFile(name);
}

/** They run what package.json says, and leave everything else to the npm and npx of the path. */
async function writeStandIns(clone: string, path: string): Promise<string> {
  const { scripts } = JSON.parse(await readFile(join(clone, 'package.json'), 'utf8')) as {
    scripts: Readonly<Record<string, string>>;
  };
  const cases = Object.entries(scripts).map(
    ([script, command]) =>
      `  ${script}) told '> ${script}' '> ${command}'; exec ${bundled(command)} "$@" ;;`,
  );
  const npm = `#!/usr/bin/env bash
given=("$@")
silent=
told() { [ -n "$silent" ] || printf '\\n%s\\n%s\\n\\n' "$@"; }
[ "\${1-}" != run ] || shift
if [ "\${1-}" = -s ]; then silent=1; shift; fi
script="\${1-}"
shift
if [ "\${1-}" = -- ]; then shift; elif [ $# -gt 0 ]; then script=; fi
case "$script" in
${cases.join('\n')}
esac
PATH='${path}' exec npm "\${given[@]}"
`;
  const npx = `#!/usr/bin/env bash
if [ "\${1-}" = node ]; then shift; exec node_modules/.bin/node "$@"; fi
PATH='${path}' exec npx "$@"
`;
  const folder = join(clone, 'data', 'bin');
  await mkdir(folder, { recursive: true });
  for (const [name, text] of Object.entries({ npm, npx })) {
    await writeFile(join(folder, name), text);
    await chmod(join(folder, name), 0o755);
  }
  return folder;
}
