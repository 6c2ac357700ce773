export const defaultJudgeThreshold = 0.7;
/** A score below the threshold is partial from this floor up, and failed below it. */
export const judgePartialFloor = 0.4;
/** The maximum score without a rubric, since nothing then shows that an answer is right. */
export const unguidedScoreCap = 0.85;
