/**
 * Trials of a project in the order in which their ends were recorded, over all its runs: what an export of traces and the
 * list of sessions walk along. Only trials with something to show are in it: those that were run here and have a trace, and
 * reported ones whose trace holds messages. The moment is that of the database, since clocks of reporters may say anything
 * and whoever walks along must miss nothing that comes later.
 *
 * Ids are compared byte by byte, as whoever merges several such lists does it.
 *
 * Rows of trials that have a trace are written anew once, which takes about as long as reading and writing them.
 */
export const endedTrials = /* sql */ `
  alter table eval_iterations
    -- Both or neither. Called after no column of a run, which statements join and name alone.
    add column ended_in_project text,
    add column ended_at timestamptz(3);

  update eval_iterations trial set ended_in_project = eval_runs.project_id,
    ended_at = least(now(), coalesce(
      trial.started_at + make_interval(secs => least(greatest(coalesce(duration_ms, 0), 0), 1e9) / 1000),
      eval_runs.completed_at, eval_runs.created_at))
  from eval_traces trace, eval_runs
  where trace.run_id = trial.run_id and trace.ordinal = trial.ordinal and eval_runs.id = trial.run_id
    and trace.trace is not null and trial.status not in ('pending', 'running')
    -- As all traces are spelled that came from outside.
    and (source <> 'sdk' or trace.trace not like '{"traceVersion":1,"messages":[]%');

  -- Shared with whoever sees the project, or its owner's alone.
  alter table chat_sessions add column visibility text not null default 'private'
    check (visibility in ('private', 'project'));
  create index chat_sessions_of_project on chat_sessions (project_id, status, last_activity_at, id collate "C");

  create index eval_iterations_ended on eval_iterations (ended_in_project, ended_at, id collate "C")
    where ended_at is not null;
`;
