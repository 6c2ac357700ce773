/** What people called the cases of a decision when it was made. */
export const caseTitles = /* sql */ `
  alter table eval_runs
    -- By the id a case has in the decision; null without a decision, and for runs decided before this was kept.
    add column case_titles text;
`;
