import { closedByRow, closedByStatement } from './closed-to-others.ts';

/**
 * Conversations with servers, turn by turn. A message has one answer, or two that are shown next to
 * each other. The calls of a turn run one after the other, so at most one of them waits for
 * approval.
 */
export const playground = /* sql */ `
  create table chat_sessions (
    id text primary key,
    organization_id text not null,
    project_id text not null,
    account_id text not null references accounts on delete cascade,
    title text,
    status text not null check (status in ('active', 'archived')),
    visibility text not null default 'private' check (visibility in ('private', 'project')),
    target_kind text check (target_kind in ('environment', 'client', 'server')),
    target_id text,
    -- Of the last answer.
    model_id text,
    message_count integer not null default 0,
    tool_call_count integer not null default 0,
    preview text,
    created_at timestamptz(3) not null default now(),
    last_activity_at timestamptz(3) not null default now(),
    foreign key (organization_id, project_id) references projects (organization_id, id) on delete cascade,
    constraint chat_sessions_of_organization unique (organization_id, id)
  );
  create index chat_sessions_order on chat_sessions (account_id, status, last_activity_at, id);
  create index chat_sessions_project on chat_sessions (organization_id, project_id);
  create index chat_sessions_of_project on chat_sessions (project_id, status, last_activity_at, id collate "C");

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
    -- JSON: role, text, toolName, createdAt, in order; searched.
    messages text not null default '[]',
    -- JSON: as shown to its person.
    lines text not null default '[]',
    -- JSON.
    trace text,
    usage text,
    -- Of the call that waits, or waited last.
    approval_id text unique,
    approval_arguments_hash text,
    approval_expires_at timestamptz(3),
    approval_decision text check (approval_decision in ('approve', 'deny')),
    created_at timestamptz(3) not null default clock_timestamp(),
    -- Of the process that runs it.
    beat_at timestamptz(3) not null default clock_timestamp(),
    stop_requested_at timestamptz(3),
    completed_at timestamptz(3),
    unique (session_id, ordinal, lane),
    unique (session_id, message_id, lane),
    foreign key (organization_id, session_id) references chat_sessions (organization_id, id) on delete cascade
  );
  create index chat_turns_session on chat_turns (organization_id, session_id);
  create unique index chat_turns_one_open on chat_turns (session_id, lane)
    where status in ('running', 'awaitingApproval');
  create index chat_turns_open on chat_turns (organization_id) where status in ('running', 'awaitingApproval');

  ${closedByRow(['chat_sessions'])}
  ${closedByStatement(['chat_turns'])}
`;
