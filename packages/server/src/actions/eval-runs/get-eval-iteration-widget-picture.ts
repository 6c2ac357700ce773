import type { Action } from '../action.ts';
import { PngAnswer } from '../png-answer.ts';
import { pictureOfTrial } from './seen-widgets.ts';

export const getEvalIterationWidgetPicture: Action<'getEvalIterationWidgetPicture'> = async (
  context,
  { params },
) => new PngAnswer(await pictureOfTrial(context, params, params.pictureId));
