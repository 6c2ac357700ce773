/**
 * Few trials of a run do not pass, and they are what people look for. Only queries that say the very same condition can
 * use this index, so it leads nobody astray who looks for other trials of a run. A trial that is still to come is not in
 * it, which keeps it small while a run goes on.
 */
export const trialsNotPassed = /* sql */ `
  create index eval_iterations_not_passed on eval_iterations (run_id, ordinal)
    where result is distinct from 'passed'
      and (chain is not null or status not in ('pending', 'running'));
`;
