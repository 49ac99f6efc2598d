/** Returns a function that begins each act when the one before has ended, also when that one failed. */
export function oneAfterAnother(): <T>(act: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (act) => {
    const done = last.then(act);
    last = done.catch(() => undefined);
    return done;
  };
}
