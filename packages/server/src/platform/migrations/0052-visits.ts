/**
 * People who open a share link. A visitor belongs to the installation and to no organization: it is a cookie of a browser,
 * kept as its hash. What they say stands turn by turn, with what the owner reads of it.
 */
export const visits = /* sql */ `
  create table visitors (
    id text primary key,
    cookie_hash bytea not null unique,
    created_at timestamptz(3) not null default clock_timestamp(),
    last_seen_at timestamptz(3) not null default clock_timestamp()
  );
  create index visitors_seen on visitors (last_seen_at);

  create table visitor_sessions (
    id text primary key,
    organization_id text not null,
    project_id text not null,
    scenario_id text not null,
    -- Of its first turn.
    environment_id text,
    -- Of the one that is set: a browser, or a person who is signed in.
    visitor_id text,
    account_id text,
    member_id text,
    -- Who is admitted anew begins a new conversation.
    grant_id text not null,
    is_preview boolean not null default false,
    status text not null default 'active' check (status in ('active', 'ended')),
    ended_by text check (ended_by in ('visitor', 'idle', 'closed')),
    started_at timestamptz(3) not null default clock_timestamp(),
    last_activity_at timestamptz(3) not null default clock_timestamp(),
    ended_at timestamptz(3),
    -- When outcome and chain were written.
    settled_at timestamptz(3),
    auth_type text not null check (auth_type in ('signedIn', 'guest')),
    recency text not null check (recency in ('new', 'returning')),
    display_name text,
    -- Of the identity, salted with the scenario.
    visitor_hash text not null,
    device_kind text,
    language text,
    consent_version text not null,
    consented_at timestamptz(3) not null,
    model_id text,
    message_count integer not null default 0,
    preview text,
    turn_count integer not null default 0,
    tool_call_count integer not null default 0,
    tool_error_count integer not null default 0,
    auth_interrupted boolean not null default false,
    -- JSON, as of sessions of swarms.
    usage text,
    outcome text,
    chain text,
    unique (organization_id, id),
    foreign key (organization_id, project_id) references projects (organization_id, id) on delete cascade,
    foreign key (organization_id, scenario_id) references scenarios (organization_id, id) on delete cascade
  );
  create index visitor_sessions_project on visitor_sessions (organization_id, project_id);
  create index visitor_sessions_recent on visitor_sessions (scenario_id, last_activity_at, id collate "C");
  create index visitor_sessions_visitor on visitor_sessions (scenario_id, visitor_hash, started_at);
  create index visitor_sessions_unsettled on visitor_sessions (last_activity_at) where settled_at is null;

  create table visitor_turns (
    id text primary key,
    organization_id text not null,
    project_id text not null,
    scenario_id text not null,
    session_id text not null,
    ordinal integer not null,
    client_turn_id text not null,
    -- Of nobody who is known, so that their bounds hold.
    is_anonymous boolean not null,
    status text not null default 'running'
      check (status in ('running', 'awaitingApproval', 'completed', 'failed', 'stopped', 'interrupted')),
    text text not null,
    environment_id text not null,
    model_id text not null,
    created_at timestamptz(3) not null default clock_timestamp(),
    -- Of the process that runs it.
    beat_at timestamptz(3) not null default clock_timestamp(),
    stop_requested_at timestamptz(3),
    completed_at timestamptz(3),
    -- JSON: code and message.
    error text,
    -- JSON: role, text, toolName, createdAt, in order.
    messages text not null default '[]',
    -- JSON: what the visitor was sent, to answer it again.
    lines text not null default '[]',
    -- JSON: what was seen, from which outcome and chain are told.
    evidence text,
    usage text,
    -- JSON: how long each call took, with the name of its tool.
    call_durations text,
    unique (organization_id, id),
    unique (session_id, ordinal),
    foreign key (organization_id, session_id) references visitor_sessions (organization_id, id) on delete cascade
  );
  create unique index visitor_turns_client_id on visitor_turns (session_id, client_turn_id)
    where status in ('running', 'awaitingApproval', 'completed');
  create unique index visitor_turns_one_open on visitor_turns (session_id)
    where status in ('running', 'awaitingApproval');
  create index visitor_turns_open on visitor_turns (scenario_id) where status in ('running', 'awaitingApproval');
  create index visitor_turns_session on visitor_turns (organization_id, session_id);

  create table visitor_traces (
    turn_id text primary key,
    organization_id text not null,
    trace text not null,
    foreign key (organization_id, turn_id) references visitor_turns (organization_id, id) on delete cascade
  );

  create table visitor_approvals (
    id text primary key,
    organization_id text not null,
    turn_id text not null,
    call_id text not null,
    tool_name text not null,
    server_name text not null,
    -- JSON, canonical: what the hash was made of.
    arguments text not null,
    arguments_hash text not null,
    definition_hash text not null,
    created_at timestamptz(3) not null default clock_timestamp(),
    expires_at timestamptz(3) not null,
    decision text check (decision in ('approve', 'deny')),
    decided_at timestamptz(3),
    foreign key (organization_id, turn_id) references visitor_turns (organization_id, id) on delete cascade
  );
  create index visitor_approvals_turn on visitor_approvals (organization_id, turn_id);

  create table visitor_feedback (
    organization_id text not null,
    session_id text not null,
    -- Null for the whole conversation.
    turn_id text,
    rating integer not null check (rating between 1 and 5),
    comment text,
    updated_at timestamptz(3) not null default clock_timestamp(),
    foreign key (organization_id, session_id) references visitor_sessions (organization_id, id) on delete cascade,
    foreign key (organization_id, turn_id) references visitor_turns (organization_id, id) on delete cascade
  );
  create unique index visitor_feedback_turn on visitor_feedback (session_id, turn_id) where turn_id is not null;
  create unique index visitor_feedback_session on visitor_feedback (session_id) where turn_id is null;
  create index visitor_feedback_owner on visitor_feedback (organization_id, session_id);
  create index visitor_feedback_of_turn on visitor_feedback (organization_id, turn_id);

  alter table visitor_sessions enable row level security;
  alter table visitor_turns enable row level security;
  alter table visitor_traces enable row level security;
  alter table visitor_approvals enable row level security;
  alter table visitor_feedback enable row level security;
  create policy tenant on visitor_sessions using (organization_id = any ((select visible_organizations())::text[]));
  create policy tenant on visitor_turns using (organization_id = any ((select visible_organizations())::text[]));
  create policy tenant on visitor_traces using (organization_id = any ((select visible_organizations())::text[]));
  create policy tenant on visitor_approvals using (organization_id = any ((select visible_organizations())::text[]));
  create policy tenant on visitor_feedback using (organization_id = any ((select visible_organizations())::text[]));
`;
