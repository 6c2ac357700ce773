import type { Action } from '../../../../platform/operations/action.ts';
import { PngAnswer } from '../../../../platform/operations/png-answer.ts';
import { pictureOfTrial } from './seen-widgets.ts';

export const getEvalIterationWidgetPicture: Action<'getEvalIterationWidgetPicture'> = async (
  context,
  { params },
) => new PngAnswer(await pictureOfTrial(context, params, params.pictureId));
