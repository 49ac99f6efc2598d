import { formatCount } from './format-table.ts';

const BAR_CHARS = 30;
/** Back to the beginning of the line, and empty it. */
const REWRITE = '\r\u001b[K';

export type Progress = Readonly<{
  show(done: number, detail: string): void;
  /** Moves to a new line of the terminal. */
  end(): void;
}>;

/** A bar that redraws itself on a terminal, a line for each change elsewhere; nothing where there is nothing to do. */
export function createProgress(
  write: (text: string) => void,
  { verb, total, isTerminal }: Readonly<{ verb: string; total: number; isTerminal: boolean }>,
): Progress {
  let isOpen = false;
  let last = '';
  return {
    show(done, detail) {
      const counts = `${formatCount(done)} of ${formatCount(total)}: ${detail}`;
      if (total === 0 || counts === last) return;
      last = counts;
      if (!isTerminal) {
        write(`${verb} ${counts}\n`);
        return;
      }
      const filled = Math.floor((BAR_CHARS * done) / Math.max(total, 1));
      const bar = '█'.repeat(filled) + '░'.repeat(BAR_CHARS - filled);
      write(`${REWRITE}${verb} ${bar} ${counts}`);
      isOpen = true;
    },
    end() {
      if (isOpen) write('\n');
      isOpen = false;
    },
  };
}
