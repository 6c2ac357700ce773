/**
 * Trials that end at each stage and in each category, as data: the server, the case, the lines of
 * the model, and the expected chain. The player gives line n of `model` when the conversation has n
 * answers of the model.
 */
import { blameRows } from './stage-blame-rows.ts';
import { endRows } from './stage-end-rows.ts';
import type { StageRow } from './stage-row.ts';
import { serverRows } from './stage-server-rows.ts';

export const stageTable: readonly StageRow[] = [...serverRows, ...blameRows, ...endRows];
