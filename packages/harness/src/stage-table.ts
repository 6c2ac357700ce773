/**
 * Trials that end at each stage and in each category, as data: the server to start, the case, what the model says,
 * and the chain that must come of it. Whoever plays a row says line n of `model` when the conversation holds n answers
 * of the model already.
 */
import { blameRows } from './stage-blame-rows.ts';
import { endRows } from './stage-end-rows.ts';
import type { StageRow } from './stage-row.ts';
import { serverRows } from './stage-server-rows.ts';

export const stageTable: readonly StageRow[] = [...serverRows, ...blameRows, ...endRows];
