import type { ActionContext, ProjectContext } from '../../platform/operations/action.ts';
import type { ModelsParts } from '../models/index.ts';
import type { ServersParts } from '../servers/index.ts';

export interface EvalsParts extends ServersParts, ModelsParts {}

export type EvalsContext = ActionContext & EvalsParts;
export type EvalsProject = ProjectContext & EvalsParts;
