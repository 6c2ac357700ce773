/** A run speaks to its servers as they were when it was launched, whatever is edited or deleted afterwards. */
export const pinnedServers = /* sql */ `
  alter table eval_run_plans
    -- Addresses, headers and transports, sealed; gone when the run has ended. Null in runs from before.
    add column sealed_servers bytea;
`;
