-- An invitation is a link that gives roles once. `merchant_id` null: roles of the staff.
create table invitations (
  id uuid primary key,
  -- The link itself is not kept.
  token_hash bytea not null unique check (octet_length(token_hash) = 32),
  merchant_id uuid,
  name text not null check (char_length(name) between 1 and 80),
  email text not null check (email = lower(email) and char_length(email) between 3 and 254),
  -- An administrator with a key and no address: accepting it gives this person one. Null: found by the address.
  person_id uuid references people (id),
  invited_by uuid references people (id),
  invited_by_name text not null check (char_length(invited_by_name) between 1 and 300),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  ended_as text check (ended_as in ('accepted', 'withdrawn')),
  accepted_by uuid references people (id),
  check (expires_at > created_at),
  check ((ended_at is null) = (ended_as is null)),
  check ((ended_as is not distinct from 'accepted') = (accepted_by is not null))
);
-- A person has one open invitation of a team: the last.
create unique index invitations_open on invitations (merchant_id, email) nulls not distinct where ended_at is null;
create index invitations_of_inviter on invitations (invited_by) where ended_at is null;

create table invitation_roles (
  invitation_id uuid not null references invitations (id),
  role text not null check (
    role in ('owner', 'maker', 'approver', 'developer', 'viewer', 'admin', 'treasurer', 'support', 'auditor')
  ),
  -- Null: in every book of the merchant, or of the staff.
  book_id uuid,
  unique nulls not distinct (invitation_id, role, book_id)
);
