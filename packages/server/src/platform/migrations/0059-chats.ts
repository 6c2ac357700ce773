/**
 * What people say to servers in the playground, turn by turn: a message has one answer, or two beside each other. Calls of
 * a turn are made one after the other, so that at most one of them waits for its person.
 */
export const chats = /* sql */ `
  alter table chat_sessions
    -- With what it is held; none where it is older than that.
    add column target_kind text check (target_kind in ('environment', 'client', 'server')),
    add column target_id text,
    -- Of the answer that came last.
    add column model_id text,
    add column message_count integer not null default 0,
    add column tool_call_count integer not null default 0,
    add column preview text,
    add constraint chat_sessions_of_organization unique (organization_id, id);

  create table chat_turns (
    id text primary key,
    organization_id text not null,
    session_id text not null,
    -- Of the message; both answers to it have the same.
    ordinal integer not null,
    message_id text not null,
    lane integer not null check (lane in (0, 1)),
    status text not null default 'running'
      check (status in ('running', 'awaitingApproval', 'completed', 'failed', 'stopped', 'interrupted')),
    text text not null,
    model_id text not null,
    created_at timestamptz(3) not null default clock_timestamp(),
    -- Of the process that runs it.
    beat_at timestamptz(3) not null default clock_timestamp(),
    stop_requested_at timestamptz(3),
    completed_at timestamptz(3),
    -- JSON: role, text, toolName, createdAt, in order; what searches look through.
    messages text not null default '[]',
    -- JSON: what its person was shown.
    lines text not null default '[]',
    -- JSON; null where it came to none.
    trace text,
    usage text,
    -- Of the call that waits, or waited last.
    approval_id text unique,
    approval_arguments_hash text,
    approval_expires_at timestamptz(3),
    approval_decision text check (approval_decision in ('approve', 'deny')),
    unique (session_id, ordinal, lane),
    unique (session_id, message_id, lane),
    foreign key (organization_id, session_id) references chat_sessions (organization_id, id) on delete cascade
  );
  create index chat_turns_session on chat_turns (organization_id, session_id);
  create unique index chat_turns_one_open on chat_turns (session_id, lane)
    where status in ('running', 'awaitingApproval');
  create index chat_turns_open on chat_turns (organization_id) where status in ('running', 'awaitingApproval');

  alter table chat_turns enable row level security;
  create policy tenant on chat_turns using (organization_id = any ((select visible_organizations())::text[]));
`;
