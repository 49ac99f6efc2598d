/**
 * A separate process for the tests of the embedded PostgreSQL: opens it, reports the result as one line of JSON, and
 * closes it once its input ends.
 */
import { openEmbeddedPostgres } from '../../src/postgres/embedded/open-embedded-postgres.ts';

const [dataDir = '', role = '', description = ''] = process.argv.slice(2);

function report(line: Record<string, unknown>): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

try {
  const said: string[] = [];
  const opened = await openEmbeddedPostgres(
    { say: (line) => said.push(line) },
    { dataDir, role: role === 'service' ? 'service' : 'admin', description },
  );
  report({ connectionString: opened.connectionString, reassigned: opened.reassigned, said });
  process.stdin.resume();
  process.stdin.once('end', () => void opened.close());
} catch (error) {
  report(error instanceof Error ? { refused: error.name, message: error.message } : {});
}
