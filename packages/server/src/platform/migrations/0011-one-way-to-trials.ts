/**
 * Only the primary key begins with the run. With three indexes to choose from, and little known about a run that has
 * just been launched, the planner would read all trials of the run to find a few of them.
 */
export const oneWayToTrials = /* sql */ `
  alter table eval_iterations
    drop constraint eval_iterations_run_id_id_key,
    drop constraint eval_iterations_run_id_external_id_key,
    add unique (id, run_id);
  create unique index eval_iterations_external on eval_iterations (external_id, run_id)
    where external_id is not null;
`;
