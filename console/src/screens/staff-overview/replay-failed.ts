/** One call sends at most 10,000 again; more than this many calls are left to the reader. */
const CALLS_MAX = 20;

type Answer = Readonly<{ replayed: number; nextFrom: string | null }>;

/** Sends everything that failed once more, call after call. `isWhole` false: more is left. */
export async function replayFailed(
  call: (body: Readonly<{ from?: string }>) => Promise<Answer>,
): Promise<Readonly<{ replayed: number; isWhole: boolean }>> {
  let answer = await call({});
  let { replayed } = answer;
  for (let calls = 1; calls < CALLS_MAX && answer.nextFrom !== null; calls += 1) {
    answer = await call({ from: answer.nextFrom });
    replayed += answer.replayed;
  }
  return { replayed, isWhole: answer.nextFrom === null };
}
