import type { OpenProposal } from '../../api/staff-types.ts';

/** Who reads: whether they may decide about doubts at all. */
export type Reader = Readonly<{ id: string; mayResolve: boolean }>;

/** Who acts next on a proposal: the reader, or others, because it is the reader's own or the reader may not decide. */
export function whoseTurn({ by }: OpenProposal, reader: Reader): 'reader' | 'own' | 'others' {
  if (by.id === reader.id) return 'own';
  return reader.mayResolve ? 'reader' : 'others';
}
