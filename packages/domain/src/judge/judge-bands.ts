export const defaultJudgeThreshold = 0.7;
/**
 * The floor of a partial score. A score at or above the threshold passes. A lower score fails: as
 * partial from this floor up, as failed below it.
 */
export const judgePartialFloor = 0.4;
/** The maximum score for a judge without a rubric, since nothing then shows an answer right. */
export const unguidedScoreCap = 0.85;
