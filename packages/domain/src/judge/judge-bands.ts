export const defaultJudgeThreshold = 0.7;
/**
 * A score at or above the threshold is a pass. From the floor up it is partial, which is a failure,
 * and below the floor a failure.
 */
export const judgePartialFloor = 0.4;
/** Without a rubric, no answer is proven right. */
export const unguidedScoreCap = 0.85;
