import type { TrialWidget } from './data/trial-widgets.ts';
import type { ShownPicture } from './widget-pictures.tsx';

type TrialPicture = TrialWidget['pictures'][number];

export function shownPictures(pictures: readonly TrialPicture[]): ShownPicture[] {
  return pictures.map(shownPicture);
}

export interface SeenAfterStep {
  readonly toolName: string;
  readonly picture: ShownPicture;
}

export function seenAfterSteps(widgets: readonly TrialWidget[]): Map<string, SeenAfterStep> {
  return new Map(
    widgets.flatMap(({ toolName, pictures }) =>
      pictures.flatMap((picture) =>
        picture.stepId === null
          ? []
          : [[picture.stepId, { toolName, picture: shownPicture(picture) }] as const],
      ),
    ),
  );
}

function shownPicture({ path, stepId, width, height }: TrialPicture): ShownPicture {
  const when = stepId === null ? 'as it was first shown' : `after step ${stepId}`;
  return { source: path, when, width, height };
}
