/** What judges said beyond how far goals were reached: how far answers rest on the results of tools, and how their votes fell. */
export const groundedness = /* sql */ `
  alter table eval_runs
    -- JSON: what was said of the whole run; null where it was not asked, or is not answered yet.
    add column judge_groundedness text,
    -- JSON: how the judges that are assertions voted; null where there are none.
    add column judge_votes text;
  alter table eval_judgements
    -- JSON; null where a trial has no answer, or no result to hold it against.
    add column groundedness text;
`;
