import type { Action } from '../../../../platform/operations/action.ts';
import { seenWidgets } from './seen-widgets.ts';

export const getEvalIterationWidgets: Action<'getEvalIterationWidgets'> = async (
  context,
  { params },
) => {
  const { items } = await seenWidgets(context, params);
  return { items };
};
