/** What came of the last launch that a schedule wanted. */
export const scheduleAttempts = /* sql */ `
  alter table eval_suites
    -- Null until the schedule was due for the first time.
    add column schedule_attempted_at timestamptz(3),
    -- Both null where the run was launched.
    add column schedule_error_code text,
    add column schedule_error_message text;
`;
