/** The features with explained insights. */
import { detectInEvalRun } from '../../features/insights/work/detect-in-eval-run.ts';
import type { NarratorParts } from '../../features/insights/work/narrate-insights.ts';
import { detectInSwarmWave } from '../../features/swarms/work/read-wave.ts';
import {
  answerWithoutForgotten,
  detectInScenarioWindow,
  withoutForgotten,
} from '../../features/user-testing/work/read-window.ts';

export const insightScopes: NarratorParts['scopes'] = {
  eval_run: { detect: detectInEvalRun },
  swarm_wave: { detect: detectInSwarmWave },
  user_testing_window: {
    detect: detectInScenarioWindow,
    withoutForgotten: { material: withoutForgotten, answer: answerWithoutForgotten },
  },
};
