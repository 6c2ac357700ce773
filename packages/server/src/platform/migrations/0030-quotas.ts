/**
 * Quotas of organizations, counters of a day, and how much room runs take. Sizes are measured by a job and not where things
 * are written: a count that every trial changed would make all writers of an organization wait for each other.
 */
export const quotas = /* sql */ `
  create table organization_quotas (
    organization_id text not null references organizations on delete cascade,
    name text not null check (name in ('storedBytes', 'trialsPerDay', 'uploadBytesPerDay')),
    -- Null: no limit, whatever the settings say.
    allowed bigint check (allowed >= 0),
    primary key (organization_id, name)
  );

  -- What was used on a day (UTC) of something that is bounded for a day.
  create table daily_counters (
    organization_id text not null references organizations on delete cascade,
    day date not null,
    counter text not null,
    used bigint not null,
    primary key (organization_id, day, counter)
  );

  -- Of a run with all that belongs to it, as it was at a revision.
  create table run_sizes (
    run_id text primary key,
    organization_id text not null,
    revision integer not null,
    trials integer not null,
    traces integer not null,
    bytes bigint not null,
    -- Those of them that are traces.
    trace_bytes bigint not null,
    foreign key (organization_id, run_id) references eval_runs (organization_id, id) on delete cascade
  );
  create index run_sizes_organization on run_sizes (organization_id);

  create table organization_sizes (
    organization_id text primary key references organizations on delete cascade,
    bytes bigint not null,
    counted_at timestamptz(3) not null
  );

  -- Whether an organization has quotas of its own is found with its caller, so that who has none is not asked for them.
  drop function project_standing(text[], text, text);
  create function project_standing(organizations text[], account text, project text)
    returns table (
      project_id text, project_organization_id text, project_visibility text,
      project_is_default boolean, organization_role text, granted_tier text, has_quotas boolean
    )
    language sql stable security definer
    begin atomic
      select projects.id, projects.organization_id, projects.visibility, projects.is_default,
        memberships.role, project_members.tier,
        exists (select from organization_quotas where organization_id = projects.organization_id)
      from projects
      join memberships on memberships.organization_id = projects.organization_id
        and memberships.account_id = account
      left join project_members on project_members.project_id = projects.id
        and project_members.account_id = account
      where projects.organization_id = any (organizations) and projects.id = project;
    end;

  create index eval_runs_made on eval_runs (organization_id, created_at);
  insert into recurring_jobs (name, every) values ('measure-storage', '1 minute');

${['organization_quotas', 'daily_counters', 'run_sizes', 'organization_sizes']
  .map(
    (table) => /* sql */ `
  alter table ${table} enable row level security;
  create policy tenant on ${table}
    using (organization_id = any ((select visible_organizations())::text[]));`,
  )
  .join('')}
`;
