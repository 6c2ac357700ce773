export type { TrialWidget } from './data/trial-widgets.ts';
export { type SeenAfterStep, seenAfterSteps, shownPictures } from './shown-pictures.ts';
export { PictureButton } from './widget-pictures.tsx';
export { WidgetSeen } from './widget-seen.tsx';
