import type { Some, TakeBack } from '../../api/staff-types.ts';

type Listed = Some<TakeBack> & Readonly<{ unansweredCells?: readonly string[] }>;

/**
 * What a click does: proposes, carries out the proposal of another person, or nothing if the proposal is the reader's.
 */
export type TakeBackStep =
  | Readonly<{ kind: 'propose' | 'unknown' }>
  | Readonly<{ kind: 'carryOut' | 'own'; takeBack: TakeBack }>;

type About = Readonly<{ walletId: string; fundingReference: string; myId: string; now: Date }>;

/** `unknown`: the list is not there, or is not whole. */
export function findStep(listed: Listed | undefined, about: About): TakeBackStep {
  const { walletId, fundingReference, myId, now } = about;
  const takeBack = listed?.items.find(
    (one) =>
      one.end === null &&
      one.walletId === walletId &&
      one.fundingReference === fundingReference &&
      Date.parse(one.expiresAt) > now.getTime(),
  );
  if (takeBack !== undefined) {
    return { kind: takeBack.proposedBy.id === myId ? 'own' : 'carryOut', takeBack };
  }
  const isWhole = listed !== undefined && !listed.more && !listed.unansweredCells?.length;
  return { kind: isWhole ? 'propose' : 'unknown' };
}

export function isSameStep(a: TakeBackStep, b: TakeBackStep): boolean {
  return a.kind === b.kind && idOf(a) === idOf(b);
}

function idOf(step: TakeBackStep): string | undefined {
  return 'takeBack' in step ? step.takeBack.id : undefined;
}
