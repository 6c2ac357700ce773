/**
 * Runs and what they are made of. Documents are kept as JSON text: nothing searches inside them, and text
 * keeps every character a tool may have printed, in the order in which it came.
 */
export const evalRuns = /* sql */ `
  alter table eval_suites
    add column description text,
    -- The name by which reporters found it first; it keeps finding the suite after a rename.
    add column reported_name text,
    add column run_count integer not null default 0,
    add column passed_trials bigint not null default 0,
    add column failed_trials bigint not null default 0,
    add unique (organization_id, id);
  create unique index eval_suites_reported_name on eval_suites (project_id, reported_name);
  create index eval_suites_name on eval_suites (project_id, name);

  create table eval_cases (
    id text primary key,
    organization_id text not null,
    suite_id text not null,
    case_key text not null,
    content_hash text not null,
    declared_id text,
    title text not null,
    is_negative boolean not null,
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now(),
    unique (suite_id, case_key),
    unique (suite_id, declared_id),
    foreign key (organization_id, suite_id) references eval_suites (organization_id, id) on delete cascade
  );
  create index eval_cases_content on eval_cases (suite_id, content_hash);

  create table eval_runs (
    id text primary key,
    organization_id text not null,
    project_id text not null,
    suite_id text not null,
    run_number integer not null,
    source text not null check (source in ('ui', 'api', 'sdk')),
    status text not null
      check (status in ('pending', 'running', 'completed', 'failed', 'cancelled', 'timed_out')),
    result text,
    verdict_policy_version integer,
    -- What the run is decided by and what it ran on, as it was at its start.
    snapshot text not null,
    verdict_summary text,
    integrity_error text,
    total_trials integer,
    passed_trials integer,
    failed_trials integer,
    score_integrity text check (score_integrity in ('valid', 'invalid')),
    external_run_id text,
    evaluation_config_hash text,
    expected_iterations integer,
    notes text,
    framework text,
    ci text,
    tags text[] not null default '{}',
    iteration_count integer not null default 0,
    -- Grows with every change of the run or its iterations, so that a reading can be known to be current.
    revision integer not null default 1,
    created_by text references accounts on delete set null,
    created_at timestamptz(3) not null default now(),
    completed_at timestamptz(3),
    unique (organization_id, id),
    unique (suite_id, run_number),
    unique (suite_id, external_run_id),
    foreign key (organization_id, project_id) references projects (organization_id, id) on delete cascade,
    foreign key (organization_id, suite_id) references eval_suites (organization_id, id) on delete cascade
  );
  create index eval_runs_project on eval_runs (project_id);

  create function keep_decided() returns trigger language plpgsql as $$
  begin
    if new.snapshot is distinct from old.snapshot
      or (old.verdict_summary is not null and new.verdict_summary is distinct from old.verdict_summary)
    then
      raise exception 'The snapshot and the decision of a run do not change.';
    end if;
    return new;
  end $$;
  create trigger keep_decided before update of snapshot, verdict_summary on eval_runs
    for each row execute function keep_decided();

  -- A case may be deleted while its trials remain as history, so case_id refers to nothing.
  create table eval_iterations (
    run_id text not null,
    -- 1, 2, 3 … in the order of recording.
    ordinal integer not null,
    id text not null,
    organization_id text not null,
    external_id text,
    case_id text,
    declared_case_id text,
    title text,
    iteration_number integer not null,
    -- Whether the reporter gave the number itself.
    numbered boolean not null,
    status text not null,
    result text,
    evaluator_error boolean not null,
    model text,
    provider text,
    started_at timestamptz(3),
    duration_ms double precision,
    tokens_used double precision,
    usage text,
    expected_tool_calls text not null,
    actual_tool_calls text not null,
    error text,
    chain text,
    scores text,
    evaluation_config text,
    score_integrity text check (score_integrity in ('valid', 'invalid')),
    primary key (run_id, ordinal),
    unique (run_id, id),
    unique (run_id, external_id),
    foreign key (organization_id, run_id) references eval_runs (organization_id, id) on delete cascade
  );

  -- Apart from iterations, so that a page of them never reads a trace.
  create table eval_traces (
    run_id text not null,
    ordinal integer not null,
    organization_id text not null,
    trace text,
    details text not null,
    primary key (run_id, ordinal),
    foreign key (organization_id, run_id) references eval_runs (organization_id, id) on delete cascade
  );

  create table gate_waivers (
    id text primary key,
    organization_id text not null,
    suite_id text not null,
    run_id text not null,
    reason text not null,
    policy_snapshot text,
    expires_at timestamptz(3) not null,
    created_by text references accounts on delete set null,
    created_by_email text not null,
    created_at timestamptz(3) not null default now(),
    revoked_at timestamptz(3),
    revoked_by text references accounts on delete set null,
    foreign key (organization_id, run_id) references eval_runs (organization_id, id) on delete cascade
  );
  create index gate_waivers_run on gate_waivers (run_id, created_at);

  create table artifacts (
    id text primary key,
    organization_id text not null,
    project_id text not null,
    format text,
    content_type text,
    size_bytes integer,
    content bytea,
    expires_at timestamptz(3) not null,
    uploaded_at timestamptz(3),
    created_by text references accounts on delete set null,
    created_at timestamptz(3) not null default now(),
    foreign key (organization_id, project_id) references projects (organization_id, id) on delete cascade
  );
  create index artifacts_expiry on artifacts (expires_at);

  -- Who did what. It outlives what it speaks of, and nobody changes a line of it.
  create table audit_log (
    id bigint generated always as identity primary key,
    organization_id text not null references organizations on delete cascade,
    project_id text,
    at timestamptz(3) not null default now(),
    account_id text,
    account_email text not null,
    caller_kind text not null check (caller_kind in ('key', 'session')),
    action text not null,
    subject_id text not null,
    details text
  );
  create index audit_log_order on audit_log (organization_id, id);
  create function keep_audit_log() returns trigger language plpgsql as $$
  begin
    raise exception 'The audit log is only added to.';
  end $$;
  create trigger keep_audit_log before update on audit_log
    for each row execute function keep_audit_log();

  -- The reads below see all tenants, so they take the organizations the caller was found to have. They
  -- exist because every request begins with them: one statement in place of a transaction.

  create function project_standing(organizations text[], account text, project text)
    returns table (
      project_id text, project_organization_id text, project_visibility text,
      project_is_default boolean, organization_role text, granted_tier text
    )
    language sql stable security definer
    begin atomic
      select projects.id, projects.organization_id, projects.visibility, projects.is_default,
        memberships.role, project_members.tier
      from projects
      join memberships on memberships.organization_id = projects.organization_id
        and memberships.account_id = account
      left join project_members on project_members.project_id = projects.id
        and project_members.account_id = account
      where projects.organization_id = any (organizations) and projects.id = project;
    end;

  create function default_project(organizations text[]) returns text
    language sql stable security definer
    begin atomic
      select id from projects
      where cardinality(organizations) = 1 and organization_id = organizations[1] and is_default;
    end;

  create function eval_run_revision(organizations text[], project text, run text) returns integer
    language sql stable security definer
    begin atomic
      select revision from eval_runs
      where id = run and project_id = project and organization_id = any (organizations);
    end;

  alter table eval_cases enable row level security;
  alter table eval_runs enable row level security;
  alter table eval_iterations enable row level security;
  alter table eval_traces enable row level security;
  alter table gate_waivers enable row level security;
  alter table artifacts enable row level security;
  alter table audit_log enable row level security;
  create policy tenant on eval_cases using (may_see(organization_id));
  create policy tenant on eval_runs using (may_see(organization_id));
  create policy tenant on eval_iterations using (may_see(organization_id));
  create policy tenant on eval_traces using (may_see(organization_id));
  create policy tenant on gate_waivers using (may_see(organization_id));
  create policy tenant on artifacts using (may_see(organization_id));
  create policy tenant on audit_log using (may_see(organization_id));
`;
