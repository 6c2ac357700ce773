/** The judge of a journey's sessions. Sessions are judged only if `autoRun` is true. */
import * as z from 'zod';

export const JudgeConfig = z
  .strictObject({
    goalCompletion: z.strictObject({
      enabled: z.boolean().optional().meta({ description: 'Default: true.' }),
      judgeModel: z.string().trim().min(1).max(200).optional(),
      threshold: z.number().min(0).max(1).optional().meta({ description: 'Default: 0.7.' }),
      autoRun: z.boolean().optional().meta({ description: 'Default: false.' }),
    }),
  })
  .meta({ id: 'JourneyJudgeConfig', description: 'Nothing is judged unless autoRun is true.' });
export type JudgeConfig = z.infer<typeof JudgeConfig>;

export interface GoalJudge {
  /** Null for the installation's default. */
  readonly judgeModel: string | null;
  readonly threshold: number;
}

/** Returns null if the run's sessions are not judged. */
export function goalJudgeOf(config: JudgeConfig | null): GoalJudge | null {
  const { enabled = true, autoRun = false, judgeModel, threshold } = config?.goalCompletion ?? {};
  if (!enabled || !autoRun) return null;
  return { judgeModel: judgeModel ?? null, threshold: threshold ?? defaultGoalThreshold };
}

const defaultGoalThreshold = 0.7;
