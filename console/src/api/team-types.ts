import type { MerchantRole } from './types.ts';

export type GivenRole = Readonly<{ role: MerchantRole; bookId: string | null }>;

/** A person of a merchant's team, or of the staff. */
export type TeamPerson<Given = GivenRole> = Readonly<{
  id: string;
  name: string;
  /** Null: has a key for the command line and cannot sign in. */
  email: string | null;
  roles: readonly Given[];
  secondFactor: 'totp' | 'passkey' | 'none';
  lastSeenAt: string | null;
}>;

export type TeamInvitation<Given = GivenRole> = Readonly<{
  id: string;
  name: string;
  email: string;
  roles: readonly Given[];
  invitedBy: string;
  expiresAt: string;
}>;

export type Team = Readonly<{
  items: readonly TeamPerson[];
  invitations: readonly TeamInvitation[];
}>;

export type Invited = Readonly<{ id: string; link: string; expiresAt: string; mailed: boolean }>;

export type ActFacts = Readonly<Record<string, unknown>>;

export type Act = Readonly<{
  id: string;
  at: string;
  actor: Readonly<{ kind: string; id: string | null; name: string }>;
  kind: string;
  subject: string;
  bookId: string | null;
  reason: string | null;
  before: ActFacts | null;
  after: ActFacts | null;
}>;
