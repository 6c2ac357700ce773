/**
 * The stage table: trials that fail at each stage and in each category, as data. A row states a
 * server, a case, the model's answers and the expected result of each stage. After n answers of the
 * model in a conversation, its next answer is `model[n]`.
 */
import { blameRows } from './stage-blame-rows.ts';
import { endRows } from './stage-end-rows.ts';
import type { StageRow } from './stage-row.ts';
import { serverRows } from './stage-server-rows.ts';

export const stageTable: readonly StageRow[] = [...serverRows, ...blameRows, ...endRows];
