export {
  beginInsights,
  explanationStatus as toldStatus,
  insightsSwitchedOff,
} from './operations/begin-insights.ts';
export { presentExplanation } from './operations/present-explanation.ts';
export { readSurface } from './store/analyzed-trials.ts';
export {
  closeNarration,
  type GenerationOfInsights,
  type PlaceOfInsights,
} from './store/insights-work.ts';
export {
  findInsights,
  holdInsights,
  readAnswer,
  readInsightState,
  readMaterial,
  releaseInsights,
  removeExcerpts,
} from './store/scope-insights.ts';
export type { Detected } from './work/detect-in-eval-run.ts';
export { mineOrGiveUp } from './work/mine-or-give-up.ts';
