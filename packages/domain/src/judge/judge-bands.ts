export const defaultJudgeThreshold = 0.7;
/** A score from the threshold on is a pass, from the floor on partial, which is a failure, and below it a failure. */
export const judgePartialFloor = 0.4;
/** Without anything to measure against, no answer is proven right. */
export const unguidedScoreCap = 0.85;
