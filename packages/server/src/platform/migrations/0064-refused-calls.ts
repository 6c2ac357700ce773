/** Calls that a policy refused in a trial, so that a run can tell what was not called. */
export const refusedCalls = /* sql */ `
  -- JSON: servers and tools; null where no call was refused.
  alter table eval_iterations add column refused_calls text;
  create index eval_iterations_refused on eval_iterations (run_id, ordinal) where refused_calls is not null;
`;
