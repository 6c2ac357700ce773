/**
 * What is found in the sessions of visitors, window by window, and what a session came to once it is over. A window never
 * changes. Findings and windows hold counts, ids and labels: what was said goes with its session.
 */
export const windows = /* sql */ `
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

  alter table scenario_windows enable row level security;
  alter table scenario_findings enable row level security;
  create policy tenant on scenario_windows using (organization_id = any ((select visible_organizations())::text[]));
  create policy tenant on scenario_findings using (organization_id = any ((select visible_organizations())::text[]));

  -- JSON: what became of it and what it did with each tool, so that nobody reads its trace for it.
  alter table visitor_sessions add column digest text;
  alter table swarm_sessions add column digest text;
  create index swarm_sessions_target on swarm_sessions (project_id, target_id, started_at);

  -- A rating that comes or changes when a session is over may change what became of it.
  alter table visitor_sessions add column rated_at timestamptz(3);
  create function note_rating() returns trigger language plpgsql as $$
    begin
      update visitor_sessions set rated_at = clock_timestamp() where id = new.session_id;
      return null;
    end $$;
  create trigger note_rating after insert or update on visitor_feedback
    for each row execute function note_rating();
  drop index visitor_sessions_unsettled;
  create index visitor_sessions_unsettled on visitor_sessions (last_activity_at)
    where settled_at is null or settled_at < last_activity_at or settled_at < rated_at;

  -- A worker looks after every organization; it sees no more of them than where to go on.
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
  create index visitor_sessions_idle on visitor_sessions (last_activity_at) where status = 'active';
`;
