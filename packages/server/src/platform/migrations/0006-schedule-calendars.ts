/**
 * Schedules at times of day. The next time of an interval is computed here, that of a calendar by
 * the service, which knows the time zones of the rules.
 */
export const scheduleCalendars = /* sql */ `
  -- Null for schedules with an interval.
  alter table eval_suites add column schedule_calendar text;

  -- Adds a job for a due schedule and sets its next time. A job that still waits for its launch is replaced, so no time
  -- is made up twice.
  create function launch_schedule(due_suite text, next_at timestamptz) returns void
    language plpgsql security definer set search_path = pg_catalog as $$
  declare
    due record;
  begin
    select * into due from proofmark.eval_suites where id = due_suite;
    update proofmark.eval_suites set schedule_next_at = next_at where id = due_suite;
    perform proofmark.add_job('launch-scheduled',
      json_build_object('organizationId', due.organization_id, 'projectId', due.project_id,
        'suiteId', due.id, 'environmentId', due.schedule_environment_id, 'accountId', due.created_by,
        'tick', floor(extract(epoch from due.schedule_next_at) * 1000))::text,
      'schedule:' || due.id, 8, null);
  end $$;

  -- Launches the due schedules with an interval. Their next time is the first that is still to come.
  create or replace function launch_due_schedules() returns integer
    language plpgsql security definer set search_path = pg_catalog as $$
  declare
    due record;
    launched integer := 0;
  begin
    for due in
      select * from proofmark.eval_suites
      where schedule_enabled and schedule_calendar is null and schedule_next_at <= now() for no key update skip locked
    loop
      perform proofmark.launch_schedule(due.id, due.schedule_next_at
        + make_interval(mins => due.schedule_interval_minutes)
        * (1 + floor(extract(epoch from now() - due.schedule_next_at) / (due.schedule_interval_minutes * 60))));
      launched := launched + 1;
    end loop;
    return launched;
  end $$;

  -- Locks some due schedules with a calendar until the end of the transaction.
  create function due_calendars(due_by timestamptz, at_most integer) returns table (suite_id text, calendar text)
    language sql security definer set search_path = pg_catalog as $$
    select id, schedule_calendar from proofmark.eval_suites
    where schedule_enabled and schedule_calendar is not null and schedule_next_at <= due_by
    order by schedule_next_at limit at_most for no key update skip locked
  $$;

  -- Launches due schedules with the next times of their calendars, as milliseconds since 1970.
  create function launch_calendars(starts json) returns void
    language sql security definer set search_path = pg_catalog as $$
    select proofmark.launch_schedule(start."suiteId", to_timestamp(start."nextMs" / 1000.0))
    from json_to_recordset(starts) as start ("suiteId" text, "nextMs" double precision)
  $$;

  -- Records that the next time of a calendar is unknown. It is asked for again after an hour.
  create function postpone_calendar(due_suite text, problem text) returns void
    language sql security definer set search_path = pg_catalog as $$
    update proofmark.eval_suites set schedule_next_at = clock_timestamp() + interval '1 hour',
      schedule_attempted_at = clock_timestamp(), schedule_error_code = 'INTERNAL_ERROR', schedule_error_message = problem
    where id = due_suite
  $$;
`;
