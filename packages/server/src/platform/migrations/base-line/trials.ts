import { idMonths } from '@proofmark/domain';
import { closedByStatement } from './closed-to-others.ts';

/**
 * Trials and their data, in partitions by the month of their run. Old months are removed by
 * dropping tables, and the indexes of recent months stay small. The id of a run begins with its
 * time, so a statement with the run's id reads only one partition. The bounds of partitions compare
 * byte by byte, regardless of the collation of the database.
 *
 * A trial has a pending row from the launch on. The teardown of a trial is recorded under the lease
 * of the worker that began the trial. It is done at most once: by that worker or, if the trial
 * ended without it, by any other.
 */

/**
 * Every month for which a partition is created. Runs with other ids are stored in the default
 * partitions.
 */
const months = idMonths('evalRun', Date.UTC(2020, 0), 20 * 12)
  .map(({ name, from, to }) => `('${name}', '${from}', '${to}')`)
  .join(', ');

const byMonth = [
  'eval_iterations',
  'eval_judgements',
  'eval_traces',
  'eval_widgets',
  'eval_widget_pictures',
];

export const trials = /* sql */ `
  -- A trial outlives its case, so case_id is no foreign key.
  create table eval_iterations (
    run_id text collate "C" not null,
    -- 1, 2, 3 … in the order of recording.
    ordinal integer not null,
    id text not null,
    organization_id text not null,
    external_id text,
    case_id text,
    declared_case_id text,
    title text,
    iteration_number integer not null,
    -- Whether the reporter gave iteration_number itself.
    numbered boolean not null,
    status text not null,
    result text,
    evaluator_error boolean not null,
    model text,
    provider text,
    expected_tool_calls text not null,
    actual_tool_calls text not null,
    -- JSON: servers and tools; null where no call was refused.
    refused_calls text,
    error text,
    chain text,
    scores text,
    config_hash text,
    score_integrity text check (score_integrity in ('valid', 'invalid')),
    -- JSON: what is to be known beside the result.
    warnings text,
    tool_surface_hash text,
    -- Whether a reported trial came with a trace, for pages that do not read traces.
    has_trace boolean,
    -- kept, tooLarge, off or expired; null for a reported trial.
    recording_state text,
    -- Of the content, before it is compressed.
    recording_bytes integer,
    recording_hash text,
    -- JSON; null where a replayed trial did not differ.
    divergence text,
    -- Of a replayed trial: played, continuedLive, diverged or notRecorded; null for all others.
    replay_state text,
    usage text,
    tokens_used double precision,
    started_at timestamptz(3),
    duration_ms double precision,
    -- Both or neither: set where there is something to show. The moment is the database's, since clocks of reporters
    -- may say anything and a reader who walks along must miss nothing that comes later.
    ended_in_project text,
    ended_at timestamptz(3),
    primary key (run_id, ordinal),
    foreign key (organization_id, run_id) references eval_runs (organization_id, id) on delete cascade,
    unique (id, run_id)
  ) partition by range (run_id);
  create unique index eval_iterations_external on eval_iterations (external_id, run_id) where external_id is not null;
  -- Few trials do not pass, and people look for those. Only queries with the very same condition use this index.
  create index eval_iterations_not_passed on eval_iterations (run_id, ordinal)
    where result is distinct from 'passed' and (chain is not null or status not in ('pending', 'running'));
  -- Byte by byte, as the merge of several such lists compares ids.
  create index eval_iterations_ended on eval_iterations (ended_in_project, ended_at, id collate "C")
    where ended_at is not null;
  create index eval_iterations_warned on eval_iterations (run_id, ordinal) where warnings is not null;
  create index eval_iterations_refused on eval_iterations (run_id, ordinal) where refused_calls is not null;
  create table eval_iterations_default partition of eval_iterations default;

  create table eval_judgements (
    run_id text collate "C" not null,
    ordinal integer not null,
    organization_id text not null,
    case_key text not null,
    -- Null where the judge failed.
    score double precision,
    passed boolean not null,
    reason text,
    rubric_hits text not null,
    -- JSON; null where a trial has no answer, or no result to hold it against.
    groundedness text,
    primary key (run_id, ordinal),
    foreign key (organization_id, run_id) references eval_runs (organization_id, id) on delete cascade
  ) partition by range (run_id);
  create table eval_judgements_default partition of eval_judgements default;

  -- Apart from trials, so that a page of trials never reads a trace.
  create table eval_traces (
    run_id text collate "C" not null,
    ordinal integer not null,
    organization_id text not null,
    trace text,
    details text not null,
    primary key (run_id, ordinal),
    foreign key (organization_id, run_id) references eval_runs (organization_id, id) on delete cascade
  ) partition by range (run_id);
  create table eval_traces_default partition of eval_traces default;

  -- Apart from traces: a picture is larger than all that was said. A run stores a picture once.
  create table eval_widgets (
    run_id text collate "C" not null,
    ordinal integer not null,
    organization_id text not null,
    -- JSON: the observations, in the order in which the widgets were opened.
    observations text not null,
    primary key (run_id, ordinal),
    foreign key (organization_id, run_id) references eval_runs (organization_id, id) on delete cascade
  ) partition by range (run_id);
  create table eval_widgets_default partition of eval_widgets default;

  create table eval_widget_pictures (
    run_id text collate "C" not null,
    -- Of the PNG, lower hex.
    sha256 text not null,
    organization_id text not null,
    png bytea not null,
    primary key (run_id, sha256),
    foreign key (organization_id, run_id) references eval_runs (organization_id, id) on delete cascade
  ) partition by range (run_id);
  -- A PNG is compressed already.
  alter table eval_widget_pictures alter column png set storage external;
  create table eval_widget_pictures_default partition of eval_widget_pictures default;

  -- Makes the partitions of one month. Returns made; there; held, where a default partition has many rows of that
  -- month, which stay there; or busy, where it did not get a lock in time and is to be tried again. A few such rows,
  -- left by a clock that was ahead, are moved. Attaching a partition lets others read and write the other months
  -- meanwhile. A partition has no policy of its own, so that only the owner reads it past the policy of the whole
  -- table.
  create function make_month_of_trials(month text, first_id text, next_id text) returns text
    language plpgsql security definer set search_path = pg_catalog set lock_timeout = '300ms' as $$
  declare
    whole text;
    wholes text[];
    most_moved constant integer := 1000;
    early integer;
  begin
    -- One process at a time: two would wait for each other, each holding a default partition.
    perform pg_advisory_xact_lock(727005);
    select array_agg(name) into wholes
    from unnest(array['eval_iterations', 'eval_judgements', 'eval_traces', 'eval_widgets', 'eval_widget_pictures']) name
    where to_regclass(format('proofmark.%I', name || '_' || month)) is null;
    if wholes is null then return 'there'; end if;
    foreach whole in array wholes loop
      execute format('select count(*) from (select from proofmark.%I where run_id >= $1 and run_id < $2 limit $3) early',
          whole || '_default')
        into early using first_id, next_id, most_moved + 1;
      if early > most_moved then return 'held'; end if;
    end loop;
    -- Attaching needs it because of the reference. It is taken first, so that its holder waits for nothing of ours.
    lock table proofmark.eval_runs in share row exclusive mode;
    foreach whole in array wholes loop
      execute format('create table proofmark.%I (like proofmark.%I including all)', whole || '_' || month, whole);
      execute format('alter table proofmark.%I enable row level security', whole || '_' || month);
      execute format('with early as (delete from proofmark.%I where run_id >= $1 and run_id < $2 returning *)
        insert into proofmark.%I select * from early', whole || '_default', whole || '_' || month)
        using first_id, next_id;
      execute format('alter table proofmark.%I attach partition proofmark.%I for values from (%L) to (%L)',
        whole, whole || '_' || month, first_id, next_id);
    end loop;
    return 'made';
  exception
    when check_violation then return 'held';
    when lock_not_available or query_canceled then return 'busy';
  end $$;

  -- Drops the partitions of a month of which every run is going. Returns dropped; kept, where a run of it stays or
  -- got a waiver meanwhile; none, where there are no such partitions; or busy, where it did not get a lock in time.
  create function drop_month_of_trials(month text, first_id text, next_id text, going text[]) returns text
    language plpgsql security definer set search_path = pg_catalog set lock_timeout = '300ms' as $$
  declare
    whole text;
    wholes text[];
  begin
    if month !~ '^[0-9]{4}_[0-9]{2}$' or month >= to_char(now() at time zone 'UTC', 'YYYY_MM') then return 'kept'; end if;
    -- One process at a time, as for making them.
    perform pg_advisory_xact_lock(727005);
    select array_agg(name) into wholes
    from unnest(array['eval_iterations', 'eval_judgements', 'eval_traces', 'eval_widgets', 'eval_widget_pictures']) name
    where to_regclass(format('proofmark.%I', name || '_' || month)) is not null;
    if wholes is null then return 'none'; end if;
    lock table proofmark.eval_runs, proofmark.gate_waivers in share row exclusive mode;
    if exists (
      select from proofmark.eval_runs
      where id collate "C" >= first_id and id collate "C" < next_id
        and (id <> all (going) or status in ('pending', 'running') or judge_status = 'pending'
          or exists (
            select from proofmark.gate_waivers
            where run_id = eval_runs.id and revoked_at is null and expires_at > statement_timestamp())))
    then return 'kept'; end if;
    foreach whole in array wholes loop
      execute format('drop table proofmark.%I', whole || '_' || month);
    end loop;
    return 'dropped';
  exception
    when lock_not_available or query_canceled then return 'busy';
  end $$;

  -- One content for all trials with the same exchanges, kept as long as a trial names it; durations are each trial's
  -- own.
  create table recordings (
    organization_id text not null references organizations on delete cascade,
    -- SHA-256 of the content, lower hex.
    hash text not null,
    -- Canonical JSON, compressed; it holds no secret.
    content bytea not null,
    -- By a trial.
    last_named_at timestamptz(3) not null default now(),
    primary key (organization_id, hash)
  );

  create table trial_recordings (
    organization_id text not null,
    run_id text collate "C" not null,
    ordinal integer not null,
    hash text not null,
    -- JSON: in milliseconds, by the place of each exchange.
    durations text not null,
    primary key (run_id, ordinal),
    foreign key (organization_id, run_id) references eval_runs (organization_id, id) on delete cascade
  );
  create index trial_recordings_hash on trial_recordings (organization_id, hash);

  create table owed_teardowns (
    run_id text not null,
    ordinal integer not null,
    organization_id text not null,
    project_id text not null,
    -- Of the worker that last began the trial; 0 where another has taken them since.
    lease bigint not null,
    -- When the trial was seen to have ended without them.
    abandoned_since timestamptz,
    taken_at timestamptz,
    primary key (run_id, ordinal),
    foreign key (organization_id, run_id) references eval_runs (organization_id, id) on delete cascade
  );
  create index owed_teardowns_run on owed_teardowns (organization_id, run_id);

  -- Of all organizations, after a grace in which a living worker would have taken them.
  create function take_abandoned_teardowns(grace double precision, most integer) returns table (
      organization_id text, project_id text, run_id text, ordinal integer)
    language plpgsql security definer set search_path = pg_catalog as $$
  begin
    update proofmark.owed_teardowns owed set abandoned_since = clock_timestamp()
    from proofmark.eval_iterations trial
    where owed.abandoned_since is null and owed.taken_at is null
      and trial.run_id = owed.run_id and trial.ordinal = owed.ordinal and trial.status not in ('pending', 'running');
    return query
      with due as (
        select owed.run_id, owed.ordinal from proofmark.owed_teardowns owed
        where owed.taken_at is null and owed.abandoned_since < clock_timestamp() - make_interval(secs => grace)
        order by owed.abandoned_since limit most for update skip locked)
      update proofmark.owed_teardowns owed set taken_at = clock_timestamp(), lease = 0 from due
      where owed.run_id = due.run_id and owed.ordinal = due.ordinal
      returning owed.organization_id, owed.project_id, owed.run_id, owed.ordinal;
  end $$;

  -- Taken by a process that died with them: nobody knows which calls were made, and nobody makes them again.
  create function lost_teardowns(age double precision) returns table (
      organization_id text, run_id text, ordinal integer, lease text)
    language sql stable security definer
    begin atomic
      select owed_teardowns.organization_id, owed_teardowns.run_id, owed_teardowns.ordinal, owed_teardowns.lease::text
      from owed_teardowns
      join eval_iterations on eval_iterations.run_id = owed_teardowns.run_id
        and eval_iterations.ordinal = owed_teardowns.ordinal
      where taken_at < statement_timestamp() - make_interval(secs => age)
        and eval_iterations.status not in ('pending', 'running');
    end;

  ${closedByStatement([
    'eval_iterations',
    'eval_judgements',
    'eval_traces',
    'eval_widgets',
    'eval_widget_pictures',
    'recordings',
    'trial_recordings',
    'owed_teardowns',
  ])}
  ${byMonth.map((table) => `alter table ${table}_default enable row level security;`).join('\n  ')}

  -- This month and the two to come; the service makes later ones ahead of time.
  select make_month_of_trials(name, first_id, next_id)
  from (values ${months}) as months (name, first_id, next_id)
  where name between to_char(now() at time zone 'UTC', 'YYYY_MM')
    and to_char(now() at time zone 'UTC' + interval '2 months', 'YYYY_MM');
`;
