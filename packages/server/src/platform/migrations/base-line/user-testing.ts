import { closedByRow, closedByStatement } from './closed-to-others.ts';

/**
 * Scenarios, their invitations and the conversations of their visitors. A visitor belongs to the
 * installation and not to an organization: it is a cookie of a browser, stored as its hash. Windows
 * and findings contain only counts, ids and labels, so the text of a conversation is deleted with
 * its session.
 */
export const userTesting = /* sql */ `
  create table scenarios (
    id text primary key,
    organization_id text not null,
    project_id text not null,
    environment_id text not null,
    name text not null,
    description text,
    mode text not null check (mode in ('project_members', 'invited_only', 'anyone_with_link')),
    -- Grows when an admitted visitor may lose access.
    access_version integer not null default 1,
    -- Of the share link: to find the scenario, and to show the link again.
    token_hash bytea not null unique,
    sealed_token bytea not null,
    feedback text not null default 'off' check (feedback in ('off', 'stars', 'thumbs')),
    welcome text,
    -- JSON: what visitors without an account may spend; null until it is set.
    guest_execution text,
    created_by text references accounts,
    created_at timestamptz(3) not null default clock_timestamp(),
    updated_at timestamptz(3) not null default clock_timestamp(),
    unpublished_at timestamptz(3),
    unique (organization_id, id),
    foreign key (organization_id, project_id) references projects (organization_id, id) on delete cascade
  );
  create unique index scenarios_environment on scenarios (environment_id) where unpublished_at is null;
  create index scenarios_order on scenarios (project_id, created_at, id);

  -- A visitor has no organization: it is that of the link, or of the scenario that the link led to.
  create function organization_of_scenario_link(token bytea) returns text
    language sql stable security definer
    begin atomic
      select organization_id from scenarios where token_hash = token and unpublished_at is null;
    end;

  create function organization_of_scenario(scenario text) returns text
    language sql stable security definer
    begin atomic
      select organization_id from scenarios where id = scenario;
    end;
  create trigger sealed_token_key before insert or update of sealed_token on scenarios
    for each row execute function refuse_old_key('sealed_token');

  create table scenario_members (
    id text primary key,
    organization_id text not null,
    project_id text not null,
    scenario_id text not null,
    -- Empty once they are removed.
    email text not null check (email = lower(email) and (email = '') = (revoked_at is not null)),
    role text not null default 'chat' check (role = 'chat'),
    -- One of both proved the address: an account that signed in with it, or the browser that opened the one-time link.
    account_id text references accounts,
    visitor_id text,
    invited_by text references accounts,
    invited_at timestamptz(3) not null default clock_timestamp(),
    accepted_at timestamptz(3),
    revoked_at timestamptz(3),
    -- Of the one-time link; null once used.
    invite_hash bytea unique,
    invite_expires_at timestamptz(3),
    unique (organization_id, id),
    foreign key (organization_id, project_id) references projects (organization_id, id) on delete cascade,
    foreign key (organization_id, scenario_id) references scenarios (organization_id, id) on delete cascade
  );
  create unique index scenario_members_email on scenario_members (scenario_id, email) where revoked_at is null;
  create index scenario_members_scenario on scenario_members (scenario_id, invited_at, id);
  create index scenario_members_project on scenario_members (project_id);

  create table scenario_grants (
    id text primary key,
    organization_id text not null,
    project_id text not null,
    scenario_id text not null,
    visitor_id text,
    account_id text references accounts,
    -- The invitation that admitted them, if one did.
    member_id text,
    granted_at timestamptz(3) not null default clock_timestamp(),
    revoked_at timestamptz(3),
    consent_version text,
    consented_at timestamptz(3),
    check (num_nonnulls(visitor_id, account_id) = 1),
    foreign key (organization_id, project_id) references projects (organization_id, id) on delete cascade,
    foreign key (organization_id, scenario_id) references scenarios (organization_id, id) on delete cascade,
    foreign key (organization_id, member_id) references scenario_members (organization_id, id) on delete cascade
  );
  create unique index scenario_grants_visitor on scenario_grants (scenario_id, visitor_id) where revoked_at is null;
  create unique index scenario_grants_account on scenario_grants (scenario_id, account_id) where revoked_at is null;
  create index scenario_grants_scenario on scenario_grants (scenario_id);
  create index scenario_grants_project on scenario_grants (project_id);
  create index scenario_grants_member on scenario_grants (member_id);

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
    -- One of both: a browser, or a person who is signed in.
    visitor_id text,
    account_id text,
    member_id text,
    -- A new admission begins a new conversation.
    grant_id text not null,
    is_preview boolean not null default false,
    status text not null default 'active' check (status in ('active', 'ended')),
    ended_by text check (ended_by in ('visitor', 'idle', 'closed')),
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
    -- JSON: outcome and use of each tool, so that nobody reads the trace for them.
    digest text,
    started_at timestamptz(3) not null default clock_timestamp(),
    last_activity_at timestamptz(3) not null default clock_timestamp(),
    ended_at timestamptz(3),
    -- When outcome and chain were last written.
    settled_at timestamptz(3),
    -- A rating after the end may change the outcome.
    rated_at timestamptz(3),
    unique (organization_id, id),
    foreign key (organization_id, project_id) references projects (organization_id, id) on delete cascade,
    foreign key (organization_id, scenario_id) references scenarios (organization_id, id) on delete cascade
  );
  create index visitor_sessions_project on visitor_sessions (organization_id, project_id);
  create index visitor_sessions_recent on visitor_sessions (scenario_id, last_activity_at, id collate "C");
  create index visitor_sessions_visitor on visitor_sessions (scenario_id, visitor_hash, started_at);
  create index visitor_sessions_unsettled on visitor_sessions (last_activity_at)
    where settled_at is null or settled_at < last_activity_at or settled_at < rated_at;
  create index visitor_sessions_idle on visitor_sessions (last_activity_at) where status = 'active';

  create table visitor_turns (
    id text primary key,
    organization_id text not null,
    project_id text not null,
    scenario_id text not null,
    session_id text not null,
    ordinal integer not null,
    client_turn_id text not null,
    -- Whether the bounds for guests apply.
    is_anonymous boolean not null,
    status text not null default 'running'
      check (status in ('running', 'awaitingApproval', 'completed', 'failed', 'stopped', 'interrupted')),
    text text not null,
    environment_id text not null,
    model_id text not null,
    -- JSON: code and message.
    error text,
    -- JSON: role, text, toolName, createdAt, in order.
    messages text not null default '[]',
    -- JSON: as sent to the visitor, to be sent again.
    lines text not null default '[]',
    -- JSON: what outcome and chain are derived from.
    evidence text,
    usage text,
    -- JSON: with the names of the tools.
    call_durations text,
    created_at timestamptz(3) not null default clock_timestamp(),
    -- Of the process that runs it.
    beat_at timestamptz(3) not null default clock_timestamp(),
    stop_requested_at timestamptz(3),
    completed_at timestamptz(3),
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

  create function idle_visits(idle_seconds double precision) returns table (organization_id text, session_id text)
    language sql stable security definer
    begin atomic
      select organization_id, id from visitor_sessions
      where status = 'active' and last_activity_at < statement_timestamp() - make_interval(secs => idle_seconds)
        and not exists (
          select from visitor_turns
          where session_id = visitor_sessions.id and visitor_turns.status in ('running', 'awaitingApproval')
            and beat_at > statement_timestamp() - interval '15 seconds')
      order by last_activity_at limit 200;
    end;

  -- A worker works for all organizations and sees no more of them than where to go on.
  create function visits_to_settle(silent_seconds double precision)
    returns table (organization_id text, scenario_id text, session_id text)
    language sql stable security definer
    begin atomic
      select organization_id, scenario_id, id from visitor_sessions
      where (settled_at is null or settled_at < last_activity_at or settled_at < rated_at)
        and (status = 'ended' or last_activity_at < statement_timestamp() - make_interval(secs => silent_seconds))
        and not exists (
          select from visitor_turns
          where session_id = visitor_sessions.id and visitor_turns.status in ('running', 'awaitingApproval')
            and beat_at > statement_timestamp() - interval '15 seconds')
      order by last_activity_at limit 200;
    end;

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

  create function note_rating() returns trigger language plpgsql as $$
    begin
      update visitor_sessions set rated_at = clock_timestamp() where id = new.session_id;
      return null;
    end $$;
  create trigger note_rating after insert or update on visitor_feedback for each row execute function note_rating();

  create table scenario_windows (
    id text primary key,
    organization_id text not null,
    project_id text not null,
    scenario_id text not null,
    window_start_at timestamptz(3) not null,
    window_end_at timestamptz(3) not null,
    mined_at timestamptz(3) not null default clock_timestamp(),
    -- Of its sessions and ratings: the same ones make no second window.
    input_hash text not null,
    -- JSON: how much was looked at, and the candidates.
    result text not null,
    foreign key (organization_id, project_id) references projects (organization_id, id) on delete cascade,
    foreign key (organization_id, scenario_id) references scenarios (organization_id, id) on delete cascade
  );
  create index scenario_windows_project on scenario_windows (organization_id, project_id);
  create index scenario_windows_scenario on scenario_windows (organization_id, scenario_id);
  create index scenario_windows_newest on scenario_windows (scenario_id, window_end_at, id);

  create table scenario_findings (
    scenario_id text not null,
    fingerprint text not null,
    organization_id text not null,
    project_id text not null,
    id text not null,
    detector text not null,
    subject_kind text not null,
    subject_id text not null,
    subject_label text not null,
    status text not null check (status in ('new', 'recurring', 'regressed', 'resolved')),
    -- Windows that held a session of it which the one before did not hold.
    occurrence_count integer not null,
    first_seen_at timestamptz(3) not null,
    last_seen_at timestamptz(3) not null,
    last_seen_window_id text not null,
    resolved_at timestamptz(3),
    dismissed_at timestamptz(3),
    title text not null,
    first_failed_stage text,
    failure_category text,
    next_action text not null,
    -- JSON: counts and sessions of the window that counted it last.
    evidence text not null,
    -- JSON: the ids of all sessions of that window.
    counted_session_ids text not null,
    updated_at timestamptz(3) not null default clock_timestamp(),
    primary key (scenario_id, fingerprint),
    unique (scenario_id, id),
    foreign key (organization_id, project_id) references projects (organization_id, id) on delete cascade,
    foreign key (organization_id, scenario_id) references scenarios (organization_id, id) on delete cascade
  );
  create index scenario_findings_project on scenario_findings (organization_id, project_id);
  create index scenario_findings_scenario on scenario_findings (organization_id, scenario_id);

  ${closedByRow(['scenarios', 'scenario_members', 'scenario_grants'])}
  ${closedByStatement([
    'visitor_sessions',
    'visitor_turns',
    'visitor_traces',
    'visitor_approvals',
    'visitor_feedback',
    'scenario_windows',
    'scenario_findings',
  ])}
`;
