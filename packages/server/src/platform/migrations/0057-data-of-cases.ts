/**
 * The rows of a case stand beside what else it says, so that lists of cases need not read them: they may be a
 * thousand times as long.
 */
export const dataOfCases = /* sql */ `
  alter table eval_cases
    -- A JSON array of objects; null for a case without data. How many they are is said in the definition.
    add column data_rows text;
`;
