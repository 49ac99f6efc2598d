/**
 * Files that `npm run test:slow` runs and `npm test` does not, which is to end within five minutes on two cores: together
 * they take longer than all others. Each needs a browser, starts the service or PostgreSQL again and again, or repeats at
 * length what other files hold in short. `.ci/run` runs both.
 */
const SLOW: readonly RegExp[] = [
  /^abuse\/run-abuse\.test\.ts$/,
  /^cli\/pay-again\.test\.ts$/,
  /^console\/test\/(?!first-load)/,
  /^docs\/(?:examples|generators\/docs-page\/examples|guides\/guides|runbooks\/(?:in-doubt|moving|restore)|scaling)\.test\.ts$/,
  /^faults\/(?:run-seed|simulation\/(?:found-bugs|taken-callbacks))\.test\.ts$/,
  /^sdk\/test\/(?:consumers|readme|readme-programs)\.test\.ts$/,
  /^service\/src\/admin\/main\.test\.ts$/,
  /^service\/src\/cells\/move\/(?:move-lock|move-merchant)\.test\.ts$/,
  /^service\/src\/postgres\/embedded\/(?:cluster-place|enter-server|open-embedded-postgres)\.test\.ts$/,
  /^service\/test\/live\/(?:hanging-operator|kept-contradiction|kept-credentials|live-chaos|metrics-of-routes|rate-limits|reference-memory|reload-routes|restore|signed-callbacks|stop-while-sending)\.test\.ts$/,
  /^service\/test\/process\/(?:cells|database-roles|demo|fairness|file-kills|floods|fresh-clone|kill-nine|locked-wallet|move-kills|npm-start|other-server|run-as|screening-kills|start|unsafe-database|webhook-fairness|webhooks)\.test\.ts$/,
];

export function isSlow(file: string): boolean {
  return SLOW.some((pattern) => pattern.test(file));
}

/** Patterns that name no file, for the test of this list. */
export function findUnused(files: readonly string[]): readonly RegExp[] {
  return SLOW.filter((pattern) => !files.some((file) => pattern.test(file)));
}
