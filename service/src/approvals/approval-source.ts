import type { Book } from '../domain/book.ts';
import type { Queryable } from '../postgres/database.ts';
import type { ApprovalSubject, SubjectKind } from './approval.ts';
import type { DecisionRequest } from './record-decision.ts';

/** Who made a subject, as people see it. */
export type ShownMaker = Readonly<{
  kind: 'person' | 'key' | 'system';
  id: string | null;
  name: string;
}>;

/** Something that waits for approval, or did. */
export type Awaiting = ApprovalSubject &
  Readonly<{
    /** It waits now. */
    isAwaiting: boolean;
    expiresAt: Date | null;
    createdAt: Date;
    policyVersion: number | null;
    maker: ShownMaker | null;
    /** The subject itself, as merchants see it. */
    shown: object;
  }>;

/** The fields of a book that finding its waiting subjects needs. */
export type BookOfSubjects = Pick<Book, 'id' | 'merchantId' | 'mode'>;

type AwaitingPage = Readonly<{ after: string | null; limit: number }>;

/** One kind of subject that waits for approvals: how its subjects are found and decided about. */
export type ApprovalSource = Readonly<{
  kind: SubjectKind;
  /** What waits in the book, in the order of ids, which is that of time. */
  list(database: Queryable, book: BookOfSubjects, page: AwaitingPage): Promise<readonly Awaiting[]>;
  /** Those of these ids that there are, waiting or not. */
  find(
    database: Queryable,
    book: BookOfSubjects,
    ids: readonly string[],
  ): Promise<readonly Awaiting[]>;
  /** Records a decision and carries out what follows of it. Throws the refusal. */
  decide(subject: Readonly<{ book: Book; id: string }>, request: DecisionRequest): Promise<void>;
}>;

/** A source of which the look at a book also tells and releases subjects. */
export type TellingSource = ApprovalSource &
  Readonly<{
    /** Writes an event for subjects that the people who are left cannot approve. */
    tellImpossible(
      tx: Queryable,
      flagged: Readonly<{ bookId: string; ids: readonly string[]; at: Date }>,
    ): Promise<void>;
    /** Lets a subject go that has all its approvals and waits all the same. Returns whether it went. */
    releaseApproved(subject: Readonly<{ book: BookOfSubjects; id: string }>): Promise<boolean>;
  }>;
