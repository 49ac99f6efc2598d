import { Fragment } from 'react';
import { Sums } from '../../parts/amount.tsx';
import { ModeWord } from '../../parts/words.tsx';
import { sumByMode } from './sum-by-mode.ts';

/** The sums of live and of test money, each with its word. */
export function ModeSums({ items }: Readonly<{ items: Parameters<typeof sumByMode>[0] }>) {
  return sumByMode(items).map(({ mode, sums }, index) => (
    <Fragment key={mode}>
      {index > 0 && ', '}
      <ModeWord mode={mode} /> <Sums sums={sums} />
    </Fragment>
  ));
}
